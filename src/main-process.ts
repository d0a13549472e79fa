/**
 * The process: arguments, streams, signals, exit code. Loaded by `main.ts`; with it the only reader of `process`.
 *
 * Invariants: nothing is awaited at the top level (an error would leave the process running); every
 * write has been taken before the process ends; a closed pipe ends it quietly with 0, a stream that
 * fails with 74, a bug with 70 and one line; a signal ends it within 200 ms, a second one at once.
 * Nothing heavy is imported here: `--version` pays for what it uses.
 */
import { createReadStream } from "node:fs";
import { hostname } from "node:os";
import { isatty } from "node:tty";
import type { Environment } from "./app/app-types.ts";
import { TASK_HANDED_OVER } from "./cli/input/reattach-terminal.ts";
import { recordBug } from "./cli/output/bug-report.ts";
import { sinkOn } from "./cli/output/sink.ts";
import { Failed, SIGNAL_EXIT } from "./failure.ts";
import type { Device } from "./tui/terminal/device.ts";
import { isCompiled } from "./version.ts";

/** Signals of a terminal that was lent count as the other program's for so long after it. */
const LENT_AFTER_MS = 50;

/** A run that has been told to stop has this long to leave by itself. Below the 200 ms that are promised. */
const STOP_AFTER_MS = 150;
const SIGNALS = ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"] as const;
/** A process that could not be stopped goes on after this long. */
const SUSPEND_MS = 50;

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

/** What was piped in, where a process that did so handed it on and gave this one the keys. */
const handedOver = process.env[TASK_HANDED_OVER.name] === TASK_HANDED_OVER.value;
delete process.env[TASK_HANDED_OVER.name];

let restoreTerminal = (): void => {};
let isLent = false;
const device: Device = {
  keys: () => (isatty(0) ? process.stdin : null),
  screen: process.stdout,
  words: process.argv.slice(2),
  piped: () => (handedOver ? createReadStream("", { fd: TASK_HANDED_OVER.fd, autoClose: false }) : null),
  onLeaving(restore) {
    restoreTerminal = restore;
  },
  async lent(use) {
    isLent = true;
    try {
      await use();
    } finally {
      // A Ctrl-C that ended the other program was sent to this one too, and may be told after that end.
      await new Promise((resolve) => setTimeout(resolve, LENT_AFTER_MS));
      isLent = false;
    }
  },
  suspend: () =>
    new Promise((resolve) => {
      const timer = setTimeout(done, SUSPEND_MS);
      function done(): void {
        clearTimeout(timer);
        process.off("SIGCONT", done);
        resolve();
      }
      // Windows has no such thing.
      if (process.platform === "win32") return done();
      process.on("SIGCONT", done);
      process.kill(0, "SIGTSTP");
    }),
};

let leaving = false;
// Until somebody says otherwise: a run that just stops, with nothing left to wait for, is a bug, and says so.
process.exitCode = 70;
const stop = new AbortController();
for (const signal of SIGNALS) {
  process.on(signal, () => {
    // Ctrl-C and Ctrl-\ in a program that the terminal is lent to are meant for that one.
    if ((signal === "SIGINT" || signal === "SIGQUIT") && isLent) return;
    const code = SIGNAL_EXIT[signal];
    if (stop.signal.aborted) {
      restoreTerminal();
      process.exit(code);
    }
    const failure = new Failed({ code: "cancelled", signal });
    stop.abort(failure);
    setTimeout(() => leave(code, `${err.isTerminal ? "\r\x1b[K" : ""}cra: ${failure.message}\n`), STOP_AFTER_MS);
  });
}
process.on("uncaughtException", crash);
process.on("unhandledRejection", crash);
process.on("beforeExit", () => {
  if (!leaving) crash(new Error("the command stopped before its end, with nothing left to wait for"));
});

main().then((code) => leave(code), crash);

/** Runs the command and returns its exit code, after everything that was printed has been taken. */
async function main(): Promise<number> {
  const argv = process.argv.slice(2);
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    // What scripts call most does not load the parser of arguments.
    const { versionText } = await import("./cli/output/version-text.ts");
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
    device,
    door: () => import("./app/app.ts"),
  });
  await Promise.all([out.drained(), err.drained()]);
  return code;
}

/** Ends the process once the last words are out. Only the first call counts. */
function leave(code: number, lastWords = ""): void {
  if (leaving) return;
  leaving = true;
  process.exitCode = code;
  restoreTerminal();
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
  // A terminal that is gone sends a signal as well, which says more.
  if (stop.signal.aborted) return;
  if (code === "EIO" && process.stdout.isTTY) leave(SIGNAL_EXIT.SIGHUP);
  else if (code === "EPIPE") leave(0);
  else
    leave(
      74,
      `cra: standard output: ${code === "ENOSPC" ? "no space left on the disk" : code}; nothing more was written\n`,
    );
}

/** The folder that paths are relative to; the root when the one we were started in has been deleted. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
