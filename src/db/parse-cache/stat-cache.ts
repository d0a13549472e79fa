/**
 * What a file held when it was last read, by a mark that its system changes with every write.
 *
 * Saves reading: a file whose mark is the same has the same content. A mark is only stored when it was old enough to
 * be trusted (`indexing/update/scan-and-parse.ts` decides). Rows hold for one maker: another version may judge contents otherwise.
 * Lives in the parse cache, so it may be lost at any time.
 */
import type { Db } from "../sqlite/db.ts";

/** `hash` names the content (sha256 in hex); `skip` is why it is not indexed, or null. */
export type SeenFile = {
  readonly path: string;
  readonly mark: string;
  readonly hash: string;
  readonly skip: string | null;
};

export const SEEN_TABLES = `
create table seen_files (path text primary key, mark text not null, hash text not null, skip text, sum integer not null)
  strict, without rowid;
create table seen_by (maker text not null) strict;
`;

/** All rows by path; none when another maker wrote them. */
export function seenFiles(db: Db, maker: string): ReadonlyMap<string, SeenFile> {
  const owner = db.get<{ maker: string }>("select maker from seen_by");
  if (owner?.maker !== maker) return new Map();
  const rows = db.all<SeenFile & { sum: number }>("select path, mark, hash, skip, sum from seen_files");
  return new Map(rows.flatMap((row) => (row.sum === sumOf(row) ? [[row.path, row]] : [])));
}

/** Makes `rows` all that is stored; writes only what differs from `before`, which is what `seenFiles` gave. */
export function setSeenFiles(
  db: Db,
  maker: string,
  before: ReadonlyMap<string, SeenFile>,
  rows: readonly SeenFile[],
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

/** A damaged row counts as absent: the file is read again. */
const sumOf = ({ path, mark, hash, skip }: SeenFile): number =>
  Bun.hash.crc32(JSON.stringify([path, mark, hash, skip]));
