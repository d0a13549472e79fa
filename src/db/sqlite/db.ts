/**
 * What an open SQLite database offers, and what a file must be to be opened.
 */
import type { Failure } from "../../failure.ts";

/** "append" is a write connection whose statements may only insert and select. */
export type Access = "read" | "write" | "append";

/** What may be bound to a statement. Booleans are bound as 0 and 1 by the caller. */
export type Value = string | number | bigint | null | Uint8Array;

/**
 * What a file must be. `migrations[n - 1]` is the SQL that leads to version n; a released one is never
 * edited. `applicationId` marks the file as ours (32 bits, see SQLite's application_id pragma).
 */
export type Schema = {
  readonly applicationId: number;
  readonly migrations: readonly string[];
  /** By version, what its definitions are told by (`digestOf`); of one that is not here an empty database is made. */
  readonly digests?: Readonly<Record<number, string>>;
  readonly journal: "wal" | "delete";
  /** The failure for a file that is not what it should be; `why` completes "the file ...". */
  damaged(path: string, why: string): Failure;
};

/** An open database. Statements are prepared once per SQL text. Row types are the caller's promise about its SQL. */
export type Db = {
  readonly path: string;
  all<Row>(sql: string, ...values: readonly Value[]): Row[];
  get<Row>(sql: string, ...values: readonly Value[]): Row | null;
  /** Rows one at a time, for results too large to hold. */
  each<Row>(sql: string, ...values: readonly Value[]): Iterable<Row>;
  /** Runs one statement and returns the number of rows it changed. */
  run(sql: string, ...values: readonly Value[]): number;
  /** Runs one statement for each row of values. */
  runAll(sql: string, rows: Iterable<readonly Value[]>): void;
  /** Runs SQL of several statements, without values. */
  script(sql: string): void;
  /** All of `work` or nothing of it. `work` is synchronous. */
  transaction<T>(work: () => T): T;
  /** Begins a transaction that outlives the call: `commit` keeps it, `rollback` or closing undoes it. */
  begin(): void;
  commit(): void;
  rollback(): void;
  /** The database as the bytes of one file, with what waits in its write-ahead log. */
  bytes(): Uint8Array;
  /** Whether the open file is no longer the one at `path`, since it was removed, renamed or replaced. */
  isMoved(): boolean;
  close(): void;
};
