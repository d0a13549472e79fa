/**
 * The JSON list of stored entries, and the parser of an import: such a list, or JSON Lines.
 *
 * An exported list imports to the same bytes. A text with any error in it imports nothing.
 */

import { z } from "zod";
import { parseJson } from "../text/parse-json.ts";
import { type Checked, type Entry, EntrySchema, problemWords } from "./entry.ts";
import { newEntry } from "./new-entry.ts";

/** The output of `cra recall --list --json`. */
export const EntryList = z.strictObject({ schema_version: z.literal(1), entries: z.array(EntrySchema) });
export type EntryList = z.output<typeof EntryList>;

/** All entries of a text, or one line about its first error, without the file name. */
export type ReadList =
  | { readonly ok: true; readonly entries: readonly Entry[] }
  | { readonly ok: false; readonly why: string };

/** Parses an import. Omitted fields of an entry are filled in, at the time `now`. */
export function readEntries(text: string, now: string): ReadList {
  const list = listIn(text);
  if (list === null) {
    const read = distinct(entriesInLines(text, now));
    const isOne =
      !read.ok && read.why.startsWith("line 1: ") && text.trimStart().startsWith("{") && text.includes("\n");
    return isOne ? { ok: false, why: `${read.why}, and the whole text is not a JSON list of entries` } : read;
  }
  const { schema_version, entries } = list;
  if (schema_version !== 1)
    return { ok: false, why: `the list has version ${schema_version}, but this cra reads version 1` };
  return distinct(entries.map((written, at) => ({ location: `entries[${at}]`, read: newEntry(written, now) })));
}

/** Distinct entries. Fails at the first invalid one and at two different entries with one id. */
function distinct(written: Iterable<{ readonly location: string; readonly read: Checked<Entry> }>): ReadList {
  const byId = new Map<string, { readonly entry: Entry; readonly location: string; readonly json: string }>();
  for (const { location, read } of written) {
    if (!read.ok) return { ok: false, why: `${location}: ${problemWords(read.problem)}` };
    const entry = read.value;
    const json = JSON.stringify(entry);
    const same = byId.get(entry.id);
    if (same === undefined) byId.set(entry.id, { entry, location, json });
    else if (same.json !== json)
      return { ok: false, why: `${location}: has the id of ${same.location}, but other content` };
  }
  return { ok: true, entries: [...byId.values()].map(({ entry }) => entry) };
}

const ListBefore = z.strictObject({ schema_version: z.int(), entries: z.array(z.unknown()) });

/** The text as one JSON list; null if it is not one and its lines have to be parsed. */
const listIn = (text: string): z.output<typeof ListBefore> | null =>
  ListBefore.safeParse(parseJson(text.replace(/^\uFEFF/, ""))).data ?? null;

/** Parses JSON Lines, skipping blank lines and a byte order mark. Splits at line feeds only: JSON.parse ignores a carriage return. */
function* entriesInLines(
  text: string,
  now: string,
): Generator<{ readonly location: string; readonly read: Checked<Entry> }> {
  for (const [at, line] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries())
    if (line.trim() !== "") yield { location: `line ${at + 1}`, read: entryIn(line, now) };
}

function entryIn(line: string, now: string): Checked<Entry> {
  const value = parseJson(line);
  return value === undefined ? { ok: false, problem: { field: "", why: "is not JSON" } } : newEntry(value, now);
}
