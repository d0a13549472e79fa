/**
 * A queue of adjacent parts that can be merged, lowest rank first and leftmost first among equals: a binary heap of
 * numbers, each made of a rank and the position of the pair's first part. The caller skips pairs that no longer exist.
 */

type Pair = { readonly rank: number; readonly part: number };

type PairQueue = {
  /** `rank` is below 2^21 and `part` below 2^32, so that one number represents both exactly. */
  add(rank: number, part: number): void;
  /** Removes and returns the first pair. */
  next(): Pair | undefined;
};

const PARTS = 2 ** 32;
const FIRST_ROOM = 1024;

export function pairQueue(): PairQueue {
  // Plain numbers side by side: a long word has a million of them.
  let heap = new Float64Array(FIRST_ROOM);
  let size = 0;
  const keyAt = (at: number): number => (at < size ? (heap[at] ?? 0) : Number.POSITIVE_INFINITY);

  const sink = (key: number): void => {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const child = keyAt(left + 1) < keyAt(left) ? left + 1 : left;
      if (keyAt(child) >= key) break;
      heap[at] = keyAt(child);
      at = child;
    }
    heap[at] = key;
  };

  return {
    add(rank, part) {
      if (size === heap.length) {
        const full = heap;
        heap = new Float64Array(2 * size);
        heap.set(full);
      }
      const key = rank * PARTS + part;
      let at = size;
      size += 1;
      for (let parent = (at - 1) >> 1; at > 0 && keyAt(parent) > key; parent = (at - 1) >> 1) {
        heap[at] = keyAt(parent);
        at = parent;
      }
      heap[at] = key;
    },
    next() {
      if (size === 0) return undefined;
      const first = keyAt(0);
      size -= 1;
      if (size > 0) sink(heap[size] ?? 0);
      return { rank: Math.floor(first / PARTS), part: first % PARTS };
    },
  };
}
