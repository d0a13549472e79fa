/**
 * Relations of the curated index, each written as a whole wanted set of which only the difference is stored.
 *
 * The wanted rows go to a temporary table; two statements then take away what is no longer wanted and put
 * in or change what differs. A small edit in a large repository so writes few pages.
 * Not here: rows of files and symbols (`curated-write.ts`).
 */
import type { DependencyRow, ReferenceRow } from "./curated.ts";
import type { Db, Value } from "./open.ts";

/** A commit; `insertions` and `deletions` are null where the reader does not count lines. Times are seconds. */
export type CommitRow = {
  readonly hash: string;
  readonly author: string;
  readonly message: string;
  readonly timestamp: number;
  readonly filesChanged: number;
  readonly insertions: number | null;
  readonly deletions: number | null;
};

/** A relation: its table, the columns that make a row's identity, and those that may change. */
type Relation = { readonly table: string; readonly key: readonly string[]; readonly rest: readonly string[] };

function setRelation(db: Db, { table, key, rest }: Relation, rows: readonly (readonly Value[])[]): void {
  const columns = [...key, ...rest];
  const wanted = `wanted_${table}`;
  const marks = columns.map((_, index) => `?${index + 1}`).join(", ");
  // Without the plus the stored column's type applies to both sides, and the key of the wanted rows is of no use.
  const sameKey = key.map((column) => `w.${column} = +${table}.${column}`).join(" and ");
  db.script(
    `create temp table if not exists ${wanted} (${columns.join(", ")}, primary key (${key.join(", ")})) without rowid`,
  );
  db.run(`delete from temp.${wanted}`);
  db.runAll(`insert into temp.${wanted}(${columns.join(", ")}) values (${marks})`, rows);
  db.run(`delete from ${table} where not exists (select 1 from temp.${wanted} w where ${sameKey})`);
  const changed = rest.map((column) => `${table}.${column} is not excluded.${column}`).join(" or ");
  const onConflict =
    rest.length === 0
      ? "do nothing"
      : `do update set ${rest.map((column) => `${column} = excluded.${column}`).join(", ")} where ${changed}`;
  // "where true" tells the parser that "on conflict" is no join.
  db.run(
    `insert into ${table}(${columns.join(", ")}) select ${columns.join(", ")} from temp.${wanted} where true
     on conflict(${key.join(", ")}) ${onConflict}`,
  );
  db.run(`delete from temp.${wanted}`);
}

export const setDependencies = (db: Db, rows: readonly DependencyRow[]): void =>
  setRelation(
    db,
    { table: "dependencies", key: ["source_file_id", "target_file_id", "kind"], rest: [] },
    rows.map(({ source, target, kind }) => [source, target, kind]),
  );

export const setReferences = (db: Db, rows: readonly ReferenceRow[]): void =>
  setRelation(
    db,
    { table: "symbol_references", key: ["caller_id", "callee_id", "kind"], rest: ["confidence"] },
    rows.map(({ caller, callee, kind, confidence }) => [caller, callee, kind, confidence]),
  );

/** A pair of files; `lastCommit` is the hash of the newest commit that touched both. */
export type CoChangeRecord = {
  readonly a: number;
  readonly b: number;
  readonly count: number;
  readonly lastCommit: string;
};

/** Pairs are stored with the smaller id first. The commits must be stored already. */
export function setCoChanges(db: Db, rows: readonly CoChangeRecord[]): void {
  const idOf = commitIds(db);
  setRelation(
    db,
    { table: "co_changes", key: ["a", "b"], rest: ["count", "last_commit"] },
    rows.map(({ a, b, count, lastCommit }) => [Math.min(a, b), Math.max(a, b), count, idOf.get(lastCommit) ?? 0]),
  );
}

const commitIds = (db: Db): ReadonlyMap<string, number> =>
  new Map(db.all<{ id: number; hash: string }>("select id, hash from commits").map(({ id, hash }) => [hash, id]));

export const setSkips = (db: Db, rows: readonly { readonly path: string; readonly reason: string }[]): void =>
  setRelation(
    db,
    { table: "index_skips", key: ["path"], rest: ["reason"] },
    rows.map(({ path, reason }) => [path, reason]),
  );

/** A commit never changes under its hash, so stored ones are left alone. `searchable` makes the full-text form. */
export function setCommits(db: Db, rows: readonly CommitRow[], searchable: (message: string) => string): void {
  const hashes = JSON.stringify(rows.map(({ hash }) => hash));
  const gone = "select id from commits where hash not in (select value from json_each(?1))";
  db.run(`delete from commit_search where rowid in (${gone})`, hashes);
  db.run(`delete from commits where id in (${gone})`, hashes);
  const known = new Set(db.all<{ hash: string }>("select hash from commits").map(({ hash }) => hash));
  for (const row of rows) {
    if (known.has(row.hash)) continue;
    const added = db.get<{ id: number }>(
      `insert into commits(hash, author, message, timestamp, files_changed, insertions, deletions)
       values (?1, ?2, ?3, ?4, ?5, ?6, ?7) returning id`,
      row.hash,
      row.author,
      row.message,
      row.timestamp,
      row.filesChanged,
      row.insertions,
      row.deletions,
    );
    if (added) db.run("insert into commit_search(rowid, message) values (?1, ?2)", added.id, searchable(row.message));
  }
}

export function setFileCommits(db: Db, rows: readonly { readonly fileId: number; readonly hash: string }[]): void {
  const idOf = commitIds(db);
  const wanted = rows.flatMap(({ fileId, hash }) => {
    const commit = idOf.get(hash);
    return commit === undefined ? [] : [[fileId, commit]];
  });
  setRelation(db, { table: "file_commits", key: ["file_id", "commit_id"], rest: [] }, wanted);
}
