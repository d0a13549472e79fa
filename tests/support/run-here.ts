/**
 * Runs a command of cra in this process with real arguments, settings, databases and files, and the streams as text.
 *
 * Use it for what commands do and print. `run-cra.ts` has the same options and results for what needs a process:
 * signals, pipes, terminals, the bundle itself, faults and hostile input.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sink } from "../../src/cli/output/sink.ts";
import { start } from "../../src/cli/start.ts";
import { type CraOptions, type CraRun, cleanEnvironment, runCra } from "./run-cra.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");

/** Runs a command to completion: in this process, or with the compiled binary (`runCra`). */
export type RunsCra = (
  args: readonly string[],
  options: Omit<CraOptions, "timeoutMs"> & { readonly stdin?: string | Uint8Array },
) => Promise<CraRun>;

/** A sink that collects what is written. */
function kept(): Sink & { bytes(): Uint8Array } {
  let text = "";
  return {
    isTerminal: false,
    columns: 80,
    write: async (more) => {
      text += more;
    },
    // Convert to bytes as a stream does, which replaces unpaired surrogates.
    bytes: () => new TextEncoder().encode(text),
  };
}

/** Runs cra to completion. `stdin` is empty unless given. Only the test's own timeout applies. */
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

/** Like `runHere`, but in a process of its own where that takes less: what starts threads, which load sooner there. */
export const runQuickest: RunsCra = (args, options) =>
  (args[0] === "doctor" || args.includes("--rebuild") ? runCra : runHere)(args, options);
