/**
 * The processor time of processes on this machine and of their threads.
 *
 * Clock time says little about work while other programs use the machine. Only Linux reports it for others, through /proc; on
 * other systems there is no answer.
 */
import { readFileSync, readlinkSync } from "node:fs";

/** `cpuMs`: in steps of ten milliseconds. `isWaiting`: it neither computes nor reads from a disk, and is not in line for either. */
type Activity = { readonly cpuMs: number; readonly isWaiting: boolean };

/** Names the current thread, for `activityOf`; null if the system does not report it. */
export function ownThread(): string | null {
  try {
    return readlinkSync("/proc/thread-self");
  } catch {
    return null;
  }
}

/** What a process does, by its id, or a thread, by its name; null if it has ended, or the system does not tell. */
export function activityOf(name: string): Activity | null {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, "utf8");
    // The name of the program is in brackets and can contain anything; state, user and system time are fields after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return {
      cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK,
      isWaiting: !/^[RD]$/.test(fields[0] ?? ""),
    };
  } catch {
    return null;
  }
}

/** The unit of /proc is 1/100 s on every system that Bun runs on. */
const MS_PER_TICK = 10;
