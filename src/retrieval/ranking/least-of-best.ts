/** Finds the least of the best values without sorting all of them. */
import { largest } from "../lexical/bm25.ts";

/** The last of the `count` largest values, none of them negative; 0 if there are fewer. */
export function leastOfBest(values: Float64Array, count: number): number {
  const best = largest(values);
  // Most are far below the best, and are dropped before sorting.
  const above = new Float64Array(values.length);
  for (let bound = best / 2; bound > best / 32; bound /= 2) {
    let found = 0;
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at] ?? 0;
      if (value >= bound) above[found++] = value;
    }
    if (found >= count) return above.subarray(0, found).sort()[found - count] ?? 0;
  }
  return values.toSorted()[values.length - count] ?? 0;
}
