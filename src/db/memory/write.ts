/**
 * Puts memories and experiences into their tables, with what is searched of them, and takes them out.
 *
 * Invariants: full-text rows are in step with the rows they describe; a vector of a text that changed is gone. Every
 * function is called within a transaction. Not here: reading (`read.ts`), values (`values.ts`).
 */

import { checked, type Entry, EntrySchema, problemWords } from "../../memory/entry.ts";
import { axisText } from "../../memory/experience-text.ts";
import { AXES } from "../../memory/vocabulary.ts";
import type { Db } from "../sqlite/db.ts";
import { misuse } from "../sqlite/failures.ts";
import { indexedText, type KnownWords } from "../sqlite/full-text.ts";
import {
  boundExperience,
  boundMemory,
  EXPERIENCE_COLUMNS,
  type ExperienceRow,
  experienceEntry,
  MEMORY_COLUMNS,
  type MemoryRow,
  memoryEntry,
} from "./rows.ts";
import { AXIS_SEARCH } from "./schema.ts";
import { forgetValuesOf } from "./values.ts";

/** A stored entry and the number of its row. */
export type Stored = { readonly number: number; readonly entry: Entry };

/** What is stored under an id; null for nothing. */
export function stored(db: Db, id: string): Stored | null {
  const memory = db.get<MemoryRow>("select * from memories where id = ?", id);
  if (memory) return { number: memory.number, entry: memoryEntry(db, memory) };
  const experience = db.get<ExperienceRow>("select * from experiences where id = ?", id);
  return experience && { number: experience.number, entry: experienceEntry(db, experience) };
}

/** Stores an entry in place of the one with its id. Refuses what its schema does: a caller's mistake. Many share `known`. */
export function putEntry(db: Db, given: Entry, known: KnownWords = new Map()): "added" | "replaced" | "unchanged" {
  const result = checked(EntrySchema, given);
  if (!result.ok) throw misuse(`an entry cannot be stored: ${problemWords(result.problem)}`);
  const entry = result.value;
  const before = stored(db, entry.id);
  if (before !== null && JSON.stringify(before.entry) === JSON.stringify(entry)) return "unchanged";
  if (before !== null) clearSearch(db, before, entry);
  const number = putRow(db, entry, before?.number ?? null);
  for (const { table, text } of textsOf(entry))
    db.run(`insert into ${table}(rowid, text) values (?, ?)`, number, indexedText(text, known));
  return before === null ? "added" : "replaced";
}

/**
 * Takes entries out, with their vectors and the values that were made of them, and gives the ids that were there. Full-text
 * tables only mark what is gone, so they are written anew: a word that was forgotten is in the file no more.
 */
export function removeEntries(db: Db, ids: readonly string[]): readonly string[] {
  const tables = new Set<string>();
  const removed = [...new Set(ids)].filter((id) => {
    const found = stored(db, id);
    if (found === null) return false;
    removeEntry(db, found);
    for (const table of SEARCHED[found.entry.type]) tables.add(table);
    return true;
  });
  for (const table of tables) db.run(`insert into ${table}(${table}) values ('optimize')`);
  return removed;
}

/** The full-text tables that may ever have held what an entry said. */
const SEARCHED = {
  memory: ["memory_search"],
  experience: [...Object.values(AXIS_SEARCH), "value_search"],
} as const satisfies Record<Entry["type"], readonly string[]>;

function removeEntry(db: Db, { number, entry }: Stored): void {
  clearSearch(db, { number, entry }, null);
  db.run(`delete from ${entry.type === "memory" ? "memories" : "experiences"} where number = ?`, number);
  db.run("delete from vectors where id = ?", entry.id);
  if (entry.type === "experience") forgetValuesOf(db, entry.id);
}

/** Each full-text table that an entry is in, with its text there and the axis of its vectors. */
function textsOf(entry: Entry): readonly { readonly table: string; readonly axis: string; readonly text: string }[] {
  if (entry.type === "memory") return [{ table: "memory_search", axis: "", text: entry.content }];
  return AXES.flatMap((axis) => {
    const text = axisText(entry, axis);
    return text === null ? [] : [{ table: AXIS_SEARCH[axis], axis, text }];
  });
}

/** Takes an entry out of the full-text tables. `next` takes its place: vectors of what it says as well stay. */
function clearSearch(db: Db, { number, entry }: Stored, next: Entry | null): void {
  const kept = new Set(next === null ? [] : textsOf(next).map(({ axis, text }) => `${axis}\n${text}`));
  for (const { table, axis, text } of textsOf(entry)) {
    db.run(`delete from ${table} where rowid = ?`, number);
    if (!kept.has(`${axis}\n${text}`)) db.run("delete from vectors where id = ? and axis = ?", entry.id, axis);
  }
}

/** Plain ones: whatever may have to undo itself (`or replace`, `returning`) makes full-text tables write all they hold. */
const inserted = (table: string, columns: readonly string[]): string =>
  `insert into ${table}(${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`;
const updated = (table: string, columns: readonly string[]): string =>
  `update ${table} set ${columns.map((column) => `${column} = ?`).join(", ")} where number = ?`;
const INSERT = {
  memory: inserted("memories", MEMORY_COLUMNS),
  experience: inserted("experiences", EXPERIENCE_COLUMNS),
} as const;
const UPDATE = {
  memory: updated("memories", MEMORY_COLUMNS),
  experience: updated("experiences", EXPERIENCE_COLUMNS),
} as const;

/** Writes the row with this number, or a new one; gives its number. */
function putRow(db: Db, entry: Entry, number: number | null): number {
  const bound = entry.type === "memory" ? boundMemory(entry) : boundExperience(entry);
  if (number === null) db.run(INSERT[entry.type], ...bound);
  else db.run(UPDATE[entry.type], ...bound, number);
  return number ?? db.get<{ number: number }>("select last_insert_rowid() as number")?.number ?? 0;
}
