/**
 * Stores the hash of each file's content together with a stat key that changes with every write, so that unchanged files need not be
 * read.
 *
 * A stat key is stored only once it is old enough to be trusted (`indexing/update/scan-and-parse.ts` decides). Rows belong to one
 * maker, because another version may judge contents differently. They live in the parse cache and may be lost at any time.
 */
import type { Db } from "../sqlite/db.ts";

/** `mark` is the stat key, `hash` the hex SHA-256 of the content; `skip` says why the file is not indexed, or is null. */
export type StatEntry = {
  readonly path: string;
  readonly mark: string;
  readonly hash: string;
  readonly skip: string | null;
};

export const STAT_TABLES = `
create table seen_files (path text primary key, mark text not null, hash text not null, skip text, sum integer not null)
  strict, without rowid;
create table seen_by (maker text not null) strict;
`;

/** All rows by path; empty when another maker wrote them. */
export function readStatEntries(db: Db, maker: string): ReadonlyMap<string, StatEntry> {
  const owner = db.get<{ maker: string }>("select maker from seen_by");
  if (owner?.maker !== maker) return new Map();
  const rows = db.all<StatEntry & { sum: number }>("select path, mark, hash, skip, sum from seen_files");
  return new Map(rows.flatMap((row) => (row.sum === sumOf(row) ? [[row.path, row]] : [])));
}

/** Replaces all rows, writing only the differences from `before`, the result of `readStatEntries`. */
export function writeStatEntries(
  db: Db,
  maker: string,
  before: ReadonlyMap<string, StatEntry>,
  rows: readonly StatEntry[],
): void {
  const wanted = new Set(rows.map(({ path }) => path));
  const gone = [...before.keys()].filter((path) => !wanted.has(path));
  const changed = rows.filter((row) => {
    const known = before.get(row.path);
    return known?.mark !== row.mark || known.hash !== row.hash || known.skip !== row.skip;
  });
  if (gone.length === 0 && changed.length === 0) return;
  db.transaction(() => {
    if (before.size === 0) {
      db.run("delete from seen_files");
      db.run("delete from seen_by");
      db.run("insert into seen_by(maker) values (?1)", maker);
    }
    db.run("delete from seen_files where path in (select value from json_each(?1))", JSON.stringify(gone));
    db.runAll(
      `insert into seen_files(path, mark, hash, skip, sum) values (?1, ?2, ?3, ?4, ?5)
       on conflict(path) do update set mark = excluded.mark, hash = excluded.hash, skip = excluded.skip, sum = excluded.sum`,
      changed.map((row) => [row.path, row.mark, row.hash, row.skip, sumOf(row)]),
    );
  });
}

/** A row whose checksum differs counts as missing, and its file is read again. */
const sumOf = ({ path, mark, hash, skip }: StatEntry): number =>
  Bun.hash.crc32(JSON.stringify([path, mark, hash, skip]));
