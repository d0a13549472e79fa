/**
 * Opens one SQLite file for one kind of access; the only door to bun:sqlite.
 *
 * Invariants: the busy timeout is the first statement; the file's identity (application_id), schema version
 * (user_version) and definitions are checked before any other SQL; write transactions are immediate, synchronous
 * and never nested; a connection opened for reading cannot write; every SQLite error that is about the
 * file or the disk leaves as a `Failed`. Values are bound by position, so that a missing one throws.
 * Not here: SQL of any table (`*-schema.ts`, `curated.ts`, ...), where files live (`paths.ts`).
 */
import { constants, Database, type Statement } from "bun:sqlite";
import { lstatSync, type Stats } from "node:fs";
import { pathToFileURL } from "node:url";
import { Failed, type Failure } from "../../failure.ts";
import { asFailed, isBusy, isReadOnly, isUnopenable } from "./failures.ts";
import { migrate } from "./migrate.ts";
import { digestOf, PARTS, type Part, pragmaNumber } from "./schema-check.ts";
import { begin, misuse, transact } from "./transaction.ts";

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

// Every statement of a connection stays prepared (Bun keeps 20 by default).
Database.MAX_QUERY_CACHE_SIZE = 200;

/** How long a statement waits for another process, unless told otherwise. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens `path` (":memory:" for none). Throws `Failed`: the schema's `damaged` failure for a file that is no
 * database of ours, `index-newer` for one of a later version, `locked` when another process holds it too
 * long, `io` for the disk.
 */
export function openDatabase(path: string, access: Access, schema: Schema, busyTimeoutMs = BUSY_TIMEOUT_MS): Db {
  const stat = path === ":memory:" ? null : entryOf(path);
  if (stat !== null && !stat.isFile()) throw new Failed(schema.damaged(path, "it is not a regular file"));
  if (stat?.size === 0 && access === "read") throw new Failed(schema.damaged(path, NOTHING_WRITTEN));
  if (stat === null && access === "read" && path !== ":memory:")
    throw new Failed({ code: "io", message: "the file does not exist", where: path, next: "run: cra index" });
  const attempt = (raw: Database): Db => opened(raw, path, access, schema, busyTimeoutMs);
  try {
    return attempt(connect(path, access === "read", busyTimeoutMs));
  } catch (error) {
    if (access !== "read") throw asFailed(error, path, schema);
    try {
      if (isReadOnly(error)) {
        // A writer was killed; only a connection that may write can undo what it left half done.
        openDatabase(path, "write", schema, busyTimeoutMs).close();
        return attempt(connect(path, true, busyTimeoutMs));
      }
      if (isUnopenable(error) && !hasLog(path)) return attempt(connectByUri(path, IMMUTABLE));
    } catch (again) {
      throw asFailed(again, path, schema);
    }
    throw asFailed(error, path, schema);
  }
}

/**
 * A connection that only serves to hold a lock: its file stays empty. Statements throw SQLite's own errors
 * as `Failed` of code `locked` at once, without waiting.
 */
export function openLockFile(path: string): Db {
  const stat = entryOf(path);
  if (stat !== null && !stat.isFile())
    throw new Failed({ code: "io", message: "it is not a regular file", where: path, next: "remove it" });
  const schema: Schema = {
    applicationId: 0,
    migrations: [],
    journal: "delete",
    damaged: (where, message) => ({ code: "io", message, where, next: "remove it" }),
  };
  try {
    return facade(connect(path, false, 0), path, "write", schema);
  } catch (error) {
    throw asFailed(error, path, schema);
  }
}

/** Why a file that somebody is creating, or that was cut to nothing, cannot be read. */
export const NOTHING_WRITTEN = "it is empty";

function connect(path: string, readonly: boolean, busyTimeoutMs: number): Database {
  const raw = new Database(
    path,
    readonly ? { readonly, strict: true } : { create: true, readwrite: true, strict: true },
  );
  raw.run(`pragma busy_timeout = ${Math.trunc(busyTimeoutMs)}`);
  return raw;
}

/**
 * Opens a file to look at it without a trace: nothing is made or changed beside it, nothing is waited for, and an older
 * version stays one. Another process that writes meanwhile may make this reader see things that never were.
 */
export function openUntouched(path: string, schema: Schema): { readonly db: Db; readonly version: number } {
  if (entryOf(path)?.isFile() !== true) throw new Failed(schema.damaged(path, "it is not a regular file"));
  // A log whose shared memory is gone can only be read by who keeps that to himself.
  const isAlone = hasLog(path) && entryOf(`${path}-shm`) === null;
  const how = isAlone ? "vfs=unix-none" : hasLog(path) ? "readonly_shm=1" : IMMUTABLE;
  let raw: Database | null = null;
  try {
    raw = connectByUri(path, how);
    if (isAlone) raw.run("pragma locking_mode = exclusive");
    raw.run("pragma trusted_schema = off; pragma cell_size_check = on; pragma temp_store = memory");
    return { version: checkedVersion(raw, path, "read", schema), db: facade(raw, path, "read", schema) };
  } catch (error) {
    raw?.close();
    throw asFailed(error, path, schema);
  }
}

/** Reading a WAL database without its shared memory: only right while nobody can write it, as on a read-only folder. */
const IMMUTABLE = "immutable=1";

function connectByUri(path: string, parameters: string): Database {
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  return new Database(`${pathToFileURL(path).href}?${parameters}`, flags);
}

function opened(raw: Database, path: string, access: Access, schema: Schema, busyTimeoutMs: number): Db {
  try {
    const version = checkedVersion(raw, path, access, schema);
    if (access === "read" && version < schema.migrations.length) {
      // An older file: brought up to date once, through a connection that may write.
      raw.close();
      openDatabase(path, "write", schema, busyTimeoutMs).close();
      return openDatabase(path, "read", schema, busyTimeoutMs);
    }
    if (access !== "read") setJournal(raw, schema.journal, busyTimeoutMs);
    raw.run("pragma foreign_keys = on");
    raw.run("pragma trusted_schema = off");
    raw.run("pragma cell_size_check = on");
    raw.run("pragma temp_store = memory");
    // In WAL mode this keeps the file whole through a power cut; only the newest commits may be lost.
    if (access !== "read" && schema.journal === "wal") raw.run("pragma synchronous = normal");
    if (access !== "read") migrate(facade(raw, path, "write", schema), schema);
    return facade(raw, path, access, schema);
  } catch (error) {
    raw.close();
    throw error;
  }
}

const JOURNAL_RETRY_MS = 20;

/** Waits as other statements do: SQLite itself does not when two processes give a file its write-ahead log at once. */
function setJournal(raw: Database, journal: Schema["journal"], busyTimeoutMs: number): void {
  for (let waitedMs = 0; ; waitedMs += JOURNAL_RETRY_MS) {
    try {
      raw.run(`pragma journal_mode = ${journal}`);
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs >= busyTimeoutMs) throw error;
      Bun.sleepSync(JOURNAL_RETRY_MS);
    }
  }
}

/** The schema version of a file that is ours; 0 for one that nothing was written to yet. */
function checkedVersion(raw: Database, path: string, access: Access, schema: Schema): number {
  // In one transaction, as another process may be creating the file between two of them.
  const { applicationId, version, parts, isNew } = raw
    .transaction(() => {
      const found = { applicationId: pragmaNumber(raw, "application_id"), version: pragmaNumber(raw, "user_version") };
      const parts = raw.query<Part, []>(PARTS).all();
      return { ...found, parts, isNew: found.applicationId === 0 && found.version === 0 && parts.length === 0 };
    })
    .deferred();
  if (isNew && access === "read") throw new Failed(schema.damaged(path, NOTHING_WRITTEN));
  if (applicationId !== schema.applicationId && !isNew) throw new Failed(schema.damaged(path, "cra did not write it"));
  const known = schema.migrations.length;
  if (version > known) throw new Failed({ code: "index-newer", path, found: version, known });
  if (version < 0) throw new Failed(schema.damaged(path, `its version is ${version}`));
  if (!isNew && digestOf(parts) !== digestAt(version, schema))
    throw new Failed(schema.damaged(path, "its tables are not those that cra makes"));
  return version;
}

/** By the migrations, as some schemas differ in their failures only. */
const knownDigests = new WeakMap<Schema["migrations"], Map<number, string>>();

/** Of what the migrations up to a version make: an empty database of that version tells where the schema does not. */
function digestAt(version: number, schema: Schema): string {
  const known = knownDigests.get(schema.migrations) ?? new Map<number, string>();
  knownDigests.set(schema.migrations, known);
  let digest = schema.digests?.[version] ?? known.get(version);
  if (digest === undefined) {
    const empty = openDatabase(":memory:", "write", { ...schema, migrations: schema.migrations.slice(0, version) });
    digest = digestOf(empty.all<Part>(PARTS));
    empty.close();
    known.set(version, digest);
  }
  return digest;
}

function facade(raw: Database, path: string, access: Access, schema: Schema): Db {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw asFailed(error, path, schema);
    }
  };
  const prepared = <Row>(sql: string, values: readonly Value[] | null): Statement<Row, Value[]> => {
    if (access === "append" && !/^\s*(insert into|select)\b/i.test(sql))
      throw misuse("an append-only database takes inserts only");
    const statement = raw.query<Row, Value[]>(sql);
    // Bun counts values itself, except that it takes none at all to mean "those of the last time".
    if (values?.length === 0 && statement.paramsCount > 0)
      throw misuse(`a statement expects ${statement.paramsCount} values`);
    return statement;
  };
  return {
    path,
    all: <Row>(sql: string, ...values: readonly Value[]) => guarded(() => prepared<Row>(sql, values).all(...values)),
    get: <Row>(sql: string, ...values: readonly Value[]) => guarded(() => prepared<Row>(sql, values).get(...values)),
    *each<Row>(sql: string, ...values: readonly Value[]): Generator<Row> {
      // Its own statement: a cached one would be reset under the loop by a second use.
      const statement = guarded(() => raw.prepare<Row, Value[]>(sql));
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
    // A full disk has already rolled back; a second rollback would hide the first error.
    rollback: () => guarded(() => void (raw.inTransaction && raw.run("rollback"))),
    bytes: () => guarded(() => raw.serialize()),
    isMoved() {
      // SQLite writes 0 or 1 to the first number.
      const flag = new Int32Array(2);
      guarded(() => raw.fileControl(constants.SQLITE_FCNTL_HAS_MOVED, flag));
      return flag[0] === 1;
    },
    close: () => raw.close(),
  };
}

const entryOf = (path: string): Stats | null => lstatSync(path, { throwIfNoEntry: false }) ?? null;

/** Whether commits wait in a write-ahead log, which an immutable reading would miss. */
const hasLog = (path: string): boolean => (entryOf(`${path}-wal`)?.size ?? 0) > 0;
