/**
 * The ids of a file's definitions, by their index in the facts of the file.
 *
 * A file is stored at once, so its definitions mostly have ids without a gap: then two numbers say them all, and no row is read for a
 * definition that nobody asks for.
 */

export type DefinitionIds = {
  /** The id of the definition with this index; undefined if the file has none. */
  at(ordinal: number): number | undefined;
  /** Visits those of the definitions whose ids are among these, which rise, with their index. */
  visitAmong(wanted: Float64Array, visit: (ordinal: number, id: number) => void): void;
  /** The same with each id times `factor` plus `rest`, as the ids of a union are. */
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

/** Ids in rising order. */
export const listedIds = (ids: readonly number[]): DefinitionIds => ({
  at: (ordinal) => ids[ordinal],
  visitAmong(wanted, visit) {
    for (const [ordinal, id] of ids.entries()) if (wanted[placeIn(wanted, id)] === id) visit(ordinal, id);
  },
  scaled: (factor, rest) => listedIds(ids.map((id) => id * factor + rest)),
});

/** The place of a number in a rising list, or where it would be. */
function placeIn(rising: Float64Array, value: number): number {
  let from = 0;
  let to = rising.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((rising[middle] ?? 0) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
