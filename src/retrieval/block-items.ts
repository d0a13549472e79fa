/**
 * Items for the lines of nameless blocks around what may be shown, one for each block.
 *
 * Not here: which lines those are (`enclosing-block.ts`), and showing them (`fit.ts`).
 */
import type { SymbolRow } from "../db/curated.ts";
import { enclosingBlock } from "./enclosing-block.ts";
import { costOf, type Item, type SourceText } from "./items.ts";
import { hiddenLines, withoutLines } from "./symbol-wishes.ts";

export type BlockInput = {
  readonly items: readonly Item[];
  readonly sources: ReadonlyMap<number, SourceText>;
  readonly symbolsOf: ReadonlyMap<number, readonly SymbolRow[]>;
  /** The language of each file. */
  readonly languages: ReadonlyMap<number, string | null>;
  /** Symbols of which no line is to be shown. */
  readonly unshown: readonly SymbolRow[];
};

/** The blocks around the definitions that may be shown whole as what the task is about, in the order of `items`. */
export function blockItems({ items, sources, symbolsOf, languages, unshown }: BlockInput): readonly Item[] {
  const blocks = new Map<string, { readonly item: Item; readonly around: number[] }>();
  for (const member of items) {
    const { symbol, fileId } = member;
    const source = sources.get(fileId);
    if (symbol === null || source === undefined || member.tier !== "primary" || member.ranges.length === 0) continue;
    const siblings = symbolsOf.get(fileId) ?? [];
    const own = enclosingBlock(languages.get(fileId) ?? null, symbol, siblings, source.lines);
    if (own === null) continue;
    const key = `${member.path}#block${own[0]?.startLine}`;
    const known = blocks.get(key);
    if (known !== undefined) {
      known.around.push(symbol.id);
      continue;
    }
    const hidden = unshown.filter((row) => row.fileId === fileId);
    const ranges = withoutLines(own, hiddenLines(hidden, null));
    if (ranges.length === 0) continue;
    blocks.set(key, { item: blockItem(member, key, ranges, source), around: [symbol.id] });
  }
  return [...blocks.values()].map(({ item, around }) => ({ ...item, around }));
}

const blockItem = (member: Item, key: string, ranges: Item["ranges"], source: SourceText): Item => ({
  fileId: member.fileId,
  path: member.path,
  rank: member.rank,
  tier: member.tier,
  floor: false,
  ahead: false,
  score: member.score,
  key,
  label: "lines",
  why: `the block around ${member.label}`,
  symbol: null,
  docstring: null,
  assertions: [],
  reason: null,
  ranges,
  bodyTokens: costOf(ranges, source),
  signatureTokens: null,
  needs: [],
});
