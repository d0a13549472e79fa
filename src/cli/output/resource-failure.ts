/** Tells an exhausted machine from a bug: a full disk, too little memory, too many open files or threads can show anywhere. */
import { Failed } from "../../failure.ts";
import { errorCode, systemErrorWords } from "../../text/system-errors.ts";

/** Advice for each error code of the system. */
const NEXT: ReadonlyMap<unknown, string> = new Map([
  ["EMFILE", "close some programs, or raise the limit (ulimit -n)"],
  ["ENFILE", "close some programs"],
  ["ENOSPC", "free some space"],
  ["EDQUOT", "free some space"],
  ["EFBIG", "raise the limit on file sizes (ulimit -f)"],
  ["EIO", "check the disk"],
  ["EROFS", "choose another folder with --data-dir"],
]);

/** The engine's error has no code. A container's limit on processes counts threads, too. */
const NO_THREAD = "Failed to spawn worker thread";

/** The engine's errors, alone or as the report of a thread, which has lines of source before them. */
const NO_MEMORY = /(?:^|^RangeError: )(?:Out of memory|Failed to allocate memory|Array buffer allocation failed)$/m;

/** The failure for an error that the system's limits caused; any other error unchanged. */
export function machineFailure(error: unknown): unknown {
  if (error instanceof TypeError && error.message === NO_THREAD) {
    const next = "close some programs, or raise the limit (ulimit -u)";
    const message = "no more threads can be started";
    return new Failed({ code: "io", message, where: "this machine", next }, { cause: error });
  }
  if (error instanceof Error && !(error instanceof Failed) && NO_MEMORY.test(error.message)) {
    const next = "close some programs, raise the limit (ulimit -v), or use fewer threads (index.workers)";
    return new Failed(
      { code: "io", message: "there is not enough memory", where: "this machine", next },
      { cause: error },
    );
  }
  const next = NEXT.get(errorCode(error));
  if (next === undefined || error instanceof Failed || !(error instanceof Error)) return error;
  const where = "path" in error && typeof error.path === "string" ? error.path : "this machine";
  return new Failed({ code: "io", message: systemErrorWords(error), where, next }, { cause: error });
}
