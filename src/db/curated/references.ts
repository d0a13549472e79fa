/**
 * Who refers to whom, in order of the paths and then of the ids of both ends.
 *
 * What a symbol refers to is asked once: tasks on one repository mostly start from the same symbols.
 */

import type { Db } from "../sqlite/db.ts";
import type { ReferenceRow } from "./knowledge-base.ts";
import { type KeptLists, makeRoom, type PlacedReference } from "./row-cache.ts";

const IN_LIST = "in (select value from json_each(?1))";
const COLUMNS = "r.caller_id as caller, r.callee_id as callee, r.kind, r.confidence";
const ENDS = `symbol_references r
  join symbols c on c.id = r.caller_id join files cf on cf.id = c.file_id
  join symbols d on d.id = r.callee_id join files df on df.id = d.file_id`;

/** What refers to these symbols. */
export const referencesTo = (db: Db, ids: readonly number[]): readonly ReferenceRow[] =>
  db.all<ReferenceRow>(
    `select ${COLUMNS} from ${ENDS} where r.callee_id ${IN_LIST} order by cf.path, c.id, df.path, d.id, r.kind`,
    JSON.stringify(ids),
  );

/** Answers what these symbols refer to, keeping it in `kept`. */
export const referencesFrom =
  (db: Db, kept: KeptLists<number, PlacedReference>) =>
  (ids: readonly number[]): readonly ReferenceRow[] => {
    makeRoom(kept);
    const { known } = kept;
    const callers = [...new Set(ids)];
    const missing = callers.filter((id) => !known.has(id));
    if (missing.length > 0) {
      const rows = askedFrom(db, missing);
      const found = Map.groupBy(rows, ({ row }) => row.caller);
      for (const id of missing) known.set(id, found.get(id) ?? []);
      kept.count += missing.length + rows.length;
    }
    const lists = callers.flatMap((caller) => {
      const rows = known.get(caller) ?? [];
      return rows[0] === undefined ? [] : [{ caller, path: rows[0].path, rows }];
    });
    const places = placesOf(lists.map(({ path }) => path));
    lists.sort((a, b) => (places.get(a.path) ?? 0) - (places.get(b.path) ?? 0) || a.caller - b.caller);
    return lists.flatMap(({ rows }) => rows.map(({ row }) => row));
  };

/** Of one caller in their order; callers are put into theirs with those that are kept. */
const askedFrom = (db: Db, callers: readonly number[]): readonly PlacedReference[] =>
  db
    .all<ReferenceRow & { readonly path: string }>(
      `select ${COLUMNS}, cf.path from ${ENDS} where r.caller_id ${IN_LIST} order by df.path, d.id, r.kind`,
      JSON.stringify(callers),
    )
    .map(({ path, caller, callee, kind, confidence }) => ({ path, row: { caller, callee, kind, confidence } }));

/** Where paths stand among each other, in the order in which SQLite compares texts: by their bytes. */
function placesOf(paths: readonly string[]): ReadonlyMap<string, number> {
  const sorted = [...new Set(paths)].map((path) => Buffer.from(path)).sort(Buffer.compare);
  return new Map(sorted.map((bytes, place) => [bytes.toString(), place]));
}
