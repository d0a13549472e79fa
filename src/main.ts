/**
 * The process: arguments, streams, signals, exit code. The only reader of `process`.
 *
 * Invariants: nothing is awaited at the top level (an error would leave the process running); every
 * write has been taken before the process ends; a closed pipe ends it quietly with 0, a stream that
 * fails with 74, a bug with 70 and one line; a signal ends it within 200 ms, a second one at once.
 * Nothing heavy is imported here: `--version` pays for what it uses.
 */
import { hostname } from "node:os";
import { isatty } from "node:tty";
import type { Environment } from "./app-types.ts";
import { recordBug } from "./cli/bug-report.ts";
import { sinkOn } from "./cli/sink.ts";
import { Failed, SIGNAL_EXIT } from "./failure.ts";

/** A run that has been told to stop has this long to leave by itself. Below the 200 ms that are promised. */
const STOP_AFTER_MS = 150;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

// Colour libraries look at FORCE_COLOR when they are loaded, and not at NO_COLOR.
if (process.env.NO_COLOR || process.argv.includes("--no-color")) process.env.FORCE_COLOR = "0";
// Else a proxy named in the environment would be sent what is meant for this machine.
for (const name of process.env.no_proxy === undefined ? ["NO_PROXY"] : ["NO_PROXY", "no_proxy"]) {
  process.env[name] = [process.env[name], "localhost,127.0.0.1,::1"].filter(Boolean).join(",");
}

const environment: Environment = {
  cwd: workingFolder(),
  variables: process.env,
  uid: process.getuid?.() ?? null,
  processors: navigator.hardwareConcurrency,
  pid: process.pid,
  host: hostname(),
  program: isCompiled() ? [process.execPath] : [process.execPath, Bun.main],
};
const out = sinkOn(process.stdout, leaveOnClosedPipe);
const err = sinkOn(process.stderr, null);
process.stdout.on("error", leaveOnClosedPipe);
process.stderr.on("error", () => {});

let leaving = false;
// Until somebody says otherwise: a run that just stops, with nothing left to wait for, is a bug.
process.exitCode = 70;
const stop = new AbortController();
for (const signal of SIGNALS) {
  process.on(signal, () => {
    const code = SIGNAL_EXIT[signal];
    if (stop.signal.aborted) process.exit(code);
    const failure = new Failed({ code: "cancelled", signal });
    stop.abort(failure);
    setTimeout(() => leave(code, `${err.isTerminal ? "\r\x1b[K" : ""}cra: ${failure.message}\n`), STOP_AFTER_MS);
  });
}
process.on("uncaughtException", crash);
process.on("unhandledRejection", crash);

main().then((code) => leave(code), crash);

/** Runs the command and returns its exit code, after everything that was printed has been taken. */
async function main(): Promise<number> {
  const argv = process.argv.slice(2);
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    // What scripts call most does not load the parser of arguments.
    const { versionText } = await import("./cli/version-text.ts");
    await out.write(await versionText(false));
    return 0;
  }
  const { start } = await import("./cli/start.ts");
  const code = await start({
    argv,
    environment,
    out,
    err,
    stdin: { isTerminal: isatty(0), bytes: () => process.stdin },
    signal: stop.signal,
    door: () => import("./app.ts"),
  });
  await Promise.all([out.drained(), err.drained()]);
  return code;
}

/** Ends the process once the last words are out. Only the first call counts. */
function leave(code: number, lastWords = ""): void {
  if (leaving) return;
  leaving = true;
  process.exitCode = code;
  if (lastWords === "") process.exit(code);
  // A stream that takes nothing any more must not keep the process.
  setTimeout(() => process.exit(code), STOP_AFTER_MS);
  process.stderr.write(lastWords, () => process.exit(code));
}

/** A bug: one line, and the stack in a file, or on stderr with CRA_DEBUG=1. */
function crash(thrown: unknown): void {
  leave(70, recordBug(thrown, environment.variables));
}

function leaveOnClosedPipe(error: unknown): void {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  if (code === "EPIPE") leave(0);
  else
    leave(
      74,
      `cra: standard output: ${code === "ENOSPC" ? "no space left on the disk" : code}; nothing more was written\n`,
    );
}

/** Whether the program is one binary, whose modules are in a file system of its own. */
function isCompiled(): boolean {
  return /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(Bun.main);
}

/** The folder that paths are relative to; the root when the one we were started in has been deleted. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
