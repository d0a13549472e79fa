/** The conflicts that a merge left in a text: their sides, so that the definitions around them are found, and the lines that mark them. */
import type { Span } from "../text/lines.ts";
import type { LineRange } from "../text/ranges.ts";
import { blanked } from "./conditional-code.ts";

/** The lines that git writes around ours, in some styles what both began with, and theirs. */
const MARKER = /^(?:=======|(?:<<<<<<<|\|\|\|\|\|\|\||>>>>>>>)(?: .*)?)\r?$/;
const MARKERS = new RegExp(MARKER, "gm");

/** A marker line, and where it is. */
type Marker<Place> = { readonly line: string; readonly at: Place };

/** Where the lines are that mark a conflict. `base`: null in the styles without one. */
type Conflict<Place> = {
  readonly begin: Place;
  readonly base: Place | null;
  readonly middle: Place;
  readonly end: Place;
};

/** The conflicts that marker lines make; those that make none are left out. */
function* conflictsOf<Place>(markers: Iterable<Marker<Place>>): Generator<Conflict<Place>> {
  let [begin, base, middle]: (Place | null)[] = [null, null, null];
  for (const { line, at } of markers) {
    if (line.startsWith("<")) [begin, base, middle] = [at, null, null];
    else if (line.startsWith("|")) base ??= at;
    else if (line.startsWith("=")) middle ??= at;
    else {
      if (begin != null && middle != null) yield { begin, base: base ?? null, middle, end: at };
      begin = null;
    }
  }
}

/** The text with both sides of each conflict, then with the first alone; empty without a conflict. Both keep the length of the text. */
export function conflictSides(text: string): readonly string[] {
  if (!text.includes("<<<<<<<") || !text.includes(">>>>>>>")) return [];
  const markers = text
    .matchAll(MARKERS)
    .map(({ 0: line, index: start }): Marker<Span> => ({ line, at: { start, end: start + line.length } }));
  const [marked, theirs]: [Span[], Span[]] = [[], []];
  for (const { begin, base, middle, end } of conflictsOf(markers)) {
    marked.push(begin, { start: (base ?? middle).start, end: middle.end }, end);
    theirs.push({ start: middle.end, end: end.start });
  }
  return marked.length === 0 ? [] : [blanked(text, marked), blanked(text, [...marked, ...theirs])];
}

/** Of each line in a conflict in a range of a text: the lines that mark the conflict. */
export function conflictMarkers(
  lines: readonly string[],
  { startLine, endLine }: LineRange,
): ReadonlyMap<number, readonly number[]> {
  const found: Marker<number>[] = [];
  for (let at = startLine; at <= endLine; at += 1) {
    const line = lines[at - 1] ?? "";
    if (MARKER.test(line)) found.push({ line, at });
  }
  const markersOf = new Map<number, readonly number[]>();
  for (const { begin, base, middle, end } of conflictsOf(found)) {
    const markers = [begin, ...(base === null ? [] : [base]), middle, end];
    for (let line = begin; line <= end; line += 1) markersOf.set(line, markers);
  }
  return markersOf;
}
