/**
 * Makes the SQL indexes of a first generation after its rows: in one pass, and with full pages. Row by row they take half again as much room,
 * and longer.
 */
import type { Db } from "../../sqlite/db.ts";

type LateIndexes = {
  /** Called in a transaction that may be the first. */
  begin(): void;
  /** Makes the indexes of these tables, or all, that are still missing. */
  make(tables?: readonly string[]): void;
  /** Called after a rollback, which brings the indexes back. */
  forget(): void;
};

type Index = { readonly name: string; readonly table: string; readonly sql: string };

const INDEXES = `select name, tbl_name as "table", sql from sqlite_schema where type = 'index' and sql is not null order by name`;

export function lateIndexes(db: Db): LateIndexes {
  let missing: readonly Index[] = [];
  return {
    begin() {
      missing = db.get("select 1 from files limit 1") === null ? db.all<Index>(INDEXES) : [];
      for (const { name } of missing) db.run(`drop index ${name}`);
    },
    make(tables) {
      const isDue = ({ table }: Index): boolean => tables === undefined || tables.includes(table);
      for (const { sql } of missing.filter(isDue)) db.run(sql);
      missing = missing.filter((index) => !isDue(index));
    },
    forget() {
      missing = [];
    },
  };
}
