/**
 * Runs a command of cra in this process: the real arguments, settings, databases and files, with the streams as text.
 *
 * For what a command does and says. What only a process has (signals, pipes, a terminal, the bundle itself, faults and
 * hostile input) is for `run-cra.ts`, whose options and answers these are, so that a test can go from one to the other.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sink } from "../../src/cli/output/sink.ts";
import { start } from "../../src/cli/start.ts";
import { type CraOptions, type CraRun, cleanEnvironment } from "./run-cra.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");

/** A way to run a command to its end: this one, or the compiled binary (`runCra`). */
export type RunsCra = (
  args: readonly string[],
  options: Omit<CraOptions, "timeoutMs"> & { readonly stdin?: string | Uint8Array },
) => Promise<CraRun>;

/** A sink that keeps what it is told. */
function kept(): Sink & { bytes(): Uint8Array } {
  let text = "";
  return {
    isTerminal: false,
    columns: 80,
    write: async (more) => {
      text += more;
    },
    // As bytes, which is how a stream takes them: half a surrogate pair does not go through.
    bytes: () => new TextEncoder().encode(text),
  };
}

/** Runs cra to its end. `stdin` is empty unless given. No limit of time but the test's own. */
export const runHere: RunsCra = async (args, { cwd, env = {}, home: given, stdin = "" }) => {
  const home = given ?? mkdtempSync(join(tmpdir(), "cra-home-"));
  const [out, err] = [kept(), kept()];
  try {
    const exitCode = await start({
      argv: args,
      environment: {
        cwd,
        variables: { ...cleanEnvironment(home), ...env },
        uid: process.getuid?.() ?? null,
        processors: navigator.hardwareConcurrency,
        pid: process.pid,
        host: "here",
        program: [process.execPath, MAIN],
      },
      out,
      err,
      stdin: {
        isTerminal: false,
        async *bytes() {
          yield typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin;
        },
      },
      signal: new AbortController().signal,
      loadApp: () => import("../../src/app/app.ts"),
    });
    const stdoutBytes = out.bytes();
    const [stdout, stderr] = [new TextDecoder().decode(stdoutBytes), new TextDecoder().decode(err.bytes())];
    return { stdout, stdoutBytes, stderr, exitCode, signal: null };
  } finally {
    if (given === undefined) rmSync(home, { recursive: true, force: true });
  }
};
