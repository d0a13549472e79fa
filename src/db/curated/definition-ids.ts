/**
 * The ids of a file's definitions, by their index in the facts of the file.
 *
 * A file is stored at once, so its definitions mostly have ids without a gap: then two numbers say them all, and no row is read for a
 * definition that nobody asks for.
 */

/** In the order of the facts: evenly spaced (the ids of a union are), or listed in rising order. */
export type DefinitionIds =
  | { readonly kind: "spaced"; readonly first: number; readonly step: number; readonly count: number }
  | { readonly kind: "listed"; readonly ids: readonly number[] };

/** The id of the definition with this index. */
export function idAt(definitions: DefinitionIds, ordinal: number): number | undefined {
  if (definitions.kind === "listed") return definitions.ids[ordinal];
  const { first, step, count } = definitions;
  return ordinal >= 0 && ordinal < count ? first + ordinal * step : undefined;
}

/** Visits those of the definitions whose ids are among these, which rise, with their index. */
export function visitAmong(
  definitions: DefinitionIds,
  wanted: Float64Array,
  visit: (ordinal: number, id: number) => void,
): void {
  if (definitions.kind === "listed") {
    definitions.ids.forEach((id, ordinal) => {
      if (wanted[placeIn(wanted, id)] === id) visit(ordinal, id);
    });
    return;
  }
  const { first, step, count } = definitions;
  const end = first + count * step;
  for (let at = placeIn(wanted, first); at < wanted.length; at += 1) {
    const id = wanted[at] ?? 0;
    if (id >= end) break;
    const ordinal = (id - first) / step;
    if (Number.isInteger(ordinal)) visit(ordinal, id);
  }
}

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
