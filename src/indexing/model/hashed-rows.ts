/** Lists positions of files under hashes of names, in one sorted list of numbers: a map of lists takes ten times the room. */

/** More than a repository has. With a hash of 32 bits before it, a position is a safe integer. */
const FILES_MAX = 2 ** 20;

/** A file under a hash. */
export const hashedRow = (hash: number, position: number): number => hash * FILES_MAX + position;

/** The positions under a hash, in order and without repeats. */
export function positionsUnder(rows: Iterable<number>): (hash: number) => Generator<number> {
  const sorted = withoutRepeats(Float64Array.from(rows).sort());
  return function* (hash) {
    const first = hashedRow(hash, 0);
    for (let at = lowerBound(sorted, first); (sorted[at] ?? Number.POSITIVE_INFINITY) < first + FILES_MAX; at += 1)
      yield (sorted[at] ?? 0) - first;
  };
}

/** Removes repeated rows from a sorted list, in place. */
function withoutRepeats(sorted: Float64Array): Float64Array {
  let count = 0;
  for (const row of sorted) {
    if (count > 0 && sorted[count - 1] === row) continue;
    sorted[count] = row;
    count += 1;
  }
  return sorted.slice(0, count);
}

/** The first row that is not below another. */
function lowerBound(sorted: Float64Array, row: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
