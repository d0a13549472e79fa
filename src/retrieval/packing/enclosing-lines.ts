/**
 * What stands around what may be shown: of a method the few lines that are its class's own, or its `impl`.
 *
 * A method without them does not say of what it is, and a change to one is often a change to the other. In the two halves
 * of the development cases they gain .6 and .5, .8 and 1.2, .9 and 1.2 points of gold symbols at 4,000, 8,000 and 16,000
 * tokens; of 554 tasks out of the repositories' histories -.2, -.2 and 0, which is noise there.
 * Not here: which lines an `impl` has of its own (`enclosing-block.ts`), showing them (`packer.ts`).
 */

import type { SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { PricedText } from "../lexical/snippets.ts";
import { linesFor, withoutHidden } from "../precision/symbol-lines.ts";
import { hiddenLines } from "../precision/symbol-requests.ts";
import { enclosingBlock, ownLines } from "./enclosing-block.ts";
import { costOf, type Item } from "./items.ts";

/** A class whose own lines take more tokens than these is shown for its own sake alone. */
const OWN_TOKENS_MAX = 120;
/** Of an `impl` with more of them the header is shown: it is shown for no other sake. */
const IMPL_TOKENS_MAX = 500;
const CLASS_KINDS: ReadonlySet<string> = new Set(["class", "interface", "enum"]);

export type BlockInput = {
  readonly items: readonly Item[];
  readonly sources: ReadonlyMap<number, PricedText>;
  readonly symbolsOf: ReadonlyMap<number, readonly SymbolRow[]>;
  /** The language of each file. */
  readonly languages: ReadonlyMap<number, string | null>;
  /** Symbols of which no line is to be shown. */
  readonly unshown: readonly SymbolRow[];
};

/** Something that is shown whole, if it is: its lines may stand in a block. */
type Member = { readonly item: Item; readonly symbol: SymbolRow; readonly source: PricedText };

/** The items, each with what stands around it, and behind them what of that was not among them. */
export function withBlocks(input: BlockInput): readonly Item[] {
  const { items, sources, symbolsOf, languages } = input;
  const hiddenOf = Map.groupBy(input.unshown, ({ fileId }) => fileId);
  const byId = new Map([...symbolsOf.values()].flat().map((symbol) => [symbol.id, symbol]));
  const own = new Map(items.flatMap((item) => (isBody(item) && item.symbol ? [[item.symbol.id, item] as const] : [])));
  const added = new Map<string, Item | null>();
  /** The item of these lines, made the first time they are asked for; null when they are not worth it. */
  const around = (member: Member, key: string, tokensMax: number, lines: () => Item["ranges"]): string | undefined => {
    let known = added.get(key);
    if (known === undefined) {
      const hidden = hiddenLines(hiddenOf.get(member.item.fileId) ?? [], null);
      known = blockItem(member, key, tokensMax, withoutHidden(lines(), hidden, member.source.lines));
      added.set(key, known);
    }
    return known?.key;
  };
  const within = (member: Member): string | undefined => {
    const { item, symbol, source } = member;
    const siblings = symbolsOf.get(item.fileId) ?? [];
    const block = enclosingBlock(languages.get(item.fileId) ?? null, symbol, source.lines);
    if (block !== null)
      return around(member, `${item.path}#block${block.header.startLine}`, IMPL_TOKENS_MAX, () => {
        const lines = ownLines(block, siblings, source.lines);
        return costOf(lines, source) <= IMPL_TOKENS_MAX ? lines : [block.header];
      });
    const parent = symbol.parentId === null ? undefined : byId.get(symbol.parentId);
    if (parent === undefined || !CLASS_KINDS.has(parent.kind)) return undefined;
    const placed = own.get(parent.id);
    if (placed !== undefined) return placed.bodyTokens <= OWN_TOKENS_MAX ? placed.key : undefined;
    const lines = () => linesFor(parent, "primary", source.lines, siblings);
    return around(member, `${item.path}#own${parent.startLine}`, OWN_TOKENS_MAX, lines);
  };
  const members = items.map((item) => {
    const source = sources.get(item.fileId);
    const key = isBody(item) && item.symbol && source ? within({ item, symbol: item.symbol, source }) : undefined;
    return key === undefined ? item : { ...item, enclosedBy: key };
  });
  return [...members, ...[...added.values()].filter((item) => item !== null)];
}

const isBody = ({ tier, ranges }: Item): boolean => tier === "primary" && ranges.length > 0;

function blockItem({ item, source }: Member, key: string, tokensMax: number, ranges: Item["ranges"]): Item | null {
  const bodyTokens = costOf(ranges, source);
  if (ranges.length === 0 || bodyTokens > tokensMax) return null;
  return {
    key,
    fileId: item.fileId,
    path: item.path,
    rank: item.rank,
    tier: item.tier,
    floor: false,
    ahead: false,
    score: item.score,
    label: "lines",
    why: `what stands around ${item.label}`,
    symbol: null,
    docstring: null,
    assertions: [],
    reason: null,
    ranges,
    bodyTokens,
    signatureTokens: null,
    needs: [],
    isEnclosing: true,
  };
}
