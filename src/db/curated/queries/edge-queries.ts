/**
 * Reads edges from the curated index, ordered by the paths and then the ids of both ends.
 *
 * References from a symbol are cached: tasks on one repository mostly start from the same symbols.
 */
import type { Db } from "../../sqlite/db.ts";
import { IN_LIST, list } from "../../sqlite/in-list.ts";
import type {
  CoChangeRow,
  DependencyEnds,
  DependencyRow,
  EdgeQueries,
  FileUses,
  ReferenceRow,
  TestSourceRow,
} from "../knowledge-base.ts";
import { type PlacedReference, type RowCache, readMissing } from "./row-cache.ts";

export const edgeQueries = (db: Db, cache: RowCache): EdgeQueries => ({
  dependenciesOf: (fileIds) => dependencies(db, `d.source_file_id ${IN_LIST} or d.target_file_id ${IN_LIST}`, fileIds),
  dependencyEnds: (fileIds) =>
    db.all<DependencyEnds>(
      `select source_file_id as source, target_file_id as target from dependencies
       where source_file_id ${IN_LIST} or target_file_id ${IN_LIST}`,
      list(fileIds),
    ),
  dependenciesBetween: (fileIds) =>
    // The sign keeps it from looking up every pair of files.
    dependencies(db, `d.source_file_id ${IN_LIST} and +d.target_file_id ${IN_LIST}`, fileIds),
  importerCounts: () => (cache.importerCounts ??= importerCountsOf(db)),
  fileUses: (fileIds) => db.all<FileUses>(FILE_USES, list(fileIds)),
  referencesFrom: (ids) => referencesFrom(db, cache.references, ids),
  referencesTo: (ids) =>
    db.all<ReferenceRow>(
      `select ${COLUMNS} from ${ENDS} where r.callee_id ${IN_LIST} order by cf.path, c.id, df.path, d.id, r.kind`,
      list(ids),
    ),
  testedBy: (ids) => testSources(db, "t", ids),
  testsOf: (ids) => testSources(db, "s", ids),
  coChangesOf: (fileIds) =>
    db.all<CoChangeRow>(
      `select c.a, c.b, c.count from co_changes c join files a on a.id = c.a join files b on b.id = c.b
       where c.a ${IN_LIST} or c.b ${IN_LIST} order by min(a.path, b.path), max(a.path, b.path)`,
      list(fileIds),
    ),
});

/** Only counts leave SQLite: a large repository has hundreds of thousands of pairs. */
const FILE_USES = `
  with uses(source, target) as materialized (
    select source_file_id, target_file_id from dependencies
      where target_file_id ${IN_LIST} and source_file_id <> target_file_id
    union
    select c.file_id, d.file_id from symbol_references r
      join symbols c on c.id = r.caller_id join symbols d on d.id = r.callee_id
      where d.file_id ${IN_LIST} and c.file_id <> d.file_id
  )
  select id as fileId, sum(users) as users, sum(used) as used from (
    select target as id, 1 as users, 0 as used from uses
    union all select source, 0, 1 from uses where source ${IN_LIST}
  ) group by id order by id`;

/** The links of these tests (`t`) or sources (`s`), grouped by them, the strongest first. */
const testSources = (db: Db, by: "t" | "s", ids: readonly number[]): readonly TestSourceRow[] =>
  db.all<TestSourceRow>(
    `select l.test_file_id as test, l.source_file_id as source, l.score, l.by from test_sources l
     join files t on t.id = l.test_file_id join files s on s.id = l.source_file_id
     where ${by}.id ${IN_LIST} order by ${by}.path, l.score desc, ${by === "t" ? "s" : "t"}.path`,
    list(ids),
  );

const dependencies = (db: Db, condition: string, fileIds: readonly number[]): readonly DependencyRow[] =>
  db.all<DependencyRow>(
    `select d.source_file_id as source, d.target_file_id as target, d.kind from dependencies d
       join files s on s.id = d.source_file_id join files t on t.id = d.target_file_id
       where ${condition} order by s.path, t.path, d.kind`,
    list(fileIds),
  );

function importerCountsOf(db: Db): ReadonlyMap<number, number> {
  const rows = db.all<{ id: number; count: number }>(
    "select target_file_id as id, count(distinct source_file_id) as count from dependencies group by 1 order by 1",
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

const COLUMNS = "r.caller_id as caller, r.callee_id as callee, r.kind, r.confidence";
const ENDS = `symbol_references r
  join symbols c on c.id = r.caller_id join files cf on cf.id = c.file_id
  join symbols d on d.id = r.callee_id join files df on df.id = d.file_id`;

function referencesFrom(db: Db, cache: RowCache["references"], ids: readonly number[]): readonly ReferenceRow[] {
  const callers = [...new Set(ids)];
  const known = readMissing(
    cache,
    callers,
    ({ row }) => row.caller,
    (missing) => readFrom(db, missing),
  );
  const lists = callers.flatMap((caller) => {
    const rows = known.get(caller) ?? [];
    return rows[0] === undefined ? [] : [{ caller, path: rows[0].path, rows }];
  });
  const positions = positionsOf(lists.map(({ path }) => path));
  lists.sort((a, b) => (positions.get(a.path) ?? 0) - (positions.get(b.path) ?? 0) || a.caller - b.caller);
  return lists.flatMap(({ rows }) => rows.map(({ row }) => row));
}

/** References of each caller in order; the callers themselves are ordered later, together with cached ones. */
const readFrom = (db: Db, callers: readonly number[]): readonly PlacedReference[] =>
  db
    .all<ReferenceRow & { readonly path: string }>(
      `select ${COLUMNS}, cf.path from ${ENDS} where r.caller_id ${IN_LIST} order by df.path, d.id, r.kind`,
      list(callers),
    )
    .map(({ path, caller, callee, kind, confidence }) => ({ path, row: { caller, callee, kind, confidence } }));

/** The position of each path in SQLite's order of texts: by bytes. */
function positionsOf(paths: readonly string[]): ReadonlyMap<string, number> {
  const sorted = [...new Set(paths)].map((path) => Buffer.from(path)).sort(Buffer.compare);
  return new Map(sorted.map((bytes, position) => [bytes.toString(), position]));
}
