/**
 * Wraps a bun:sqlite connection as a `Db`: values are counted, errors about the file become `Failed`, and write
 * transactions are immediate, synchronous and never nested.
 */
import { constants, type Database, type Statement } from "bun:sqlite";
import type { Access, Db, Schema, SqlValue } from "./db.ts";
import { asFailed, misuse } from "./failures.ts";

export function connection(raw: Database, path: string, access: Access, schema: Schema): Db {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw asFailed(error, path, schema);
    }
  };
  const prepared = <Row>(sql: string, values: readonly SqlValue[] | null): Statement<Row, SqlValue[]> => {
    if (access === "append" && !/^\s*(insert into|select)\b/i.test(sql))
      throw misuse("an append-only database takes inserts only");
    const statement = raw.query<Row, SqlValue[]>(sql);
    // Bun checks the number of values itself, except that it reads none at all as "the values of the last call".
    if (values?.length === 0 && statement.paramsCount > 0)
      throw misuse(`a statement expects ${statement.paramsCount} values`);
    return statement;
  };
  return {
    path,
    all: <Row>(sql: string, ...values: readonly SqlValue[]) => guarded(() => prepared<Row>(sql, values).all(...values)),
    get: <Row>(sql: string, ...values: readonly SqlValue[]) => guarded(() => prepared<Row>(sql, values).get(...values)),
    *each<Row>(sql: string, ...values: readonly SqlValue[]): Generator<Row> {
      // Not a cached statement: a second use would reset it under the loop.
      const statement = guarded(() => raw.prepare<Row, SqlValue[]>(sql));
      try {
        const rows = guarded(() => statement.iterate(...values));
        for (let row = guarded(() => rows.next()); !row.done; row = guarded(() => rows.next())) yield row.value;
      } finally {
        statement.finalize();
      }
    },
    run: (sql, ...values) => guarded(() => prepared(sql, values).run(...values).changes),
    runAll(sql, rows) {
      guarded(() => {
        const statement = prepared(sql, null);
        for (const values of rows) statement.run(...values);
      });
    },
    script(sql) {
      if (access === "append") throw misuse("an append-only database takes inserts only");
      guarded(() => raw.run(sql));
    },
    transaction: (work) => guarded(() => transact(raw, work)),
    begin: () => guarded(() => begin(raw)),
    commit: () => guarded(() => void raw.run("commit")),
    // A full disk has rolled back already, and a second rollback would hide the first error.
    rollback: () => guarded(() => void (raw.inTransaction && raw.run("rollback"))),
    bytes: () => guarded(() => raw.serialize()),
    isMoved() {
      // SQLite writes 0 or 1 to the first element.
      const flag = new Int32Array(2);
      guarded(() => raw.fileControl(constants.SQLITE_FCNTL_HAS_MOVED, flag));
      return flag[0] === 1;
    },
    close: () => raw.close(),
  };
}

function transact<T>(raw: Database, work: () => T): T {
  begin(raw);
  try {
    const result = work();
    if (result instanceof Promise) throw misuse("a transaction must be synchronous");
    raw.run("commit");
    return result;
  } catch (error) {
    if (raw.inTransaction) raw.run("rollback");
    throw error;
  }
}

function begin(raw: Database): void {
  if (raw.inTransaction) throw misuse("a transaction is already open");
  raw.run("begin immediate");
}
