/**
 * Goes through several iterables, one after another, and frees each at its end.
 *
 * It has to be one loop. The engine keeps alive what a `for` loop of a generator last iterated over until that loop iterates over
 * something else. With a loop for each iterable, the facts of thousands of linked files would stay in memory.
 */
export function* inTurn<Item>(parts: readonly (() => Iterable<Item>)[]): Generator<Item> {
  for (const part of parts) yield* part();
}
