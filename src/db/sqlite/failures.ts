/** Turns errors of SQLite and of the system into failures: the file is damaged, another process holds it, or the disk refuses to write. */
import { Failed } from "../../failure.ts";
import { errorCode, systemErrorWords } from "../../text/system-errors.ts";
import type { Schema } from "./db.ts";

/** SQLite's primary result codes (sqlite.org/rescode.html): the low byte of `errno`. */
const RESULT = {
  busy: 5,
  locked: 6,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantopen: 14,
  protocol: 15,
  notadb: 26,
} as const;

/** The failure for a SQLite error. An error that is not about the file or the disk is returned unchanged. */
export function asFailed(error: unknown, path: string, schema: Pick<Schema, "damaged">): unknown {
  if (error instanceof Failed || !(error instanceof Error)) return error;
  const io = (next: string): Failed =>
    new Failed({ code: "io", message: error.message, where: path, next }, { cause: error });
  switch (resultOf(error)) {
    case RESULT.busy:
    case RESULT.locked:
    // Other processes changed the locks each time that SQLite tried to take one.
    case RESULT.protocol:
      return new Failed({ code: "locked", holder: `${path} is busy` }, { cause: error });
    case RESULT.corrupt:
    case RESULT.notadb:
      return new Failed(schema.damaged(path, error.message), { cause: error });
    case RESULT.full:
      return io("free some space, or choose another folder with --data-dir");
    case RESULT.readonly:
    case RESULT.cantopen:
      return io("check its permissions and how many files may be open, or choose another folder with --data-dir");
    case RESULT.ioerr:
      return io("check the disk and its free space, or choose another folder with --data-dir");
    default:
      return isDamage(error) ? new Failed(schema.damaged(path, error.message), { cause: error }) : error;
  }
}

/** Damage that SQLite reports with codes that other errors have, too. */
const isDamage = (error: Error): boolean =>
  // A stored value has a type that its strict table does not allow.
  errorCode(error) === "SQLITE_CONSTRAINT_DATATYPE" ||
  // The configuration of a full-text table, which is read when a statement is prepared.
  /^(?:invalid fts5 file format|vtable constructor failed)\b/.test(error.message);

/** Reads `code` and `errno` only: Bun's SQLite errors do not always carry their class name. */
function resultOf(error: unknown): number | null {
  return error instanceof Error &&
    "errno" in error &&
    typeof error.errno === "number" &&
    errorCode(error)?.startsWith("SQLITE_")
    ? error.errno & 0xff
    : null;
}

/** Does something to a file without SQLite; an error of the system becomes a failure with a path and advice. */
export function onDisk(where: string, next: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new Failed({ code: "io", message: systemErrorWords(error), where, next }, { cause: error });
  }
}

/** The advice where a file cannot be removed or emptied. */
export const CHECK_FOLDER = "check the permissions of its folder, or choose another folder with --data-dir";

/** Whether another process holds the file. */
export const isBusy = (error: unknown): boolean => resultOf(error) === RESULT.busy;

/**
 * Whether the file, or one that SQLite keeps beside it, could not be opened, or not be made: in a folder that nobody may write, or on a
 * full disk.
 */
export const isUnopenable = (error: unknown): boolean =>
  ["SQLITE_CANTOPEN", "SQLITE_READONLY_DIRECTORY", "SQLITE_IOERR_SHMOPEN", "SQLITE_IOERR_SHMSIZE"].includes(
    errorCode(error) ?? "",
  );

/** Whether SQLite has to write before it can read. */
export const isReadOnly = (error: unknown): boolean => resultOf(error) === RESULT.readonly;

/** The failure for a bug in the caller. */
export const misuse = (message: string): Failed => new Failed({ code: "internal", message });
