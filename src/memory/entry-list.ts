/**
 * What is stored as one JSON object, and the text of an import: such an object, or JSON Lines.
 *
 * Pure. Invariant: what was listed is taken back to the same bytes, and of a text with anything wrong in it nothing is
 * taken. Not here: JSON Lines (`jsonl.ts`), files.
 */
import { z } from "zod";
import { type Checked, type Entry, EntrySchema, problemWords } from "./entry.ts";
import { entriesInLines } from "./jsonl.ts";
import { newEntry } from "./new-entry.ts";

/** What `cra recall --list --json` prints. */
export const EntryList = z.strictObject({ schema_version: z.literal(1), entries: z.array(EntrySchema) });
export type EntryList = z.output<typeof EntryList>;

/** All entries of a text, or one line about the first thing that is wrong, without the name of the file. */
export type ReadList =
  | { readonly ok: true; readonly entries: readonly Entry[] }
  | { readonly ok: false; readonly why: string };

/** Reads an import. What an entry leaves out is filled in, at the time `now`. */
export function readEntries(text: string, now: string): ReadList {
  const list = listIn(text);
  if (list === null) {
    const read = distinct(entriesInLines(text, now));
    const isOne =
      !read.ok && read.why.startsWith("line 1: ") && text.trimStart().startsWith("{") && text.includes("\n");
    return isOne ? { ok: false, why: `${read.why}, nor is the text as a whole a list of cra` } : read;
  }
  const { schema_version, entries } = list;
  if (schema_version !== 1)
    return { ok: false, why: `the list is of version ${schema_version}, and this cra knows version 1` };
  return distinct(entries.map((written, at) => ({ place: `entries[${at}]`, read: newEntry(written, now) })));
}

/** Each entry once. Two that say different things under one id are refused, and so is the first that is wrong. */
function distinct(written: Iterable<{ readonly place: string; readonly read: Checked<Entry> }>): ReadList {
  const byId = new Map<string, { readonly entry: Entry; readonly place: string; readonly json: string }>();
  for (const { place, read } of written) {
    if (!read.ok) return { ok: false, why: `${place}: ${problemWords(read.problem)}` };
    const entry = read.value;
    const json = JSON.stringify(entry);
    const same = byId.get(entry.id);
    if (same === undefined) byId.set(entry.id, { entry, place, json });
    else if (same.json !== json)
      return { ok: false, why: `${place}: its id is that of ${same.place}, which says something else` };
  }
  return { ok: true, entries: [...byId.values()].map(({ entry }) => entry) };
}

const ListBefore = z.strictObject({ schema_version: z.int(), entries: z.array(z.unknown()) });

/** The list that the text as a whole is; null where it is none, and its lines have to be looked at. */
function listIn(text: string): z.output<typeof ListBefore> | null {
  try {
    return ListBefore.safeParse(JSON.parse(text.replace(/^\uFEFF/, ""))).data ?? null;
  } catch (error) {
    // Nested beyond all measure, JSON is refused with a RangeError.
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}
