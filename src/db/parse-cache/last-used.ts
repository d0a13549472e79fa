/**
 * Records when each cached content was last used, and deletes what was not for the longest time.
 *
 * A day is a number of days since 1970. Work trees mark their contents once a day, so a content goes only when no work tree uses it.
 */
import type { Db } from "../sqlite/db.ts";

/** What was not used for this many days is deleted. */
const DAYS_KEPT = 60;

/** The first of the days whose contents are kept on `day`. */
export const firstDayKept = (day: number): number => day - DAYS_KEPT;

/** A work tree that uses the cache, and when it last did. */
export type WorkTreeUse = { readonly path: string; readonly day: number };

/** Marks contents as used on `day` by the work tree at `tree`. */
export function markUsed(db: Db, tree: string, keys: readonly Uint8Array[], day: number): void {
  db.transaction(() => {
    db.run(
      `update last_used set day = ?2 where day <> ?2
       and entry in (select id from entries where key in (select unhex(value) from json_each(?1)))`,
      JSON.stringify(keys.map((key) => key.toHex())),
      day,
    );
    db.run(
      "insert into work_trees(path, day) values (?1, ?2) on conflict(path) do update set day = excluded.day",
      tree,
      day,
    );
  });
}

/**
 * Deletes what was not used for long, and above `bytesMax` the least recently used. What was used on `day` stays. A content of day 0
 * comes from a cache that did not record days; only its size makes it go.
 */
export function evictUnused(db: Db, bytesMax: number, day: number): void {
  db.transaction(() => {
    const firstDay = firstDayKept(day);
    db.run("delete from work_trees where day < ?1", firstDay);
    const gone = db.run("delete from last_used where day > 0 and day < ?1", firstDay) + forgetAbove(db, bytesMax, day);
    if (gone > 0) deleteForgotten(db);
  });
}

/** Deletes only the least recently used, and only in a file that is larger than `bytesMax`, which costs nothing to find out. */
export function evictAbove(db: Db, bytesMax: number, day: number): void {
  if ((db.get<{ bytes: number }>(USED_BYTES)?.bytes ?? 0) <= bytesMax) return;
  db.transaction(() => {
    if (forgetAbove(db, bytesMax, day) > 0) deleteForgotten(db);
  });
}

/** The bytes of all pages of the file that are in use. */
const USED_BYTES = `select (page_count - freelist_count) * page_size as bytes
  from pragma_page_count, pragma_freelist_count, pragma_page_size`;

const deleteForgotten = (db: Db): number => db.run("delete from entries where id not in (select entry from last_used)");

function forgetAbove(db: Db, bytesMax: number, day: number): number {
  const sizes = db.all<{ day: number; bytes: number }>(
    "select day, sum(bytes) as bytes from last_used group by 1 order by 1 desc",
  );
  let kept = 0;
  const oldest = sizes.find((row) => {
    kept += row.bytes;
    return kept > bytesMax && row.day < day;
  });
  return oldest === undefined ? 0 : db.run("delete from last_used where day <= ?1", oldest.day);
}

export const workTreeUses = (db: Db): readonly WorkTreeUse[] =>
  db.all("select path, day from work_trees order by path");
