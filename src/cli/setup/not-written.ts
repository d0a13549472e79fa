/** Why a file was left alone, and which of these reasons end the run as a failure: those of the system, such as a full disk. */
import { Failed } from "../../failure.ts";
import { errorCode } from "../../text/system-errors.ts";

/** A file that was left alone. `ends` is the failure that the run ends with; null where its content is the reason. */
export type NotWritten = { readonly path: string; readonly why: string; readonly ends: Failed | null };

export function notWritten(path: string, realPath: string, error: Failed): NotWritten {
  const { failure } = error;
  if (failure.code !== "io") return { path, why: error.message, ends: null };
  const { message, where } = failure;
  const code = errorCode(error.cause);
  if (code === null) return { path, why: message, ends: null };
  const next = `${ADVICE.get(code) ?? "check the permissions of its folder"}, then run it again`;
  const ends = new Failed({ ...failure, next }, { cause: error });
  // What cannot be written may be the record of what was there, on another disk.
  return { path, why: where === realPath ? message : `${where}: ${message}`, ends };
}

const ADVICE: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "free some space"],
  ["EDQUOT", "free some space"],
  ["EFBIG", "raise the limit on file sizes (ulimit -f)"],
  ["EMFILE", "raise the limit on open files (ulimit -n)"],
  ["EIO", "check the disk"],
  ["EROFS", "make the disk writable"],
]);

/** Ends the run when the system refused a file. */
export function throwFirst(left: readonly NotWritten[]): void {
  const first = left.find(({ ends }) => ends !== null)?.ends;
  if (first != null) throw first;
}
