/** Writes what git's history says about the files into the curated index. */
import type { Db } from "../../sqlite/db.ts";
import { indexedText, termCache } from "../../sqlite/full-text.ts";
import { IN_LIST, list } from "../../sqlite/in-list.ts";
import { setRelation } from "./set-relation.ts";

/** `insertions` and `deletions` are null when lines were not counted. Times are in seconds. */
type CommitRow = {
  readonly hash: string;
  readonly author: string;
  readonly message: string;
  readonly timestamp: number;
  readonly filesChanged: number;
  readonly insertions: number | null;
  readonly deletions: number | null;
};

/** A pair of files that change together; `lastCommit` is the hash of the newest commit that touched both. */
type CoChangeRecord = {
  readonly a: number;
  readonly b: number;
  readonly count: number;
  readonly lastCommit: string;
};

/** The commits come first: the other rows refer to them by hash. */
export type HistoryWriter = {
  setCommits(rows: readonly CommitRow[]): void;
  setFileCommits(rows: readonly { readonly fileId: number; readonly hash: string }[]): void;
  setCoChanges(rows: readonly CoChangeRecord[]): void;
  /** Sets the newest commit time of each file; files without a row get null. */
  setModified(rows: readonly { readonly fileId: number; readonly at: number }[]): void;
};

export const historyWriter = (db: Db): HistoryWriter => ({
  setCommits: (rows) => setCommits(db, rows),
  setFileCommits: (rows) => {
    const idOf = commitIds(db);
    const wanted = rows.flatMap(({ fileId, hash }) => {
      const commit = idOf.get(hash);
      return commit === undefined ? [] : [[fileId, commit]];
    });
    setRelation(db, { table: "file_commits", key: ["file_id", "commit_id"], rest: [] }, wanted);
  },
  // Pairs are stored with the smaller id first.
  setCoChanges: (rows) => {
    const idOf = commitIds(db);
    setRelation(
      db,
      { table: "co_changes", key: ["a", "b"], rest: ["count", "last_commit"] },
      rows.map(({ a, b, count, lastCommit }) => [Math.min(a, b), Math.max(a, b), count, idOf.get(lastCommit) ?? 0]),
    );
  },
  setModified: (rows) => setModified(db, rows),
});

const commitIds = (db: Db): ReadonlyMap<string, number> =>
  new Map(db.all<{ id: number; hash: string }>("select id, hash from commits").map(({ id, hash }) => [hash, id]));

/**
 * Stored commits stay, since a hash fixes the content. Only the number of changed files can differ: it is unknown at the end
 * of a shallow clone. A stored commit that says something else came from another machine, and is replaced.
 */
function setCommits(db: Db, rows: readonly CommitRow[]): void {
  const wanted = new Map(rows.map((row) => [row.hash, row]));
  const said = db.all<Pick<CommitRow, "hash" | "author" | "message" | "timestamp">>(
    "select hash, author, message, timestamp from commits",
  );
  const hashes = list(said.flatMap((row) => (saysSame(row, wanted.get(row.hash)) ? [row.hash] : [])));
  const gone = `select id from commits where hash not ${IN_LIST}`;
  db.run(`delete from commit_search where rowid in (${gone})`, hashes);
  db.run(`delete from commits where id in (${gone})`, hashes);
  const stored = db.all<{ hash: string; files: number }>("select hash, files_changed as files from commits");
  const known = new Map(stored.map(({ hash, files }) => [hash, files]));
  let id = db.get<{ newest: number }>("select coalesce(max(id), 0) as newest from commits")?.newest ?? 0;
  const added: (CommitRow & { readonly id: number })[] = [];
  for (const row of rows) {
    const files = known.get(row.hash);
    if (files !== undefined && files !== row.filesChanged)
      db.run("update commits set files_changed = ?2 where hash = ?1", row.hash, row.filesChanged);
    if (files !== undefined) continue;
    id += 1;
    added.push({ ...row, id });
  }
  db.runAll(
    `insert into commits(id, hash, author, message, timestamp, files_changed, insertions, deletions)
     values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
    added.map((row) => [
      row.id,
      row.hash,
      row.author,
      row.message,
      row.timestamp,
      row.filesChanged,
      row.insertions,
      row.deletions,
    ]),
  );
  // The same words are in most messages.
  const terms = termCache();
  db.runAll(
    "insert into commit_search(rowid, message) values (?1, ?2)",
    added.map((row) => [row.id, indexedText(row.message, terms)]),
  );
}

type Said = Pick<CommitRow, "author" | "message" | "timestamp">;

const saysSame = (stored: Said, wanted: Said | undefined): boolean =>
  stored.author === wanted?.author && stored.message === wanted.message && stored.timestamp === wanted.timestamp;

function setModified(db: Db, rows: readonly { readonly fileId: number; readonly at: number }[]): void {
  if (rows.length === 0) {
    db.run("update files set modified_at = null where modified_at is not null");
    return;
  }
  const wanted = new Map(rows.map(({ fileId, at }) => [fileId, at]));
  const stored = db.all<{ id: number; at: number | null }>("select id, modified_at as at from files");
  db.runAll(
    "update files set modified_at = ?2 where id = ?1",
    stored.flatMap(({ id, at }) => {
      const newest = wanted.get(id) ?? null;
      return newest === at ? [] : [[id, newest]];
    }),
  );
}
