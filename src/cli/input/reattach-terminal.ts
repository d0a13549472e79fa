/**
 * Starts this program again with its keys from the terminal, and hands what was piped into it on.
 *
 * Standard input is one thing for the whole life of a process: one that is read as a pipe cannot become a terminal.
 */
import { closeSync, openSync } from "node:fs";
import type { Environment } from "../../app/app-types.ts";

/** How the process that is started knows that the pipe is now this file descriptor of its own. */
export const TASK_HANDED_OVER = { name: "CRA_PIPED_FD", value: "3", fd: 3 } as const;

/** Runs it to its end; the number is its exit code. Null when there is no terminal to take keys from. */
export async function againWithKeys(
  { program, variables, cwd }: Environment,
  words: readonly string[],
  signal: AbortSignal,
): Promise<number | null> {
  const keys = openKeys();
  if (keys === null) return null;
  try {
    const child = Bun.spawn([...program, ...words], {
      cwd,
      env: { ...variables, [TASK_HANDED_OVER.name]: TASK_HANDED_OVER.value },
      // The bare number of a descriptor would not be handed on in this place.
      stdio: [keys, "inherit", "inherit", Bun.file(0)],
    });
    // It leaves by itself and puts the terminal back; ours is only to tell it.
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
