/**
 * Moves the parse cache of a data folder into the one that work trees share, where another setting left one.
 *
 * Facts of other extractor versions are left behind, and the old file is deleted. Checksums move with the rows, so a damaged one counts
 * as missing there, too.
 */
import { lstatSync } from "node:fs";
import { Failed } from "../../failure.ts";
import type { Db } from "../sqlite/db.ts";
import { openUntouched } from "../sqlite/open.ts";
import { type CachePaths, openShared } from "./open-parse-cache.ts";
import { PARSE_CACHE_SCHEMA } from "./schema.ts";
import { removeDatabase } from "./stat-cache.ts";

/** The number of rows that are written at a time, so that other processes need not wait. */
const ROWS_PER_BATCH = 500;

/** Does nothing where there is nothing to take over. The caller holds the index lock of the data folder. */
export function takeOverParseCache(paths: CachePaths, extractorVersion: string): void {
  const { parseCache, ownParseCache: own } = paths;
  if (own === parseCache || lstatSync(own, { throwIfNoEntry: false })?.isFile() !== true) return;
  const { db, close } = openShared(paths);
  try {
    // A newer cra wrote the shared one, so the own one is in use.
    if (db.path === own) return;
    if (isReadable(own)) copyRows(db, own, extractorVersion);
  } catch (error) {
    // What SQLite could not read of the old one is parsed again.
    if (!(error instanceof Failed) || error.failure.code !== "index-damaged") throw error;
  } finally {
    close();
  }
  removeDatabase(own);
}

function isReadable(path: string): boolean {
  try {
    const { db, version } = openUntouched(path, PARSE_CACHE_SCHEMA);
    db.close();
    return version === PARSE_CACHE_SCHEMA.migrations.length;
  } catch (error) {
    if (error instanceof Failed) return false;
    throw error;
  }
}

const COLUMNS = "key, extractor, facts_sum, uses_sum, prose_sum, facts, uses, prose";

function copyRows(db: Db, from: string, extractorVersion: string): void {
  db.run("attach database ?1 as older", from);
  const last = db.get<{ number: number | null }>("select max(id) as number from older.entries")?.number ?? 0;
  for (let after = 0; after < last; after += ROWS_PER_BATCH)
    db.transaction(() => {
      const rows = "id > ?1 and id <= ?2 and extractor = ?3";
      const range = [after, after + ROWS_PER_BATCH, extractorVersion] as const;
      db.run(`insert or ignore into entries(${COLUMNS}) select ${COLUMNS} from older.entries where ${rows}`, ...range);
      db.run(
        `insert or ignore into last_used(entry, day, bytes)
         select id, 0, length(facts) + length(uses) + length(prose)
         from entries where key in (select key from older.entries where ${rows})`,
        ...range,
      );
    });
  db.run("insert or ignore into commit_packs(bucket, sum, pack) select bucket, sum, pack from older.commit_packs");
}
