/**
 * Opens a SQLite file for one kind of access, after checking that cra wrote it. The only way to get a connection.
 *
 * The file's application_id, user_version and definitions are checked before any other SQL runs. An older file is
 * migrated, even when it is opened for reading.
 */
import { constants, Database } from "bun:sqlite";
import { closeSync, constants as files, lstatSync, openSync, type Stats } from "node:fs";
import { pathToFileURL } from "node:url";
import { Failed } from "../../failure.ts";
import { companionProblem } from "./companions.ts";
import { connection } from "./connection.ts";
import type { Access, Db, Schema } from "./db.ts";
import { asFailed, CHECK_FOLDER, isBusy, isReadOnly, isUnopenable, onDisk } from "./failures.ts";
import { digestOf, PARTS, type Part, pragmaNumber } from "./schema-check.ts";

// Every statement of a connection stays prepared (Bun keeps 20 by default).
Database.MAX_QUERY_CACHE_SIZE = 200;

/** How long a statement waits for another process by default. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens `path`, or an in-memory database for ":memory:". Throws the schema's `damaged` failure for a file that cra
 * did not write, `index-newer` for a later version, `locked` when another process holds the file longer than
 * `busyTimeoutMs`, and `io` for disk errors.
 */
export function openDatabase(path: string, access: Access, schema: Schema, busyTimeoutMs = BUSY_TIMEOUT_MS): Db {
  const stat = path === ":memory:" ? null : entryOf(path);
  if (stat !== null && !stat.isFile()) throw new Failed(schema.damaged(path, "it is not a regular file"));
  if (stat?.size === 0 && access === "read") throw new Failed(schema.damaged(path, NOTHING_WRITTEN));
  if (stat === null && access === "read" && path !== ":memory:")
    throw new Failed({ code: "io", message: "the file does not exist", where: path, next: "run: cra index" });
  checkCompanions(path, schema);
  const attempt = (raw: Database): Db => opened(raw, path, access, schema, busyTimeoutMs);
  try {
    return attempt(connect(path, access === "read", busyTimeoutMs));
  } catch (error) {
    if (access !== "read") throw asFailed(error, path, schema);
    try {
      if (isUnopenable(error) && !hasLog(path)) return attempt(connectByUri(path, IMMUTABLE));
      if (isReadOnly(error)) {
        // A writer was killed; only a write connection can roll back its unfinished transaction.
        openDatabase(path, "write", schema, busyTimeoutMs).close();
        return attempt(connect(path, true, busyTimeoutMs));
      }
    } catch (again) {
      throw asFailed(again, path, schema);
    }
    throw asFailed(error, path, schema);
  }
}

/**
 * A connection that only holds a lock; its file stays empty, and is emptied if something else wrote to it. A busy file throws
 * `locked` at once, without waiting.
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
    // The file stays the same one, so a lock that another process holds on it is kept.
    if (stat !== null && stat.size > 0) onDisk(path, CHECK_FOLDER, () => closeSync(openSync(path, WITHOUT_LINKS)));
    return connection(connect(path, false, 0), path, "write", schema);
  } catch (error) {
    throw asFailed(error, path, schema);
  }
}

const WITHOUT_LINKS = files.O_WRONLY | files.O_TRUNC | files.O_NOFOLLOW;

function checkCompanions(path: string, schema: Schema): void {
  const why = path === ":memory:" ? null : companionProblem(path);
  if (why !== null) throw new Failed(schema.damaged(path, why));
}

/** The reason given for a file that is being created or was truncated. */
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
 * Opens a file for inspection without changing anything: it creates no files, waits for no locks and runs no migrations.
 * If another process writes at the same time, reads may be inconsistent.
 */
export function openUntouched(path: string, schema: Schema): { readonly db: Db; readonly version: number } {
  if (entryOf(path)?.isFile() !== true) throw new Failed(schema.damaged(path, "it is not a regular file"));
  checkCompanions(path, schema);
  // A write-ahead log without its -shm file can only be read by a connection that keeps that index to itself.
  const isAlone = hasLog(path) && entryOf(`${path}-shm`) === null;
  const how = isAlone ? "vfs=unix-none" : hasLog(path) ? "readonly_shm=1" : IMMUTABLE;
  let raw: Database | null = null;
  try {
    raw = connectByUri(path, how);
    if (isAlone) raw.run("pragma locking_mode = exclusive");
    raw.run("pragma trusted_schema = off; pragma cell_size_check = on; pragma temp_store = memory");
    return { version: checkedVersion(raw, path, "read", schema), db: connection(raw, path, "read", schema) };
  } catch (error) {
    raw?.close();
    throw asFailed(error, path, schema);
  }
}

/** Reads a WAL database without its -shm file. Only correct while nobody can write it, as in a read-only folder or on a full disk. */
const IMMUTABLE = "immutable=1";

function connectByUri(path: string, parameters: string): Database {
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
  return new Database(`${pathToFileURL(path).href}?${parameters}`, flags);
}

function opened(raw: Database, path: string, access: Access, schema: Schema, busyTimeoutMs: number): Db {
  try {
    const version = checkedVersion(raw, path, access, schema);
    if (access === "read" && version < schema.migrations.length) {
      // An older file is migrated once, through a write connection.
      raw.close();
      openDatabase(path, "write", schema, busyTimeoutMs).close();
      return openDatabase(path, "read", schema, busyTimeoutMs);
    }
    // A file that is being created has nothing to lose; its first checkpoint waits for the disk.
    if (access !== "read" && version === 0 && schema.journal === "wal") raw.run("pragma synchronous = off");
    if (access !== "read" && version === 0 && schema.pageBytes !== undefined)
      raw.run(`pragma page_size = ${schema.pageBytes}`);
    if (access !== "read") setJournal(raw, schema.journal, busyTimeoutMs);
    raw.run("pragma foreign_keys = on");
    raw.run("pragma trusted_schema = off");
    raw.run("pragma cell_size_check = on");
    raw.run("pragma temp_store = memory");
    if (access !== "read" && schema.erases === true) raw.run("pragma secure_delete = on");
    if (access !== "read" && version > 0 && version < schema.migrations.length) schema.beforeMigration?.(path);
    if (access !== "read") migrate(connection(raw, path, "write", schema), schema);
    // In WAL mode a power cut can then lose the newest commits, but cannot corrupt the file.
    if (access !== "read" && schema.journal === "wal") raw.run("pragma synchronous = normal");
    return connection(raw, path, access, schema);
  } catch (error) {
    raw.close();
    throw error;
  }
}

const JOURNAL_RETRY_MS = 20;

/** Retries until the busy timeout: SQLite does not wait when two processes switch a file to WAL mode at once. */
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

/**
 * Runs the migrations that a file still lacks. Each commits with its version number, so a killed migration leaves a whole older version. Those
 * of a new file are one: a version in between may not be what an older cra made of it.
 */
function migrate(db: Db, schema: Schema): void {
  const { applicationId, migrations } = schema;
  while (versionOf(db) < migrations.length) {
    db.transaction(() => {
      // Read again under the write lock: another process may have run this migration meanwhile.
      const version = versionOf(db);
      if (version >= migrations.length) return;
      const next = version === 0 ? migrations.length : version + 1;
      for (const migration of migrations.slice(version, next)) db.script(migration);
      db.script(`pragma application_id = ${applicationId}; pragma user_version = ${next}`);
    });
  }
}

const versionOf = (db: Db): number => db.get<{ user_version: number }>("pragma user_version")?.user_version ?? 0;

/** The schema version of a file that cra wrote; 0 for a new, empty file. */
function checkedVersion(raw: Database, path: string, access: Access, schema: Schema): number {
  // One transaction, because another process may be creating the file between two reads.
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

/** Keyed by the migrations, because some schemas differ only in their failures. */
const knownDigests = new WeakMap<Schema["migrations"], Map<number, string>>();

/** The digest of a version. Where the schema does not state it, an empty database of that version is built and measured. */
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

const entryOf = (path: string): Stats | null => lstatSync(path, { throwIfNoEntry: false }) ?? null;

/** A write-ahead log begins with this many bytes, before its first page (sqlite.org/fileformat2.html). */
const LOG_HEADER_BYTES = 32;

/**
 * Whether the write-ahead log of a database holds pages, which an immutable read would miss. A killed writer can leave a log of
 * a header only, from which SQLite cannot rebuild the shared memory of a reader that may not write it ("locking protocol").
 */
export const hasLog = (path: string): boolean => (entryOf(`${path}-wal`)?.size ?? 0) > LOG_HEADER_BYTES;
