/** The interface of an open database, and what a file must be to be opened. */
import type { Failure } from "../../failure.ts";

/** "append" is a write connection whose statements may only insert and select. */
export type Access = "read" | "write" | "append";

/** A value bound to a statement. Callers bind booleans as 0 and 1. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** A row as SQLite returns it, with 0 and 1 for the booleans `Key`. */
export type Flagged<Row, Key extends keyof Row> = Omit<Row, Key> & { readonly [K in Key]: 0 | 1 };

/**
 * A kind of database file. `migrations[n - 1]` is the SQL that leads to version n; a released one is never edited.
 * `applicationId` identifies cra's files (32 bits, SQLite's application_id pragma).
 */
export type Schema = {
  readonly applicationId: number;
  readonly migrations: readonly string[];
  /** The digest of the definitions by version (`digestOf`). A missing one is computed from an empty database. */
  readonly digests?: Readonly<Record<number, string>>;
  readonly journal: "wal" | "delete";
  /** The size of a page in a new file. Large ones suit rows of several KB, whose rest would leave much of a page empty. */
  readonly pageBytes?: number;
  /** Called before an existing file is migrated. */
  beforeMigration?(path: string): void;
  /** Overwrites what is deleted, because copies of the file go to other machines. */
  readonly erases?: true;
  /** The failure for an invalid file; `why` is a sentence about it, such as "it is empty". */
  damaged(path: string, why: string): Failure;
};

/** An open database. Each SQL text is prepared once. Row types are the caller's promise about its SQL. */
export type Db = {
  readonly path: string;
  all<Row>(sql: string, ...values: readonly SqlValue[]): Row[];
  get<Row>(sql: string, ...values: readonly SqlValue[]): Row | null;
  /** Rows one at a time, for results too large for memory. */
  each<Row>(sql: string, ...values: readonly SqlValue[]): Iterable<Row>;
  /** Runs one statement and returns the number of rows it changed. */
  run(sql: string, ...values: readonly SqlValue[]): number;
  /** Runs one statement for each row of values. */
  runAll(sql: string, rows: Iterable<readonly SqlValue[]>): void;
  /** Runs SQL of several statements, without values. */
  script(sql: string): void;
  /** Runs `work` in a write transaction. `work` is synchronous. */
  transaction<T>(work: () => T): T;
  /** Begins a write transaction that lasts until `commit`, `rollback` or `close`. */
  begin(): void;
  commit(): void;
  rollback(): void;
  /** The database as the bytes of one file, including its write-ahead log. */
  bytes(): Uint8Array;
  /** Whether the open file was removed, renamed or replaced, so that it is no longer the one at `path`. */
  isMoved(): boolean;
  close(): void;
};
