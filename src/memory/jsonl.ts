/**
 * Entries as JSON Lines: one JSON object a line, in which a writer may leave out what cra can tell.
 *
 * Pure. Not here: reading files (the caller decodes them), what becomes of the entries (`entry-list.ts`).
 */
import type { Checked, Entry } from "./entry.ts";
import { newEntry } from "./new-entry.ts";

/** What each line says, with its place; blank ones say nothing. What a line leaves out is filled in, at the time `now`. */
export function* entriesInLines(
  text: string,
  now: string,
): Generator<{ readonly place: string; readonly read: Checked<Entry> }> {
  let line = 0;
  for (const written of linesOf(text)) {
    line += 1;
    if (written.trim() !== "") yield { place: `line ${line}`, read: entryIn(written, now) };
  }
}

function entryIn(line: string, now: string): Checked<Entry> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    // What is nested too deep is refused as well, since no entry is.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return { ok: false, problem: { field: "", why: "is not JSON" } };
  }
  return newEntry(value, now);
}

/** Lines end with a line feed alone, before which JSON takes a carriage return; a byte order mark says nothing. */
function* linesOf(text: string): Generator<string> {
  let start = text.startsWith("\uFEFF") ? 1 : 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    yield text.slice(start, end < 0 ? text.length : end);
    start = end < 0 ? text.length : end + 1;
  }
}
