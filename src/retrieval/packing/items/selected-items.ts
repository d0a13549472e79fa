/** Reads the texts, documentation and comments of the selected files from the index, and builds the items that compete for the budget. */
import type {
  FileQueries,
  FileRow,
  ProseQueries,
  SymbolQueries,
  SymbolRow,
} from "../../../db/curated/knowledge-base.ts";
import type { TokenCounter } from "../../../text/tokens/tokens.ts";
import type { PricedText } from "../../lexical/snippets.ts";
import type { RoundShown } from "../../model/changes.ts";
import type { Selection } from "../../model/selection.ts";
import { unshownSymbols } from "../../precision/symbol-requests.ts";
import { withEnclosing } from "./enclosing-lines.ts";
import { type Item, itemsOf } from "./items.ts";
import { markKept } from "./kept-items.ts";
import { pricedFile } from "./priced-text.ts";

/** The tokenizer whose counts the index stores. */
const STORED_COUNTS: TokenCounter["name"] = "o200k_base";

/** `items` are marked with what the round before showed; `unmarked` are the same ones without that. */
export type SelectedItems = {
  readonly items: readonly Item[];
  readonly unmarked: readonly Item[];
  readonly sources: ReadonlyMap<number, PricedText>;
  readonly unshown: readonly SymbolRow[];
};

/** `kept` is what the round before showed; null marks nothing. */
export function selectedItems(
  kb: FileQueries & SymbolQueries & ProseQueries,
  selection: Selection,
  kept: RoundShown | null,
  counter: TokenCounter,
): SelectedItems {
  const fileIds = [
    ...new Set([
      ...selection.symbols.map(({ symbol }) => symbol.fileId),
      ...selection.snippets.map(({ fileId }) => fileId),
    ]),
  ];
  const texts = kb.texts(fileIds);
  const priced = ({ file }: { readonly file: FileRow }): readonly (readonly [number, PricedText])[] => {
    const text = texts.get(file.id);
    return text === undefined ? [] : [[file.id, pricedFile(file, text, counter)]];
  };
  const sources = new Map(selection.files.flatMap(priced));
  const symbolsOf = Map.groupBy(kb.symbolsIn(fileIds), (symbol) => symbol.fileId);
  const unshown = unshownSymbols(selection);
  const items = itemsOf({
    selection,
    sources,
    symbolsOf,
    docs: kb.docstringsIn(fileIds),
    comments: kb.rationalesIn(fileIds),
    countsAreStored: counter.name === STORED_COUNTS,
  });
  const languages = new Map(selection.files.map(({ file }) => [file.id, file.language]));
  const all = withEnclosing({ items, sources, symbolsOf, languages, unshown });
  return { items: kept === null ? all : markKept(all, kept), unmarked: all, sources, unshown };
}
