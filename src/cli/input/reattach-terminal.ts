/**
 * Starts this program again with the terminal as standard input, and passes on what was piped into it.
 *
 * A process whose standard input is a pipe cannot exchange it for a terminal.
 */
import { closeSync, openSync } from "node:fs";
import type { Environment } from "../../app/workspace/environment.ts";

/** The variable that tells the new process which of its file descriptors is the pipe. */
export const TASK_HANDED_OVER = { name: "CRA_PIPED_FD", value: "3", fd: 3 } as const;

/** Runs it to its end and returns its exit code; null when there is no terminal to read keys from. */
export async function againWithKeys(
  { program, variables, cwd }: Environment,
  args: readonly string[],
  signal: AbortSignal,
): Promise<number | null> {
  const keys = openKeys();
  if (keys === null) return null;
  try {
    const child = Bun.spawn([...program, ...args], {
      cwd,
      env: { ...variables, [TASK_HANDED_OVER.name]: TASK_HANDED_OVER.value },
      // A bare descriptor number is not passed on in this position.
      stdio: [keys, "inherit", "inherit", Bun.file(0)],
    });
    // It restores the terminal itself before it exits.
    signal.addEventListener("abort", () => child.kill("SIGTERM"));
    const code = await child.exited;
    signal.throwIfAborted();
    return code;
  } finally {
    closeSync(keys);
  }
}

function openKeys(): number | null {
  try {
    return openSync("/dev/tty", "r+");
  } catch {
    return null; // Started without a terminal.
  }
}
