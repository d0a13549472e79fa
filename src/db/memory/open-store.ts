/**
 * Opens what is remembered: `memory.sqlite`, the one file of cra that holds what nothing can make anew.
 *
 * Invariants: every method that writes is one immediate transaction, so several processes lose nothing and a killed one
 * leaves nothing half done; reading never opens the file for writing, but to undo what a killed writer left; where no
 * file is there is nothing to read, and none is made. A damaged file is reported and never moved or deleted.
 * Not here: SQL (`memory-*.ts`), which file it is (`paths.ts`).
 */
import { lstatSync } from "node:fs";
import { Failed } from "../../failure.ts";
import type { Db } from "../sqlite/db.ts";
import { misuse } from "../sqlite/failures.ts";
import type { KnownWords } from "../sqlite/full-text.ts";
import { NOTHING_WRITTEN, openDatabase } from "../sqlite/open.ts";
import { experiencesById, memoriesById, valuesById } from "./by-id.ts";
import { entryBeginning, listed } from "./read.ts";
import { type ExperienceRow, experienceFrom } from "./rows.ts";
import { MEMORY_SCHEMA } from "./schema.ts";
import { searchExperiences, searchMemories, searchValues } from "./search.ts";
import type { MemoryStore } from "./store.ts";
import { allValues, replaceValues } from "./values.ts";
import { dimensionsOf, eachVector, putVectors, unembedded } from "./vectors.ts";
import { putEntry, removeEntries, stored } from "./write.ts";

/** Importing as much as a store may hold takes this long at most, and another writer waits for it. */
const BUSY_TIMEOUT_MS = 15_000;

const CACHE_KIB = 16 * 1024;

/** Opens the store at `path`. "write" makes the file where there is none; its folder must be there. */
export const openMemory = (path: string, access: "read" | "write"): MemoryStore =>
  memoryStore(access === "write" ? writable(path) : readable(path));

/** A store in which nothing is, for whoever goes on without the file. */
export const noMemory = (): MemoryStore => memoryStore(nothing());

function writable(path: string): Db {
  const db = openDatabase(path, "write", MEMORY_SCHEMA, BUSY_TIMEOUT_MS);
  // What does not fit is written before the end of its transaction, and every time the disk has to be waited for. What
  // is forgotten is overwritten, not only unlinked.
  db.script(`pragma cache_size = -${CACHE_KIB}; pragma secure_delete = on`);
  // Writing into a damaged file would spoil more of what can still be read.
  const found = db.get<{ quick_check: string }>("pragma quick_check(1)")?.quick_check;
  if (found !== "ok") {
    db.close();
    throw new Failed(MEMORY_SCHEMA.damaged(path, found?.split("\n").at(-1) ?? "it cannot be looked through"));
  }
  return db;
}

/** A file that somebody is just making, or that a killed process began, holds as little as none. */
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

/** A store without a file and without entries, which takes none. */
function nothing(): Db {
  const db = openDatabase(":memory:", "write", MEMORY_SCHEMA);
  db.script("pragma query_only = on");
  return db;
}

const memoryStore = (db: Db): MemoryStore => ({
  put: (entries) =>
    db.transaction(() => {
      const done = { added: 0, replaced: 0, unchanged: 0 };
      const known: KnownWords = new Map();
      for (const entry of entries) done[putEntry(db, entry, known)] += 1;
      return done;
    }),
  get: (idOrPrefix) => entryBeginning(db, idOrPrefix),
  list: (filter, onDamaged) => atOnce(db, () => listed(db, filter, onDamaged)),
  change: (id, made) =>
    db.transaction(() => {
      const entry = made(stored(db, id)?.entry ?? null);
      if (entry.id !== id) throw misuse(`${id} became ${entry.id}`);
      putEntry(db, entry);
      return entry;
    }),
  removeAll: (ids) => db.transaction(() => removeEntries(db, ids)),
  counts: () => db.get<ReturnType<MemoryStore["counts"]>>(COUNTS) ?? { memories: 0, experiences: 0, values: 0 },
  searchMemories: (words, limit) => searchMemories(db, words, limit),
  searchExperiences: (words, where, limit) => searchExperiences(db, words, where, limit),
  searchValues: (words, where, limit) => searchValues(db, words, where, limit),
  experiences: () =>
    db.all<ExperienceRow>("select * from experiences order by id").map((row) => experienceFrom(db, row)),
  values: () => allValues(db),
  replaceValues: (values) => db.transaction(() => replaceValues(db, values)),
  putVectors: (model, rows) => db.transaction(() => putVectors(db, model, rows)),
  dropVectors: (model) => void db.run("delete from vectors where model = ?", model),
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

/** Reads of one moment: half of what another process writes meanwhile is never seen. */
function atOnce<T>(db: Db, work: () => T): T {
  db.script("begin");
  try {
    return work();
  } finally {
    db.script("commit");
  }
}
