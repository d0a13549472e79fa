/**
 * Makes one list of what was found by words and what is near by meaning, the most relevant first.
 *
 * Ties end on the rank by words, then on the id, so the order is total. A vector of a text that has changed since
 * counts for nothing. Pure but for `byId`. Not here: the formulas (`relevance.ts`).
 */
import type { Ranked } from "../../db/memory/store.ts";
import { inOrder } from "../../text/order.ts";
import { textHash } from "./embed.ts";
import type { QueryWords } from "./query-words.ts";
import { FITTING_RELEVANCE, fused, MEANING_MIN, relevanceByWords } from "./relevance.ts";
import type { Found } from "./searcher.ts";
import type { Nearness } from "./vector-search.ts";

export type Fusing<T> = {
  readonly words: QueryWords;
  /** By words, the best first. */
  readonly hits: readonly Ranked<T>[];
  /** What fits the filter, found without words; it counts where it is not among the others. */
  readonly fitting: readonly Ranked<T>[];
  readonly nearness: Nearness | null;
  readonly textOf: (entry: T) => string;
  readonly byId: (ids: readonly string[]) => readonly T[];
  /** Whether an entry that is near fits the filter. */
  readonly fits: (entry: T) => boolean;
  readonly limit: number;
};

/** At most `limit` entries. */
export function fuse<T extends { readonly id: string }>(fusing: Fusing<T>): readonly Found<T>[] {
  const { words, hits, fitting, nearness, textOf, limit } = fusing;
  const bestRank = hits[0]?.rank ?? 0;
  const meaningOf = (entry: T): number => {
    const near = nearness?.get(entry.id);
    return near !== undefined && near.textHash === textHash(textOf(entry)) ? near.relevance : 0;
  };
  const scored = new Map<string, { readonly relevance: number; readonly rank: number; readonly found: T }>();
  const add = (found: T, byWords: number, rank: number): void => {
    if (scored.has(found.id)) return;
    scored.set(found.id, { found, rank, relevance: nearness === null ? byWords : fused(byWords, meaningOf(found)) });
  };
  for (const { entry, rank } of hits) add(entry, relevanceByWords(words.coverage(textOf(entry)), rank, bestRank), rank);
  for (const entry of nearOnes(fusing, new Set(scored.keys()))) if (meaningOf(entry) > 0) add(entry, 0, 0);
  const fill = fitting.filter(({ entry }) => !scored.has(entry.id)).slice(0, Math.max(0, limit - scored.size));
  for (const { entry } of fill) add(entry, FITTING_RELEVANCE, 0);
  return [...scored.values()]
    .sort((a, b) => b.relevance - a.relevance || b.rank - a.rank || inOrder(a.found.id, b.found.id))
    .slice(0, limit)
    .map(({ found, relevance }) => ({ found, relevance }));
}

/** The nearest that are not `known` and fit, as many as are wanted; read some at a time. */
function nearOnes<T extends { readonly id: string }>(
  { nearness, byId, fits, limit }: Fusing<T>,
  known: ReadonlySet<string>,
): readonly T[] {
  if (nearness === null) return [];
  const ids = [...nearness]
    .filter(([id, { relevance }]) => relevance >= MEANING_MIN && !known.has(id))
    .sort(([a, { relevance: x }], [b, { relevance: y }]) => y - x || inOrder(a, b))
    .map(([id]) => id);
  const found: T[] = [];
  for (let at = 0; at < ids.length && found.length < limit; at += AT_ONCE)
    found.push(...byId(ids.slice(at, at + AT_ONCE)).filter(fits));
  return found;
}

const AT_ONCE = 200;
