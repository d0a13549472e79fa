/**
 * Entries as JSON Lines: one JSON object a line, as they are exported and imported.
 *
 * Invariants: what `entriesAsLines` gives, `entriesInLines` takes back to the same entries, byte for byte; of a text with
 * anything wrong in it nothing is taken, and the first line that is wrong is named, with its field. Pure.
 * Not here: reading files (the caller decodes them), storing.
 */
import { type Checked, type Entry, type EntryProblem, problemWords } from "./entry.ts";
import { newEntry } from "./new-entry.ts";

/** All entries of a text, or what is wrong; lines count from 1. */
export type ReadLines =
  | { readonly ok: true; readonly entries: readonly Entry[] }
  | { readonly ok: false; readonly line: number; readonly problem: EntryProblem };

/** Reads every line; blank ones say nothing. What a line leaves out is filled in, at the time `now`. */
export function entriesInLines(text: string, now: string): ReadLines {
  const entries = new Map<string, { readonly entry: Entry; readonly line: number; readonly json: string }>();
  let line = 0;
  for (const written of linesOf(text)) {
    line += 1;
    if (written.trim() === "") continue;
    const read = entryIn(written, now);
    if (!read.ok) return { ok: false, line, problem: read.problem };
    const json = entryAsLine(read.value);
    const same = entries.get(read.value.id);
    if (same !== undefined && same.json !== json) {
      const why = `is that of line ${same.line}, which says something else`;
      return { ok: false, line, problem: { field: "id", why } };
    }
    if (same === undefined) entries.set(read.value.id, { entry: read.value, line, json });
  }
  return { ok: true, entries: [...entries.values()].map(({ entry }) => entry) };
}

/** One line about what is wrong, such as "line 3: goal is missing". */
export const lineProblemWords = (line: number, problem: EntryProblem): string =>
  `line ${line}: ${problemWords(problem)}`;

/** A line for each entry, with its end. */
export const entriesAsLines = (entries: readonly Entry[]): string =>
  entries.map((entry) => `${entryAsLine(entry)}\n`).join("");

const entryAsLine = (entry: Entry): string => JSON.stringify(entry);

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
