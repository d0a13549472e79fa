/**
 * Rows of a full-text table that wait to be written in the order of their ids.
 *
 * FTS5 begins a segment whenever an id is below the one before, and merges segments that have become many. In any other order the rows of
 * a few files would rewrite the whole table.
 */
import type { Db } from "../../sqlite/db.ts";

export type SearchRows = {
  /** Puts a row with these texts in the place of that with the same id. `isNew`: there is none. */
  put(rowid: number, texts: readonly string[], isNew: boolean): void;
  remove(rowids: readonly number[]): void;
  /** Writes what waits. A query has to come after it. */
  write(): void;
  /** Forgets what waits. */
  clear(): void;
};

/** More text than this does not wait. */
const WAITING_CHARS_MAX = 4 * 1024 * 1024;

/** `termsOf`: the form in which a text is written. */
export function searchRows(
  db: Db,
  table: string,
  columns: readonly string[],
  termsOf: (text: string) => string,
): SearchRows {
  const insert = `insert into ${table}(rowid, ${columns.join(", ")}) values (${["", ...columns].map((_, at) => `?${at + 1}`).join(", ")})`;
  const remove = `delete from ${table} where rowid = ?1`;
  /** By id: whether the table has a row, and the row to put there. */
  const waiting = new Map<number, { readonly isStored: boolean; readonly row: readonly string[] | null }>();
  let chars = 0;
  const clear = (): void => {
    waiting.clear();
    chars = 0;
  };
  const write = (): void => {
    for (const [rowid, { isStored, row }] of [...waiting].sort(([a], [b]) => a - b)) {
      if (isStored) db.run(remove, rowid);
      if (row !== null) db.run(insert, rowid, ...row.map(termsOf));
    }
    clear();
  };
  return {
    put(rowid, row, isNew) {
      waiting.set(rowid, { isStored: waiting.get(rowid)?.isStored ?? !isNew, row });
      for (const text of row) chars += text.length;
      if (chars > WAITING_CHARS_MAX) write();
    },
    remove(rowids) {
      for (const rowid of rowids)
        if (waiting.get(rowid)?.isStored === false) waiting.delete(rowid);
        else waiting.set(rowid, { isStored: true, row: null });
    },
    write,
    clear,
  };
}
