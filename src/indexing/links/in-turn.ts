/**
 * Goes through several iterables, one after another, and lets go of each at its end.
 *
 * One loop must do it. The engine keeps what a generator was iterating over until the same place in its code iterates over something else: of
 * files that are linked, that would be the facts of thousands.
 */
export function* inTurn<Item>(parts: readonly (() => Iterable<Item>)[]): Generator<Item> {
  for (const part of parts) yield* part();
}
