/**
 * What is stored as one JSON object, and the text of an import: such an object, or JSON Lines.
 *
 * Pure. Invariant: what was listed is taken back to the same bytes, and of a text with anything wrong in it nothing is
 * taken. Not here: JSON Lines (`jsonl.ts`), files.
 */
import { z } from "zod";
import { type Entry, EntrySchema, problemWords } from "./entry.ts";
import { entriesInLines, lineProblemWords } from "./jsonl.ts";
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
  if (list !== null) return entriesIn(list, now);
  const read = entriesInLines(text, now);
  if (read.ok) return read;
  const isOne = read.line === 1 && text.trimStart().startsWith("{") && text.includes("\n");
  return {
    ok: false,
    why: `${lineProblemWords(read.line, read.problem)}${isOne ? ", nor is the text as a whole a list of cra" : ""}`,
  };
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

function entriesIn({ schema_version, entries }: z.output<typeof ListBefore>, now: string): ReadList {
  if (schema_version !== 1)
    return { ok: false, why: `the list is of version ${schema_version}, and this cra knows version 1` };
  const byId = new Map<string, { readonly entry: Entry; readonly at: number; readonly json: string }>();
  for (const [at, written] of entries.entries()) {
    const read = newEntry(written, now);
    if (!read.ok) return { ok: false, why: `entries[${at}]: ${problemWords(read.problem)}` };
    const json = JSON.stringify(read.value);
    const same = byId.get(read.value.id);
    if (same !== undefined && same.json !== json)
      return { ok: false, why: `entries[${at}]: its id is that of entries[${same.at}], which says something else` };
    if (same === undefined) byId.set(read.value.id, { entry: read.value, at, json });
  }
  return { ok: true, entries: [...byId.values()].map(({ entry }) => entry) };
}
