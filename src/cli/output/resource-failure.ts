/**
 * Tells a machine that has no more to give from a bug: a full disk or too many open files may show anywhere.
 *
 * Not here: files that cannot be read or written, each of which is handled where it is used.
 */
import { Failed } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";

/** What to do about it, by the system's code. */
const NEXT: ReadonlyMap<unknown, string> = new Map([
  ["EMFILE", "close some programs, or allow more (ulimit -n)"],
  ["ENFILE", "close some programs"],
  ["ENOSPC", "free some space"],
  ["EDQUOT", "free some space"],
  ["EFBIG", "allow larger files (ulimit -f)"],
  ["EIO", "check the disk"],
  ["EROFS", "name another folder with --data-dir"],
]);

/** The failure that an error of the system is, or what was given. */
export function machineFailure(error: unknown): unknown {
  const next = error instanceof Error && "code" in error ? NEXT.get(error.code) : undefined;
  if (next === undefined || error instanceof Failed || !(error instanceof Error)) return error;
  const where = "path" in error && typeof error.path === "string" ? error.path : "this machine";
  return new Failed({ code: "io", message: systemErrorWords(error), where, next }, { cause: error });
}
