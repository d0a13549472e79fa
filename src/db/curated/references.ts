/**
 * References between symbols, ordered by the paths and then the ids of both ends.
 *
 * References from a symbol are cached: tasks on one repository mostly start from the same symbols.
 */
import type { Db } from "../sqlite/db.ts";
import type { ReferenceRow } from "./knowledge-base.ts";
import { type ListCache, makeRoom, type PlacedReference } from "./row-cache.ts";

const IN_LIST = "in (select value from json_each(?1))";
const COLUMNS = "r.caller_id as caller, r.callee_id as callee, r.kind, r.confidence";
const ENDS = `symbol_references r
  join symbols c on c.id = r.caller_id join files cf on cf.id = c.file_id
  join symbols d on d.id = r.callee_id join files df on df.id = d.file_id`;

export const referencesTo = (db: Db, ids: readonly number[]): readonly ReferenceRow[] =>
  db.all<ReferenceRow>(
    `select ${COLUMNS} from ${ENDS} where r.callee_id ${IN_LIST} order by cf.path, c.id, df.path, d.id, r.kind`,
    JSON.stringify(ids),
  );

/** The references from symbols, cached in `cache`. */
export const referencesFrom =
  (db: Db, cache: ListCache<number, PlacedReference>) =>
  (ids: readonly number[]): readonly ReferenceRow[] => {
    makeRoom(cache);
    const { known } = cache;
    const callers = [...new Set(ids)];
    const missing = callers.filter((id) => !known.has(id));
    if (missing.length > 0) {
      const rows = readFrom(db, missing);
      const found = Map.groupBy(rows, ({ row }) => row.caller);
      for (const id of missing) known.set(id, found.get(id) ?? []);
      cache.count += missing.length + rows.length;
    }
    const lists = callers.flatMap((caller) => {
      const rows = known.get(caller) ?? [];
      return rows[0] === undefined ? [] : [{ caller, path: rows[0].path, rows }];
    });
    const positions = positionsOf(lists.map(({ path }) => path));
    lists.sort((a, b) => (positions.get(a.path) ?? 0) - (positions.get(b.path) ?? 0) || a.caller - b.caller);
    return lists.flatMap(({ rows }) => rows.map(({ row }) => row));
  };

/** References of each caller in order; the callers themselves are ordered later, together with cached ones. */
const readFrom = (db: Db, callers: readonly number[]): readonly PlacedReference[] =>
  db
    .all<ReferenceRow & { readonly path: string }>(
      `select ${COLUMNS}, cf.path from ${ENDS} where r.caller_id ${IN_LIST} order by df.path, d.id, r.kind`,
      JSON.stringify(callers),
    )
    .map(({ path, caller, callee, kind, confidence }) => ({ path, row: { caller, callee, kind, confidence } }));

/** The position of each path in SQLite's order of texts: by bytes. */
function positionsOf(paths: readonly string[]): ReadonlyMap<string, number> {
  const sorted = [...new Set(paths)].map((path) => Buffer.from(path)).sort(Buffer.compare);
  return new Map(sorted.map((bytes, position) => [bytes.toString(), position]));
}
