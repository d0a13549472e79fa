/**
 * Metrics of a ranking of files, and of a chosen set of files.
 *
 * Let r(f) be the rank of an expected file, from 1, infinite if it is not ranked: `acc@k` is 1 if all r(f) ≤ k, else 0;
 * `any@k` is 1 if some r(f) ≤ k; `mrr` is 1 ÷ the least r(f); `r@10` the share with r(f) ≤ 10. A case without expected
 * files has none of them.
 */
import type { FileRankName } from "./metric-names.ts";

/** From 0 to 1; null if there is nothing to measure. */
export type Share = number | null;

/** The rank of each expected file, from 1, in the order of `expected`; null: not ranked. */
export function ranksOf(
  ranked: readonly { readonly path: string }[],
  expected: readonly string[],
): readonly (number | null)[] {
  const ranks = new Map<string, number>();
  for (const [at, { path }] of ranked.entries()) if (!ranks.has(path)) ranks.set(path, at + 1);
  return [...new Set(expected)].map((path) => ranks.get(path) ?? null);
}

/** The metrics of a ranking, from the ranks of the expected files. */
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

/** The best rank; null if none is ranked. */
export function bestRank(ranks: readonly (number | null)[]): number | null {
  const found = ranks.filter((rank) => rank !== null);
  return found.length === 0 ? null : Math.min(...found);
}

/** 1 if all are within the first `depth`, else 0. */
export const allWithin = (ranks: readonly (number | null)[], depth: number): Share =>
  ranks.length === 0 ? null : ranks.every((rank) => rank !== null && rank <= depth) ? 1 : 0;

/** 1 if at least one is within the first `depth`, else 0. */
export const anyWithin = (ranks: readonly (number | null)[], depth: number): Share =>
  ranks.length === 0 ? null : ranks.some((rank) => rank !== null && rank <= depth) ? 1 : 0;

/** The share of expected files that was chosen. */
export function fileRecall(chosen: ReadonlySet<string>, expected: readonly string[]): Share {
  return shareOf([...new Set(expected)], (path) => chosen.has(path));
}

/** The share of chosen files that is expected, 0 if none was chosen. A lower bound: the known answer is one of many. */
export function filePrecision(chosen: ReadonlySet<string>, expected: readonly string[]): Share {
  if (expected.length === 0) return null;
  const sought = new Set(expected);
  return shareOf([...chosen], (path) => sought.has(path)) ?? 0;
}

/** The share of items that pass; null for no items. */
export function shareOf<Item>(items: readonly Item[], passes: (item: Item) => boolean): Share {
  return items.length === 0 ? null : items.filter(passes).length / items.length;
}
