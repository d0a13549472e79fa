/**
 * Opens the memory store, `memory.sqlite`: the one file of cra that nothing can rebuild.
 *
 * Every write is one immediate transaction. Reading never opens the file for writing, except to roll back a killed writer. A
 * missing file reads as empty and is not created. A damaged file is reported, never moved or deleted.
 */
import { lstatSync } from "node:fs";
import { Failed } from "../../failure.ts";
import type { Db } from "../sqlite/db.ts";
import { misuse } from "../sqlite/failures.ts";
import { termCache } from "../sqlite/full-text.ts";
import { NOTHING_WRITTEN, openDatabase } from "../sqlite/open.ts";
import { dropOtherModels } from "../vectors/drop-other-models.ts";
import { entryByPrefix, experiencesById, listEntries, memoriesById, valuesById } from "./read.ts";
import { type ExperienceRow, toExperience } from "./rows.ts";
import { MEMORY_SCHEMA } from "./schema.ts";
import { searchExperiences, searchMemories, searchValues } from "./search.ts";
import type { EntryStore, MemoryStore } from "./store.ts";
import { allValues, replaceValues } from "./values.ts";
import { dimensionsOf, eachVector, putVectors, unembedded } from "./vectors.ts";
import { findEntry, putEntry, removeEntries } from "./write.ts";

/** The largest import takes this long at most, and other writers wait for it. */
const BUSY_TIMEOUT_MS = 15_000;

const CACHE_KIB = 16 * 1024;

/** Opens the store at `path`. "write" creates the file if needed; its folder must exist. */
export const openMemory = (path: string, access: "read" | "write"): MemoryStore =>
  memoryStore(access === "write" ? writable(path) : readable(path));

/** An empty store, for callers that continue without the file. */
export const noMemory = (): MemoryStore => memoryStore(nothing());

function writable(path: string): Db {
  const db = openDatabase(path, "write", MEMORY_SCHEMA, BUSY_TIMEOUT_MS);
  // Pages beyond the cache are written early, each with a wait for the disk. `secure_delete` overwrites removed entries.
  db.script(`pragma cache_size = -${CACHE_KIB}; pragma secure_delete = on`);
  // Writing to a damaged file could destroy more of it.
  const found = db.get<{ quick_check: string }>("pragma quick_check(1)")?.quick_check;
  if (found !== "ok") {
    db.close();
    throw new Failed(MEMORY_SCHEMA.damaged(path, found?.split("\n").at(-1) ?? "it cannot be checked"));
  }
  return db;
}

/** An empty file reads like a missing one: it is being created, or its creator was killed. */
function readable(path: string): Db {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return nothing();
  try {
    return openDatabase(path, "read", MEMORY_SCHEMA, BUSY_TIMEOUT_MS);
  } catch (error) {
    const isNew =
      error instanceof Failed && error.failure.code === "memory-damaged" && error.failure.why === NOTHING_WRITTEN;
    if (isNew) return nothing();
    throw error;
  }
}

/** An empty, read-only store without a file. */
function nothing(): Db {
  const db = openDatabase(":memory:", "write", MEMORY_SCHEMA);
  db.script("pragma query_only = on");
  return db;
}

const memoryStore = (db: Db): MemoryStore => ({
  put: (entries) =>
    db.transaction(() => {
      const counts = { added: 0, replaced: 0, unchanged: 0 };
      const known = termCache();
      for (const entry of entries) counts[putEntry(db, entry, known)] += 1;
      return counts;
    }),
  get: (idOrPrefix) => entryByPrefix(db, idOrPrefix),
  list: (filter, onDamaged) => atOnce(db, () => listEntries(db, filter, onDamaged)),
  change: (id, made) =>
    db.transaction(() => {
      const entry = made(findEntry(db, id)?.entry ?? null);
      if (entry.id !== id) throw misuse(`the id ${id} changed to ${entry.id}`);
      putEntry(db, entry);
      return entry;
    }),
  removeAll: (ids) => db.transaction(() => removeEntries(db, ids)),
  counts: () => db.get<ReturnType<EntryStore["counts"]>>(COUNTS) ?? { memories: 0, experiences: 0, values: 0 },
  searchMemories: (words, limit) => searchMemories(db, words, limit),
  searchExperiences: (words, where, limit) => searchExperiences(db, words, where, limit),
  searchValues: (words, where, limit) => searchValues(db, words, where, limit),
  experiences: () => db.all<ExperienceRow>("select * from experiences order by id").map((row) => toExperience(db, row)),
  values: () => allValues(db),
  replaceValues: (values) => db.transaction(() => replaceValues(db, values)),
  putVectors: (model, rows) => db.transaction(() => putVectors(db, model, rows)),
  dropVectors: (model) => void db.run("delete from vectors where model = ?", model),
  dropOtherVectors: (name, storedAs) => dropOtherModels(db, "vectors", name, storedAs),
  memoriesById: (ids) => memoriesById(db, ids),
  experiencesById: (ids) => experiencesById(db, ids),
  valuesById: (ids) => valuesById(db, ids),
  eachVector: (model, of) => eachVector(db, model, of),
  dimensions: (model) => dimensionsOf(db, model),
  unembedded: (model, limit) => unembedded(db, model, limit),
  close: () => db.close(),
});

const COUNTS = `select (select count(*) from memories) as memories, (select count(*) from experiences) as experiences,
  (select count(*) from experience_values) as "values"`;

/** Runs reads in one transaction, so that they never see half of another process's write. */
function atOnce<T>(db: Db, work: () => T): T {
  db.script("begin");
  try {
    return work();
  } finally {
    db.script("commit");
  }
}
