/** Finds lines that changed up to a commit at their places in the work tree, which may have changed since. */
import { diffLines, type LineDiff, type LineEdit, lineEdits, splitLines } from "../../text/diff/line-diff.ts";
import { mergeRanges } from "../../text/ranges.ts";

/** The changes from `before` to `then` that `now` still has, as lines of `now`. */
export function carriedLines(before: string, then: string, now: string): LineDiff {
  const changed = diffLines(before, then);
  if (then === now) return changed;
  const old = splitLines(then);
  const places = placesOf(lineEdits(old, splitLines(now)), old.length);
  const added = changed.added.flatMap(({ startLine, endLine }) =>
    places.slice(startLine - 1, endLine).flatMap((line) => (line === null ? [] : [{ startLine: line, endLine: line }])),
  );
  const goneAfter = changed.goneAfter.flatMap((line) => (line === 0 ? 0 : (places[line - 1] ?? [])));
  return { added: mergeRanges(added), goneAfter };
}

/** For each line of a text its number after the edits; null where it is gone. */
function placesOf(edits: readonly LineEdit[], length: number): readonly (number | null)[] {
  const places: (number | null)[] = [];
  const end: LineEdit = { oldAt: length, oldCount: 0, newAt: 0, newCount: 0 };
  let shift = 0;
  for (const { oldAt, oldCount, newAt, newCount } of [...edits, end]) {
    while (places.length < oldAt) places.push(places.length + 1 + shift);
    while (places.length < oldAt + oldCount) places.push(null);
    shift = newAt + newCount - oldAt - oldCount;
  }
  return places;
}
