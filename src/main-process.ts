/**
 * The process: arguments, streams, signals, exit code. With `main.ts` the only reader of `process`.
 *
 * Invariants: nothing is awaited at the top level (an error would leave the process running); every write is taken before
 * the process ends; a closed pipe ends it quietly with 0, a stream that fails or was never open with 74, a bug with 70 and one line; a signal
 * ends it within 200 ms (or the time that a server takes to end, or a worker to give a job back), a second one at once. Nothing heavy is
 * imported here, so that `--version` stays fast.
 */
import { createReadStream } from "node:fs";
import { hostname } from "node:os";
import { isatty } from "node:tty";
import type { Environment } from "./app/workspace/environment.ts";
import { TASK_HANDED_OVER } from "./cli/input/reattach-terminal.ts";
import { recordBug } from "./cli/output/bug-report.ts";
import { sinkOn, type Writable } from "./cli/output/sink.ts";
import { Failed, SIGNAL_EXIT } from "./failure.ts";
import { wasOpen } from "./main-streams.ts";
import { errorCode } from "./text/system-errors.ts";
import type { Device } from "./tui/terminal/device.ts";
import { isCompiled } from "./version.ts";

/** How long after another program used the terminal its signals still belong to that program. */
const LENT_AFTER_MS = 50;

/** How long a run that is asked to stop may take; less than the promised 200 ms. */
const STOP_AFTER_MS = 50;
const SIGNALS = ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"] as const;
/** How long a process that could not be suspended waits before it continues. */
const SUSPEND_MS = 50;

// Colour libraries read FORCE_COLOR when they load, and ignore NO_COLOR.
if (process.env.NO_COLOR || process.argv.includes("--no-color")) process.env.FORCE_COLOR = "0";
// Otherwise a proxy would get requests that are meant for this machine.
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
const out = sinkOn(wasOpen(1) ? process.stdout : neverOpen(), leaveOnClosedPipe);
const err = sinkOn(process.stderr, null);
process.stdout.on("error", leaveOnClosedPipe);
process.stderr.on("error", () => {});

/** Whether the process that started this one passed on a pipe, to free standard input for the keys. */
const hasPipe = process.env[TASK_HANDED_OVER.name] === TASK_HANDED_OVER.value;
delete process.env[TASK_HANDED_OVER.name];

let restoreTerminal = (): void => {};
let isLent = false;
const device: Device = {
  keys: () => (isatty(0) ? process.stdin : null),
  screen: process.stdout,
  refreshSize() {
    // Node's own function behind its SIGWINCH handler, which no types name.
    const refresh: unknown = Reflect.get(process.stdout, "_refreshSize");
    if (typeof refresh === "function") refresh.call(process.stdout);
  },
  words: process.argv.slice(2),
  piped: () => (hasPipe ? createReadStream("", { fd: TASK_HANDED_OVER.fd, autoClose: false }) : null),
  onLeaving(restore) {
    restoreTerminal = restore;
  },
  async lent(use) {
    isLent = true;
    try {
      await use();
    } finally {
      // A Ctrl-C that ended the other program was sent to this one too, and may arrive later.
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
      // Windows cannot suspend a process.
      if (process.platform === "win32") return done();
      process.on("SIGCONT", done);
      process.kill(0, "SIGTSTP");
    }),
};

let leaving = false;
let stopAfterMs = STOP_AFTER_MS;
// A run that stops with nothing left to wait for is a bug, so 70 is the default.
process.exitCode = 70;
const stop = new AbortController();
for (const signal of SIGNALS) {
  process.on(signal, () => {
    // While another program uses the terminal, Ctrl-C and Ctrl-\ are meant for it.
    if ((signal === "SIGINT" || signal === "SIGQUIT") && isLent) return;
    const code = SIGNAL_EXIT[signal];
    if (stop.signal.aborted) {
      restoreTerminal();
      process.exit(code);
    }
    const failure = new Failed({ code: "cancelled", signal });
    stop.abort(failure);
    setTimeout(() => leave(code, `${err.isTerminal ? "\r\x1b[K" : ""}cra: ${failure.message}\n`), stopAfterMs);
  });
}
process.on("uncaughtException", crash);
process.on("unhandledRejection", crash);
process.on("beforeExit", () => {
  if (!leaving) crash(new Error("the command stopped before its end, with nothing left to wait for"));
});

main().then((code) => leave(code), crash);

/** Runs the command and returns its exit code, once everything printed has been taken. */
async function main(): Promise<number> {
  const argv = process.argv.slice(2);
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    // Scripts call this most, so it does not load the parser of arguments.
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
    takeTime(ms) {
      stopAfterMs = ms;
    },
    loadApp: () => import("./app/app.ts"),
  });
  await Promise.all([out.drained(), err.drained()]);
  return code;
}

/** Ends the process once the last message is out. Only the first call counts. */
function leave(code: number, message = ""): void {
  if (leaving) return;
  leaving = true;
  process.exitCode = code;
  restoreTerminal();
  if (message === "") process.exit(code);
  // A stream that takes nothing must not keep the process alive.
  setTimeout(() => process.exit(code), STOP_AFTER_MS);
  process.stderr.write(message, () => process.exit(code));
}

/** A bug: one line, and the stack in a file, or on stderr with CRA_DEBUG=1. */
function crash(thrown: unknown): void {
  leave(70, recordBug(thrown, environment.variables));
}

/** Fails as a write to a closed stream does. */
function neverOpen(): Writable {
  return {
    write(_, taken) {
      taken(Object.assign(new Error("closed"), { code: "EBADF" }));
      return false;
    },
  };
}

function leaveOnClosedPipe(error: unknown): void {
  const code = errorCode(error) ?? "unknown";
  // A terminal that is gone also sends a signal, which says more.
  if (stop.signal.aborted) return;
  if (code === "EIO" && process.stdout.isTTY) leave(SIGNAL_EXIT.SIGHUP);
  else if (code === "EPIPE") leave(0);
  else if (code === "EBADF") leave(74, "cra: standard output is closed; nothing was written\n");
  else
    leave(
      74,
      `cra: standard output: ${code === "ENOSPC" ? "no space left on the disk" : code}; nothing more was written\n`,
    );
}

/** The current folder; the root when it has been deleted. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
