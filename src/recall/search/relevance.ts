/**
 * How relevant a find is, 0 to 1, so that finds of several sources can be compared.
 *
 * By words: three quarters of how much of the query the text holds, and a quarter of how its rank compares to the best
 * rank of the same answer, as ranks mean nothing beyond it. By meaning: the cosine, with what is unrelated at 0 and what
 * is the same at 1. Fused: the better of both counts 0.6, the other 0.4. Pure.
 */

const COVERAGE_SHARE = 0.75;
const BETTER_SHARE = 0.6;

/** What fits the filter of a query and none of its words. */
export const FITTING_RELEVANCE = 0.25;

/** What is nearer than this by meaning is found without any word of the query. */
export const MEANING_MIN = 0.25;

/** No model says of unrelated texts that they are nearer than this, as a cosine. */
const UNRELATED_MAX = 0.6;

/** By words. `coverage` is of 0 to 1; `rank` and `bestRank` are not negative. */
export function relevanceByWords(coverage: number, rank: number, bestRank: number): number {
  const share = bestRank > 0 ? rank / bestRank : 0;
  return inBounds(COVERAGE_SHARE * coverage + (1 - COVERAGE_SHARE) * share);
}

/**
 * By meaning: what a cosine is worth where texts that have nothing to do with each other have one of `unrelated`, which
 * models differ in.
 */
export function relevanceByMeaning(cosine: number, unrelated: number): number {
  const least = Math.min(UNRELATED_MAX, Math.max(0, unrelated));
  return inBounds((cosine - least) / (1 - least));
}

/** Both together. */
export const fused = (words: number, meaning: number): number =>
  inBounds(BETTER_SHARE * Math.max(words, meaning) + (1 - BETTER_SHARE) * Math.min(words, meaning));

/** Rounded, as the last digits of a sum are nobody's, and ties shall be ties. */
const inBounds = (relevance: number): number => Math.round(Math.min(1, Math.max(0, relevance)) * 1e6) / 1e6;
