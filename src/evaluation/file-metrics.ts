/**
 * How well files were ranked, and how well a set of files was chosen.
 *
 * Definitions: with r(f) the rank of an expected file, from 1, without end for one that was not ranked,
 * `acc@k` is 1 when all r(f) ≤ k, else 0; `any@k` is 1 when some r(f) ≤ k; `mrr` is 1 ÷ the least r(f); `r@10` the share
 * with r(f) ≤ 10. A case without expected files has none of them.
 */
import type { FileRankName } from "./metric-names.ts";

/** A share of 0 to 1; null where there is nothing to measure. */
export type Share = number | null;

/** The rank of each expected file, from 1, in the order in which they are expected; null: not ranked. */
export function ranksOf(
  ranked: readonly { readonly path: string }[],
  expected: readonly string[],
): readonly (number | null)[] {
  const ranks = new Map<string, number>();
  for (const [at, { path }] of ranked.entries()) if (!ranks.has(path)) ranks.set(path, at + 1);
  return [...new Set(expected)].map((path) => ranks.get(path) ?? null);
}

/** The metrics of a ranking, of the ranks that expected files have in it. */
export function fileRankMetrics(ranks: readonly (number | null)[]): Readonly<Record<FileRankName, Share>> {
  const best = bestRank(ranks);
  return {
    "acc@1": allWithin(ranks, 1),
    "acc@3": allWithin(ranks, 3),
    "acc@5": allWithin(ranks, 5),
    "acc@10": allWithin(ranks, 10),
    "any@1": anyWithin(ranks, 1),
    "any@3": anyWithin(ranks, 3),
    "any@5": anyWithin(ranks, 5),
    "any@10": anyWithin(ranks, 10),
    mrr: ranks.length === 0 ? null : best === null ? 0 : 1 / best,
    "r@10": shareOf(ranks, (rank) => rank !== null && rank <= 10),
  };
}

/** The rank of the first that was found. */
export function bestRank(ranks: readonly (number | null)[]): number | null {
  const found = ranks.filter((rank) => rank !== null);
  return found.length === 0 ? null : Math.min(...found);
}

/** 1 when all are within the first `depth`, else 0. */
export const allWithin = (ranks: readonly (number | null)[], depth: number): Share =>
  ranks.length === 0 ? null : ranks.every((rank) => rank !== null && rank <= depth) ? 1 : 0;

/** 1 when one at least is within the first `depth`, else 0. */
export const anyWithin = (ranks: readonly (number | null)[], depth: number): Share =>
  ranks.length === 0 ? null : ranks.some((rank) => rank !== null && rank <= depth) ? 1 : 0;

/** Which share of the expected files was chosen. */
export function fileRecall(chosen: ReadonlySet<string>, expected: readonly string[]): Share {
  return shareOf([...new Set(expected)], (path) => chosen.has(path));
}

/** Which share of the chosen files is expected: 0 when none was chosen. A known answer is one of many: a lower bound. */
export function filePrecision(chosen: ReadonlySet<string>, expected: readonly string[]): Share {
  if (expected.length === 0) return null;
  const sought = new Set(expected);
  return shareOf([...chosen], (path) => sought.has(path)) ?? 0;
}

/** The share of items that pass; null when there are none. */
export function shareOf<Item>(items: readonly Item[], passes: (item: Item) => boolean): Share {
  return items.length === 0 ? null : items.filter(passes).length / items.length;
}
