/**
 * Goes through several iterables, one after another, and lets go of each at its end.
 *
 * A generator that does it keeps the last one in its frame, and with that all that its frame refers to: of files that are linked, the facts of
 * thousands.
 */
export function inTurn<Item>(parts: readonly (() => Iterable<Item>)[]): IterableIterator<Item> {
  const left = [...parts];
  let current: Iterator<Item> | null = null;
  const next = (): IteratorResult<Item> => {
    for (;;) {
      if (current === null) {
        const part = left.shift();
        if (part === undefined) return { done: true, value: undefined };
        current = part()[Symbol.iterator]();
      }
      const found = current.next();
      if (found.done !== true) return found;
      current = null;
    }
  };
  return {
    next,
    return(): IteratorResult<Item> {
      left.length = 0;
      current?.return?.();
      current = null;
      return { done: true, value: undefined };
    },
    [Symbol.iterator]() {
      return this;
    },
  };
}
