/** The formulas of BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009). */
/** The rarity of a term that `holding` of `documents` contain; never negative. */
export const idf = (documents: number, holding: number): number =>
  Math.log(1 + (documents - holding + 0.5) / (holding + 0.5));

/** Each repeat counts less than the one before: 0 at 0, 1 at 1, towards k1 + 1. */
export const saturate = (count: number, k1: number): number => (count * (k1 + 1)) / (count + k1);

/** The divisor of counts in a document of this length; 1 at the average. `b` in 0..1 is the influence of length. */
export const lengthNorm = (length: number, average: number, b: number): number => 1 - b + (b * length) / average;

/** Σ values[i] · share^i, the largest value first. `values` is sorted in place. */
export function geometricSum(values: Float64Array, share: number): number {
  values.sort();
  let sum = 0;
  let factor = 1;
  for (let at = values.length - 1; at >= 0; at -= 1) {
    sum += (values[at] ?? 0) * factor;
    factor *= share;
  }
  return sum;
}

/** The largest value × its factor (1 without factors), at least 0. By index, because iterators are slow in cold code. */
export function largest(values: Float64Array, factors?: Float64Array): number {
  let max = 0;
  for (let at = 0; at < values.length; at += 1) {
    const value = (values[at] ?? 0) * (factors?.[at] ?? 1);
    if (value > max) max = value;
  }
  return max;
}

/** Divides by the largest value × its factor, in place. All zeros stay zeros. */
export function divideByBest(values: Float64Array, factors: Float64Array): Float64Array {
  const best = largest(values, factors);
  if (best > 0) for (let at = 0; at < values.length; at += 1) values[at] = (values[at] ?? 0) / best;
  return values;
}
