/**
 * Finds processes that a test left behind, by the home folder it gave them. Uses /proc; `canLook` is false on systems
 * without it.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Whether this system has /proc. */
export const canLook = existsSync("/proc/self/environ");

/** The command lines of all processes with this home folder. */
export function processesAt(home: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const environment = textOf(`/proc/${pid}/environ`).split("\0");
      return environment.includes(`HOME=${home}`) ? [textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim()] : [];
    })
    .filter((command) => command !== "");
}

/** A process that outlives this limit does not end by itself, even on a busy machine. */
const WAIT_MS = 120_000;

/** Waits until none is left; returns those that remain at the limit. */
export async function leftOver(home: string): Promise<readonly string[]> {
  for (const until = performance.now() + WAIT_MS; ; await Bun.sleep(20)) {
    const found = processesAt(home);
    if (found.length === 0 || performance.now() > until) return found;
  }
}

/** "" if the process has ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
