/** The formulas of BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009). */

/** The rarity of a term that `holding` of `documents` contain; never negative. */
export const idf = (documents: number, holding: number): number =>
  Math.log(1 + (documents - holding + 0.5) / (holding + 0.5));

/** Each repeat counts less than the one before: 0 at 0, 1 at 1, towards k1 + 1. */
export const saturate = (count: number, k1: number): number => (count * (k1 + 1)) / (count + k1);

/** The divisor of counts in a document of this length; 1 at the average. `b` in 0..1 is the influence of length. */
export const lengthNorm = (length: number, average: number, b: number): number => 1 - b + (b * length) / average;

/** Σ values[i] · share^i of the first `count` values, the largest first. These are sorted in place. */
export function geometricSum(values: Float64Array, count: number, share: number): number {
  if (count > FEW) values.subarray(0, count).sort();
  else sortFew(values, count);
  let sum = 0;
  let factor = 1;
  for (let at = count - 1; at >= 0; at -= 1) {
    sum += (values[at] ?? 0) * factor;
    factor *= share;
  }
  return sum;
}

/** A view of so few values takes longer than sorting them. */
const FEW = 24;

function sortFew(values: Float64Array, count: number): void {
  for (let next = 1; next < count; next += 1) {
    const value = values[next] ?? 0;
    let at = next;
    for (; at > 0 && (values[at - 1] ?? 0) > value; at -= 1) values[at] = values[at - 1] ?? 0;
    values[at] = value;
  }
}

/** The largest value × its factor (1 without factors), at least 0. By index, because iterators are slow in cold code. */
export function largest(values: Float64Array, factors?: Float64Array): number {
  let max = 0;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    // Most are 0.
    if (value <= 0) continue;
    const scaled = value * (factors?.[at] ?? 1);
    if (scaled > max) max = scaled;
  }
  return max;
}

/** Divides by the largest value × its factor, in place. All zeros stay zeros. */
export function divideByBest(values: Float64Array, factors: Float64Array): Float64Array {
  const best = largest(values, factors);
  if (best <= 0) return values;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    // Most are 0.
    if (value !== 0) values[at] = value / best;
  }
  return values;
}
