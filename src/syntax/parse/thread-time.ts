/**
 * The processor time of a thread of this process, readable from any of its threads.
 *
 * Clock time says little about a file while other programs use the machine. Only Linux reports it, through /proc; on other
 * systems there is no answer.
 */
import { readFileSync, readlinkSync } from "node:fs";

/** Names the current thread, for `threadMs`; null if the system does not report it. */
export function ownThread(): string | null {
  try {
    return readlinkSync("/proc/thread-self");
  } catch {
    return null;
  }
}

/** Milliseconds of processor time, in steps of ten; null if the thread has ended. */
export function threadMs(thread: string): number | null {
  try {
    const stat = readFileSync(`/proc/${thread}/stat`, "utf8");
    // The name of the thread is in brackets and can contain anything; user and system time are the 12th and 13th field after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return null;
  }
}

/** The unit of /proc is 1/100 s on every system that Bun runs on. */
const MS_PER_TICK = 10;
