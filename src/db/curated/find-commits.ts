/**
 * Finds commits whose message holds any word of a query, with the files that they touched.
 *
 * One statement, best match first (BM25), then the newest; the hash ends ties, so the order is total.
 */
import { z } from "zod";
import { Failed } from "../../failure.ts";
import type { Db } from "../sqlite/db.ts";
import { matchExpression, queryWords } from "../sqlite/full-text.ts";
import type { FoundCommitRow } from "./knowledge-base.ts";

/** Of a commit that touched more, the first. */
const PATHS_MAX = 100;

const Paths = z.array(z.string());

type Row = Omit<FoundCommitRow, "paths"> & { readonly paths: string };

const COLUMNS = `c.id, c.hash, c.author, c.message, c.timestamp, c.insertions, c.deletions,
  (select json_group_array(path) from
    (select f.path from file_commits t join files f on f.id = t.file_id where t.commit_id = c.id
     order by f.path limit ${PATHS_MAX})) as paths`;

/** At most `limit` commits. */
export function findCommits(db: Db, query: string, limit: number): readonly FoundCommitRow[] {
  const match = matchExpression(queryWords(query), "any", "whole");
  if (match === null || limit < 1) return [];
  const rows = db.all<Row>(
    `select ${COLUMNS}, m.rank
     from (select rowid, round(-bm25(commit_search), 6) as rank from commit_search where commit_search match ?1) m
       join commits c on c.id = m.rowid
     order by m.rank desc, c.timestamp desc, c.hash limit ?2`,
    match,
    limit,
  );
  return withPaths(db, rows);
}

/** Those of these ids that are stored, the newest first; rank 0. */
export const commitsById = (db: Db, ids: readonly number[]): readonly FoundCommitRow[] =>
  withPaths(
    db,
    db.all<Row>(
      `select ${COLUMNS}, 0 as rank from commits c where c.id in (select value from json_each(?1))
       order by c.timestamp desc, c.hash`,
      JSON.stringify(ids),
    ),
  );

function withPaths(db: Db, rows: readonly Row[]): readonly FoundCommitRow[] {
  try {
    return rows.map((row) => ({ ...row, paths: Paths.parse(JSON.parse(row.paths)) }));
  } catch (error) {
    throw new Failed({ code: "index-damaged", path: db.path, why: "its commits cannot be read" }, { cause: error });
  }
}

/** Seconds since 1970 of the oldest and the newest commit; null without any. */
export function commitRangeOf(db: Db): { readonly oldest: number; readonly newest: number } | null {
  const row = db.get<{ oldest: number | null; newest: number | null }>(
    "select min(timestamp) as oldest, max(timestamp) as newest from commits",
  );
  return row === null || row.oldest === null || row.newest === null ? null : { oldest: row.oldest, newest: row.newest };
}
