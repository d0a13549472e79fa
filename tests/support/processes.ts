/**
 * Processes that a test has left behind, told by the home folder that it gave them.
 *
 * Looks at /proc, so it knows nothing on systems without it (`canLook`).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Whether this system shows the processes of others. */
export const canLook = existsSync("/proc/self/environ");

/** The command lines of the processes that run with this home folder. */
export function processesAt(home: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const environment = textOf(`/proc/${pid}/environ`).split("\0");
      return environment.includes(`HOME=${home}`) ? [textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim()] : [];
    })
    .filter((command) => command !== "");
}

/** A process that still runs after this does not end by itself, even on a busy machine. */
const WAIT_MS = 20_000;

/** Waits until none is left; returns those that stay. */
export async function leftOver(home: string): Promise<readonly string[]> {
  for (const until = performance.now() + WAIT_MS; ; await Bun.sleep(20)) {
    const found = processesAt(home);
    if (found.length === 0 || performance.now() > until) return found;
  }
}

/** Empty when the process has ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
