/** A binary heap of commits that returns the newest first, in the order of `newestFirst`. */
import { newestFirst } from "./history.ts";

type Dated = { readonly hash: string; readonly timestamp: number };

type CommitHeap<T extends Dated> = {
  push(commit: T): void;
  /** Removes and returns the newest commit; undefined when the heap is empty. */
  pop(): T | undefined;
};

export function commitHeap<T extends Dated>(): CommitHeap<T> {
  const heap: T[] = [];
  const before = (a: number, b: number): boolean => {
    const [first, second] = [heap[a], heap[b]];
    return first !== undefined && (second === undefined || newestFirst(first, second) < 0);
  };
  const swap = (a: number, b: number): void => {
    const [first, second] = [heap[a], heap[b]];
    if (first === undefined || second === undefined) return;
    heap[a] = second;
    heap[b] = first;
  };
  return {
    push(commit) {
      heap.push(commit);
      for (let at = heap.length - 1; at > 0; ) {
        const above = (at - 1) >>> 1;
        if (!before(at, above)) return;
        swap(at, above);
        at = above;
      }
    },
    pop() {
      swap(0, heap.length - 1);
      const newest = heap.pop();
      for (let at = 0; ; ) {
        let below = 2 * at + 1;
        if (below >= heap.length) return newest;
        if (before(below + 1, below)) below++;
        if (!before(below, at)) return newest;
        swap(at, below);
        at = below;
      }
    },
  };
}
