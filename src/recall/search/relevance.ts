/**
 * The relevance of a result, 0 to 1, comparable between sources.
 *
 * By words: 3/4 the share of the query that the text contains, 1/4 its rank relative to the best rank of the same answer. By
 * meaning: the cosine, scaled so that unrelated texts get 0. Combined: 0.6 of the better and 0.4 of the other.
 */
const COVERAGE_SHARE = 0.75;
const BETTER_SHARE = 0.6;

/** The relevance of an entry that passes the filter without containing any of the words. */
export const FILTER_RELEVANCE = 0.25;

/** From this relevance on, an entry of few is found by meaning alone. */
export const MEANING_MIN = 0.25;

/** With at least this many entries, one stands out by how many standard deviations it is above the mean. */
const COMPARED_MIN = 12;
const STANDING_OUT = 2.5;
const STANDING_OUT_MIN = 0.1;

/**
 * Tells whether an entry is found by meaning alone: if it is near, or stands out from the rest, since models differ in how far
 * apart they put texts. `relevances` are those of all entries by meaning.
 */
export function standsOut(relevances: readonly number[]): (relevance: number) => boolean {
  if (relevances.length < COMPARED_MIN) return (relevance) => relevance >= MEANING_MIN;
  const mean = relevances.reduce((sum, one) => sum + one, 0) / relevances.length;
  const variance = relevances.reduce((sum, one) => sum + (one - mean) ** 2, 0) / relevances.length;
  const least = Math.max(STANDING_OUT_MIN, mean + STANDING_OUT * Math.sqrt(variance));
  return (relevance) => relevance >= MEANING_MIN || relevance > least;
}

/** The cosine of unrelated texts is below this for every model. */
const UNRELATED_MAX = 0.6;

/** `coverage` is 0 to 1; `rank` and `bestRank` are not negative. */
export function relevanceByWords(coverage: number, rank: number, bestRank: number): number {
  const share = bestRank > 0 ? rank / bestRank : 0;
  return inBounds(COVERAGE_SHARE * coverage + (1 - COVERAGE_SHARE) * share);
}

/** `unrelated` is the model's mean cosine of unrelated texts. */
export function relevanceByMeaning(cosine: number, unrelated: number): number {
  const least = Math.min(UNRELATED_MAX, Math.max(0, unrelated));
  return inBounds((cosine - least) / (1 - least));
}

export const combinedRelevance = (words: number, meaning: number): number =>
  inBounds(BETTER_SHARE * Math.max(words, meaning) + (1 - BETTER_SHARE) * Math.min(words, meaning));

/** Rounded so that floating-point noise does not break ties. */
const inBounds = (relevance: number): number => Math.round(Math.min(1, Math.max(0, relevance)) * 1e6) / 1e6;
