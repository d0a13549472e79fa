/**
 * The ids of a file's definitions, by their index in the facts of the file.
 *
 * A file is stored at once, so the ids of its definitions mostly have no gaps. The first id and the count then give all of them, without
 * reading a row for each.
 */

export type DefinitionIds = {
  /** The id of the definition with this index; undefined if the file has none. */
  at(ordinal: number): number | undefined;
  /** Calls `visit` for each definition whose id is in `wanted`, which is in ascending order. */
  visitAmong(wanted: Float64Array, visit: (ordinal: number, id: number) => void): void;
  /** The ids as they are in a union of indexes: each times `factor`, plus `rest`. */
  scaled(factor: number, rest: number): DefinitionIds;
};

/** `count` ids from `first` on, `step` apart. */
export const spacedIds = (first: number, step: number, count: number): DefinitionIds => ({
  at: (ordinal) => (ordinal >= 0 && ordinal < count ? first + ordinal * step : undefined),
  visitAmong(wanted, visit) {
    const end = first + count * step;
    for (let at = placeIn(wanted, first); at < wanted.length; at += 1) {
      const id = wanted[at] ?? 0;
      if (id >= end) break;
      const ordinal = (id - first) / step;
      if (Number.isInteger(ordinal)) visit(ordinal, id);
    }
  },
  scaled: (factor, rest) => spacedIds(first * factor + rest, step * factor, count),
});

/** `ids` are in ascending order. */
export const listedIds = (ids: readonly number[]): DefinitionIds => ({
  at: (ordinal) => ids[ordinal],
  visitAmong(wanted, visit) {
    for (const [ordinal, id] of ids.entries()) if (wanted[placeIn(wanted, id)] === id) visit(ordinal, id);
  },
  scaled: (factor, rest) => listedIds(ids.map((id) => id * factor + rest)),
});

/** The index of a number in an ascending list, or the index at which it would be inserted. */
function placeIn(ascending: Float64Array, value: number): number {
  let from = 0;
  let to = ascending.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ascending[middle] ?? 0) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
