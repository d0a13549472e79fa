/**
 * Writes relations of the curated index. Callers pass the whole wanted set; only the difference is stored.
 *
 * An empty table is filled directly. Otherwise the wanted rows go to a temporary table, and two statements delete and upsert the
 * differences, so a small edit in a large repository writes few pages.
 */
import type { Db, SqlValue } from "../sqlite/db.ts";
import type { DependencyRow, ReferenceRow, TestSourceRow } from "./knowledge-base.ts";

/** `insertions` and `deletions` are null when lines were not counted. Times are in seconds. */
export type CommitRow = {
  readonly hash: string;
  readonly author: string;
  readonly message: string;
  readonly timestamp: number;
  readonly filesChanged: number;
  readonly insertions: number | null;
  readonly deletions: number | null;
};

/** A relation: its table, its key columns, and the columns that may change. */
type Relation = { readonly table: string; readonly key: readonly string[]; readonly rest: readonly string[] };

/** `among` limits the relation to rows that satisfy an SQL condition with one value; other rows are not touched. */
function setRelation(
  db: Db,
  { table, key, rest }: Relation,
  rows: Iterable<readonly SqlValue[]>,
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
  // The plus removes the column's type affinity, which would prevent using the primary key of the wanted rows.
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
  // "where true" tells the parser that "on conflict" does not belong to a join.
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

/** Takes an iterable, since there are many rows. */
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

function* mapped<Row>(
  rows: Iterable<Row>,
  valuesOf: (row: Row) => readonly SqlValue[],
): Generator<readonly SqlValue[]> {
  for (const row of rows) yield valuesOf(row);
}

/** A pair of files that change together; `lastCommit` is the hash of the newest commit that touched both. */
export type CoChangeRecord = {
  readonly a: number;
  readonly b: number;
  readonly count: number;
  readonly lastCommit: string;
};

/** Pairs are stored with the smaller id first. Their commits must be stored already. */
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
 * Stored commits stay, since a hash fixes the content. Only the number of changed files can differ: it is unknown at the end
 * of a shallow clone. `searchable` makes the full-text form of a message.
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
