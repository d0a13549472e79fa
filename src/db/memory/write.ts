/**
 * Inserts, updates and removes memories and experiences, with their full-text rows and vectors.
 *
 * Full-text rows stay in step with the rows they index, and the vector of a changed text is deleted. Every function runs within a
 * transaction.
 */
import { checked, type Entry, EntrySchema, problemWords } from "../../memory/entry.ts";
import { axisText } from "../../memory/experience-text.ts";
import { AXES } from "../../memory/vocabulary.ts";
import type { Db } from "../sqlite/db.ts";
import { misuse } from "../sqlite/failures.ts";
import { indexedText, type TermCache, termCache } from "../sqlite/full-text.ts";
import {
  EXPERIENCE_COLUMNS,
  type ExperienceRow,
  experienceEntry,
  experienceParams,
  MEMORY_COLUMNS,
  type MemoryRow,
  memoryEntry,
  memoryParams,
} from "./rows.ts";
import { AXIS_SEARCH } from "./schema.ts";
import { forgetValuesOf } from "./values.ts";

type StoredEntry = { readonly number: number; readonly entry: Entry };

/** The entry with an id; null for none. */
export function findEntry(db: Db, id: string): StoredEntry | null {
  const memory = db.get<MemoryRow>("select * from memories where id = ?", id);
  if (memory) return { number: memory.number, entry: memoryEntry(db, memory) };
  const experience = db.get<ExperienceRow>("select * from experiences where id = ?", id);
  return experience && { number: experience.number, entry: experienceEntry(db, experience) };
}

/** Inserts an entry or replaces the one with its id. Throws for an invalid entry, a bug of the caller. */
export function putEntry(db: Db, given: Entry, known: TermCache = termCache()): "added" | "replaced" | "unchanged" {
  const result = checked(EntrySchema, given);
  if (!result.ok) throw misuse(`an entry cannot be stored: ${problemWords(result.problem)}`);
  const entry = result.value;
  const before = findEntry(db, entry.id);
  if (before !== null && JSON.stringify(before.entry) === JSON.stringify(entry)) return "unchanged";
  if (before !== null) clearSearch(db, before, entry);
  const number = putRow(db, entry, before?.number ?? null);
  for (const { table, text } of textsOf(entry))
    db.run(`insert into ${table}(rowid, text) values (?, ?)`, number, indexedText(text, known));
  return before === null ? "added" : "replaced";
}

/**
 * Removes entries with their vectors and the values derived from them. Returns the ids that existed. Full-text tables only
 * mark deleted rows, so they are optimized to erase the words from the file.
 */
export function removeEntries(db: Db, ids: readonly string[]): readonly string[] {
  const tables = new Set<string>();
  const removed = [...new Set(ids)].filter((id) => {
    const found = findEntry(db, id);
    if (found === null) return false;
    removeEntry(db, found);
    for (const table of SEARCHED[found.entry.type]) tables.add(table);
    return true;
  });
  for (const table of tables) db.run(`insert into ${table}(${table}) values ('optimize')`);
  return removed;
}

/** The full-text tables that may hold the words of an entry. */
const SEARCHED = {
  memory: ["memory_search"],
  experience: [...Object.values(AXIS_SEARCH), "value_search"],
} as const satisfies Record<Entry["type"], readonly string[]>;

function removeEntry(db: Db, { number, entry }: StoredEntry): void {
  clearSearch(db, { number, entry }, null);
  db.run(`delete from ${entry.type === "memory" ? "memories" : "experiences"} where number = ?`, number);
  db.run("delete from vectors where id = ?", entry.id);
  if (entry.type === "experience") forgetValuesOf(db, entry.id);
}

/** The full-text tables of an entry, with its text in each and the axis of its vector. */
function textsOf(entry: Entry): readonly { readonly table: string; readonly axis: string; readonly text: string }[] {
  if (entry.type === "memory") return [{ table: "memory_search", axis: "", text: entry.content }];
  return AXES.flatMap((axis) => {
    const text = axisText(entry, axis);
    return text === null ? [] : [{ table: AXIS_SEARCH[axis], axis, text }];
  });
}

/** Deletes an entry's full-text rows, and its vectors except those of texts that `next`, its replacement, repeats. */
function clearSearch(db: Db, { number, entry }: StoredEntry, next: Entry | null): void {
  const kept = new Set(next === null ? [] : textsOf(next).map(({ axis, text }) => `${axis}\n${text}`));
  for (const { table, axis, text } of textsOf(entry)) {
    db.run(`delete from ${table} where rowid = ?`, number);
    if (!kept.has(`${axis}\n${text}`)) db.run("delete from vectors where id = ? and axis = ?", entry.id, axis);
  }
}

/** Plain statements: `or replace` and `returning` would make FTS5 flush its whole buffer. */
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

/** Updates the row with this number, or inserts one; returns its number. */
function putRow(db: Db, entry: Entry, number: number | null): number {
  const bound = entry.type === "memory" ? memoryParams(entry) : experienceParams(entry);
  if (number === null) db.run(INSERT[entry.type], ...bound);
  else db.run(UPDATE[entry.type], ...bound, number);
  return number ?? db.get<{ number: number }>("select last_insert_rowid() as number")?.number ?? 0;
}
