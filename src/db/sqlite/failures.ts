/**
 * What SQLite's errors mean for the one who called: the file is damaged, busy, or the disk takes nothing.
 *
 * Not here: catching them (`open.ts`).
 */
import { Failed } from "../../failure.ts";
import type { Schema } from "./open.ts";

/** SQLite's primary result codes (sqlite.org/rescode.html): the low byte of `errno`. */
const RESULT = { busy: 5, locked: 6, readonly: 8, ioerr: 10, corrupt: 11, full: 13, cantopen: 14, notadb: 26 } as const;

/** The failure that an error of SQLite is; what says nothing about the file or the disk comes back as it is. */
export function asFailed(error: unknown, path: string, schema: Pick<Schema, "damaged">): unknown {
  if (error instanceof Failed || !(error instanceof Error)) return error;
  const io = (next: string): Failed =>
    new Failed({ code: "io", message: error.message, where: path, next }, { cause: error });
  switch (resultOf(error)) {
    case RESULT.busy:
    case RESULT.locked:
      return new Failed({ code: "locked", holder: `${path} is busy` }, { cause: error });
    case RESULT.corrupt:
    case RESULT.notadb:
      return new Failed(schema.damaged(path, error.message), { cause: error });
    case RESULT.full:
      return io("free some space, or name another folder with --data-dir");
    case RESULT.readonly:
    case RESULT.cantopen:
      return io("check its permissions and how many files may be open, or name another folder with --data-dir");
    case RESULT.ioerr:
      return io("check the disk and its free space, or name another folder with --data-dir");
    default:
      // A row of a kind that its table never takes.
      return codeOf(error) === "SQLITE_CONSTRAINT_DATATYPE"
        ? new Failed(schema.damaged(path, error.message), { cause: error })
        : error;
  }
}

/** Bun's SQLite errors carry `code` and `errno` but not always their class name, so only these are read. */
function resultOf(error: unknown): number | null {
  return error instanceof Error &&
    "errno" in error &&
    typeof error.errno === "number" &&
    codeOf(error).startsWith("SQLITE_")
    ? error.errno & 0xff
    : null;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** Whether another process holds the file. */
export const isBusy = (error: unknown): boolean => resultOf(error) === RESULT.busy;

/** Whether the file, or one that SQLite keeps beside it, could not be opened. */
export const isUnopenable = (error: unknown): boolean => codeOf(error) === "SQLITE_CANTOPEN";

/** Whether something would have to be written first. */
export const isReadOnly = (error: unknown): boolean => resultOf(error) === RESULT.readonly;
