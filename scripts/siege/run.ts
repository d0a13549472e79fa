/** Runs the compiled binary in a world and checks what holds for every run: its exit code, its peak memory, its output. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../../tests/support/binary.ts";
import { tempFolder } from "../../tests/support/folder.ts";
import { cleanEnvironment, FOR_BRIEF_RUNS } from "../../tests/support/run-cra.ts";
import type { Court } from "./attack.ts";

const PEAK = join(import.meta.dir, "../../tests/support/peak-memory.ts");
const MEMORY_BYTES_MAX = 1024 * 1024 * 1024;
/** Nothing takes nearly as long; what does hangs. */
const HANG_MS = 120_000;
/** Documented codes that any command may end with. 70, an internal error, is none of them. */
const CODES: ReadonlySet<number> = new Set([0, 1, 2, 3, 10, 11, 12, 13, 74]);
const STACK = /^\s+at .+:\d+:\d+|\bTypeError\b|\bRangeError\b|internal error/m;

export type Run = { readonly code: number; readonly stdout: Buffer; readonly stderr: string };

export type Running = {
  readonly cwd: string;
  readonly home?: string;
  readonly env?: Readonly<{ [name: string]: string }>;
  readonly stdin?: string | Uint8Array;
};

export async function run(
  court: Court,
  args: readonly string[],
  { cwd, home, env = {}, stdin = "" }: Running,
): Promise<Run> {
  using own = tempFolder();
  const peak = join(own.path, "peak");
  const child = Bun.spawn([process.execPath, PEAK, peak, cwd, await binary(), ...args], {
    cwd: own.path,
    env: { ...cleanEnvironment(home ?? own.path), ...FOR_BRIEF_RUNS, ...env },
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
    timeout: HANG_MS,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).bytes(), new Response(child.stderr).text()]);
  const code = await child.exited;
  const named = (): string => `${JSON.stringify(args)} exits with ${code}: ${stderr.slice(-400)}`;
  court.holds("exit code", CODES.has(code) && !STACK.test(stderr), named);
  if (child.signalCode === null) {
    const bytes = Number(readFileSync(peak, "utf8"));
    court.holds("memory", bytes < MEMORY_BYTES_MAX, () => `${JSON.stringify(args)} takes ${bytes} bytes`);
  }
  return { code, stdout: Buffer.from(stdout), stderr };
}
