/**
 * Stores a relation of the curated index. Callers pass the whole wanted set; only the difference is stored.
 *
 * An empty table is filled directly. Otherwise the wanted rows go to a temporary table, and two statements delete and upsert the
 * differences, so a small edit in a large repository writes few pages.
 */
import type { Db, SqlValue } from "../../sqlite/db.ts";

/** A relation: its table, its key columns, and the columns that may change. */
type Relation = { readonly table: string; readonly key: readonly string[]; readonly rest: readonly string[] };

/** `among` limits the relation to rows that satisfy an SQL condition with one value; other rows are not touched. */
export function setRelation(
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
