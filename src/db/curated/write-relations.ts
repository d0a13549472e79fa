/**
 * Relations of the curated index, each written as a whole wanted set of which only the difference is stored.
 *
 * Where nothing is stored, the rows are put there. Else they go to a temporary table; two statements then take away what
 * is no longer wanted and put in or change what differs. A small edit in a large repository so writes few pages.
 * Not here: rows of files and symbols (`write.ts`).
 */

import type { Db, Value } from "../sqlite/db.ts";
import type { DependencyRow, ReferenceRow, TestSourceRow } from "./knowledge-base.ts";

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

/**
 * `among` limits the relation to rows for which an SQL condition holds, with one value: the rows are all of those, and
 * no others are touched.
 */
function setRelation(
  db: Db,
  { table, key, rest }: Relation,
  rows: Iterable<readonly Value[]>,
  among: { readonly condition: string; readonly value: string } | null = null,
): void {
  const columns = [...key, ...rest];
  const marks = columns.map((_, index) => `?${index + 1}`).join(", ");
  const put = (into: string): void => db.runAll(`insert into ${into}(${columns.join(", ")}) values (${marks})`, rows);
  if (db.get(`select 1 from ${table} limit 1`) === null) {
    put(table);
    return;
  }
  const wanted = `wanted_${table}`;
  // Without the plus the stored column's type applies to both sides, and the key of the wanted rows is of no use.
  const sameKey = key.map((column) => `w.${column} = +${table}.${column}`).join(" and ");
  db.script(`create temp table ${wanted} (${columns.join(", ")}, primary key (${key.join(", ")})) without rowid`);
  put(`temp.${wanted}`);
  const gone = `delete from ${table} where not exists (select 1 from temp.${wanted} w where ${sameKey})`;
  if (among === null) db.run(gone);
  else db.run(`${gone} and ${among.condition}`, among.value);
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
  db.script(`drop table temp.${wanted}`);
}

export const setDependencies = (db: Db, rows: readonly DependencyRow[], sources: readonly number[] | null): void =>
  setRelation(
    db,
    { table: "dependencies", key: ["source_file_id", "target_file_id", "kind"], rest: [] },
    rows.map(({ source, target, kind }) => [source, target, kind]),
    sources === null
      ? null
      : { condition: "source_file_id in (select value from json_each(?1))", value: JSON.stringify(sources) },
  );

/** There are many of these and the next, so they are taken one by one. */
export const setReferences = (db: Db, rows: Iterable<ReferenceRow>, callers: readonly number[] | null): void =>
  setRelation(
    db,
    { table: "symbol_references", key: ["caller_id", "callee_id", "kind"], rest: ["confidence"] },
    mapped(rows, ({ caller, callee, kind, confidence }) => [caller, callee, kind, confidence]),
    callers === null
      ? null
      : {
          condition: "caller_id in (select id from symbols where file_id in (select value from json_each(?1)))",
          value: JSON.stringify(callers),
        },
  );

export const setTestSources = (db: Db, rows: Iterable<TestSourceRow>, tests: readonly number[] | null): void =>
  setRelation(
    db,
    { table: "test_sources", key: ["test_file_id", "source_file_id"], rest: ["score", "by"] },
    mapped(rows, ({ test, source, score, by }) => [test, source, score, by]),
    tests === null
      ? null
      : { condition: "test_file_id in (select value from json_each(?1))", value: JSON.stringify(tests) },
  );

function* mapped<Row>(rows: Iterable<Row>, valuesOf: (row: Row) => readonly Value[]): Generator<readonly Value[]> {
  for (const row of rows) yield valuesOf(row);
}

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

/**
 * A commit never changes under its hash, so stored ones are left alone; but how many files it changes is not known at
 * the end of a shallow clone. `searchable` makes the full-text form.
 */
export function setCommits(db: Db, rows: readonly CommitRow[], searchable: (message: string) => string): void {
  const hashes = JSON.stringify(rows.map(({ hash }) => hash));
  const gone = "select id from commits where hash not in (select value from json_each(?1))";
  db.run(`delete from commit_search where rowid in (${gone})`, hashes);
  db.run(`delete from commits where id in (${gone})`, hashes);
  const stored = db.all<{ hash: string; files: number }>("select hash, files_changed as files from commits");
  const known = new Map(stored.map(({ hash, files }) => [hash, files]));
  let id = db.get<{ newest: number }>("select coalesce(max(id), 0) as newest from commits")?.newest ?? 0;
  for (const row of rows) {
    const files = known.get(row.hash);
    if (files !== undefined && files !== row.filesChanged)
      db.run("update commits set files_changed = ?2 where hash = ?1", row.hash, row.filesChanged);
    if (files !== undefined) continue;
    id += 1;
    db.run(
      `insert into commits(id, hash, author, message, timestamp, files_changed, insertions, deletions)
       values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
      id,
      row.hash,
      row.author,
      row.message,
      row.timestamp,
      row.filesChanged,
      row.insertions,
      row.deletions,
    );
    db.run("insert into commit_search(rowid, message) values (?1, ?2)", id, searchable(row.message));
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
