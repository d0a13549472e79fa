/** Tells a standard stream that was never open from one that leads to /dev/null. Imported before the process restarts, so it imports little. */
import { readFileSync } from "node:fs";

/** The flag in Linux's list of open files. */
const O_CLOEXEC = 0o2000000;

/**
 * Whether the process began with this stream open. The engine puts /dev/null in place of a closed one, and marks it to be closed
 * when another program starts; no stream that was handed over bears this mark. A process that replaces this one does not get the mark. True
 * where the system does not tell.
 */
export function wasOpen(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    return true;
  }
}
