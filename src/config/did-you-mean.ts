/** "Did you mean": the known name nearest to a mistyped one. */

/** Longer names are not compared: the distance is quadratic, and no known name is nearly as long. */
const LENGTH_MAX = 64;
/** A shorter prefix says nothing. */
const PREFIX_MIN = 3;

/**
 * The nearest of `known`: within three edits and a third of the longer name, or one that starts like this. Of equally near
 * names the first one.
 */
export function nearestName(typed: string, known: readonly string[]): string | null {
  if (typed.length > LENGTH_MAX) return null;
  const edits = (name: string) => editDistance(typed.toLowerCase(), name.toLowerCase());
  let best: { name: string; distance: number } | null = null;
  for (const name of known) {
    const distance = edits(name);
    const allowed = Math.min(3, Math.max(1, Math.floor(Math.max(typed.length, name.length) / 3)));
    if (distance <= allowed && (best === null || distance < best.distance)) best = { name, distance };
  }
  return best?.name ?? known.find((name) => typed.length >= PREFIX_MIN && name.startsWith(typed.toLowerCase())) ?? null;
}

/** Advice after an error: `did you mean "budget"?`, else the known names unless they are many. */
export function suggestion(typed: string, known: readonly string[]): string | undefined {
  const near = nearestName(typed, known);
  if (near !== null) return `did you mean "${near}"?`;
  return known.length > 0 && known.length <= 24 ? `known: ${known.join(", ")}` : undefined;
}

/**
 * Damerau-Levenshtein distance in its restricted form (optimal string alignment): insert, delete, replace and swap of two
 * neighbours cost one each.
 */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + cost,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, (before[column - 2] ?? 0) + 1);
      }
      current.push(least);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
