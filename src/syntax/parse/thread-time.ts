/**
 * How much processor time a thread of this process has had, asked from any of its threads.
 *
 * Time on the clock says little about a file while other programs use the machine. Only Linux tells, through /proc;
 * elsewhere there is no answer. Not here: what to do with it (`time-limit.ts`).
 */
import { readFileSync, readlinkSync } from "node:fs";

/** Names the thread that asks, for `threadMs`; null where the system does not tell. */
export function ownThread(): string | null {
  try {
    return readlinkSync("/proc/thread-self");
  } catch {
    return null;
  }
}

/** Milliseconds that a thread was at work, in steps of ten; null when it has ended. */
export function threadMs(thread: string): number | null {
  try {
    const stat = readFileSync(`/proc/${thread}/stat`, "utf8");
    // The name of the thread is in brackets and may hold anything; user and system time are 12th and 13th after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return null;
  }
}

/** The unit of /proc is 1/100 s on every system that Bun runs on. */
const MS_PER_TICK = 10;
