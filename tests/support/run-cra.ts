/**
 * Runs the compiled binary as a user does: a process of its own with arguments, streams and a clean environment.
 *
 * `runCra` is for commands in a pipe, `openCra` for a terminal. Neither lets anything of the test run's own
 * environment through: no `CI`, no `CRA_*`, no settings of the person who runs the tests; the home folder is empty.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary } from "./binary.ts";

export type CraOptions = {
  readonly cwd: string;
  /** Added to the clean environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** A home folder of the caller's, in place of an empty one that is removed afterwards. */
  readonly home?: string;
  /** After this long the process is killed, which shows as signal `SIGKILL`. */
  readonly timeoutMs?: number;
};

/** How a run ended: `exitCode` is null when a signal ended it, `signal` is null when it exited. */
export type Ending = { readonly exitCode: number | null; readonly signal: string | null };

export type CraRun = Ending & {
  readonly stdout: string;
  readonly stdoutBytes: Uint8Array;
  readonly stderr: string;
};

/** Ends a run that hangs. No run comes near it, even on a busy machine. */
const TIMEOUT_MS = 300_000;

/** Runs cra to its end. `stdin` is empty unless given. */
export async function runCra(
  args: readonly string[],
  options: CraOptions & { readonly stdin?: string | Uint8Array },
): Promise<CraRun> {
  return await runProgram([await binary(), ...args], options);
}

/**
 * Runs lines of a shell, where `"$CRA"` is the binary: for pipes and redirections. The exit code is that of the
 * first command of the last pipeline that does not end with 0.
 */
export async function runShell(lines: string, options: CraOptions): Promise<CraRun> {
  const { env = {}, ...rest } = options;
  return await runProgram(["bash", "-o", "pipefail", "-c", lines], { ...rest, env: { CRA: await binary(), ...env } });
}

async function runProgram(
  command: readonly string[],
  {
    cwd,
    env = {},
    home: given,
    timeoutMs = TIMEOUT_MS,
    stdin = "",
  }: CraOptions & { readonly stdin?: string | Uint8Array },
): Promise<CraRun> {
  using home = homeFor(given);
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...cleanEnvironment(home.path), ...env },
    stdin: typeof stdin === "string" ? Buffer.from(stdin) : stdin,
    stdout: "pipe",
    stderr: "pipe",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  const [stdoutBytes, stderr] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
  ]);
  await child.exited;
  return {
    stdout: new TextDecoder().decode(stdoutBytes),
    stdoutBytes,
    stderr,
    ...endingOf(child),
  };
}

/** A cra in pipes that can be stopped half-way. What it prints is read only when asked for. Disposing kills it. */
export type RunningCra = AsyncDisposable & {
  /** Writes to its standard input and waits until the pipe has taken all of it; `null` closes the input. */
  send(text: string | null): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Waits for the next piece of standard output. */
  next(): Promise<string>;
  /** Standard error to its end. */
  readonly stderr: Promise<string>;
  readonly ended: Promise<Ending>;
};

/** Starts cra in pipes. */
export async function startCra(args: readonly string[], options: CraOptions): Promise<RunningCra> {
  const { cwd, env = {}, home: given, timeoutMs = TIMEOUT_MS } = options;
  const program = await binary();
  const home = homeFor(given);
  const child = Bun.spawn([program, ...args], {
    cwd,
    env: { ...cleanEnvironment(home.path), ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  const reader = child.stdout.getReader();
  const ended = child.exited.then(() => endingOf(child));
  return {
    async send(text) {
      if (text === null) await child.stdin.end();
      else {
        child.stdin.write(text);
        await child.stdin.flush();
      }
    },
    kill: (signal) => child.kill(signal),
    next: async () => new TextDecoder().decode((await reader.read()).value),
    stderr: new Response(child.stderr).text(),
    ended,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await ended;
      home[Symbol.dispose]();
    },
  };
}

/** A cra on a terminal of its own. Disposing kills it if it still runs. */
export type CraTerminal = AsyncDisposable & {
  /** All that was written to the terminal so far, escape sequences and all. */
  output(): string;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  kill(signal: NodeJS.Signals): void;
  /** Takes the terminal away, as closing its window does. */
  hangUp(): void;
  /** Waits until the output since the start matches; throws with the output when it does not in time. */
  waitFor(pattern: RegExp): Promise<void>;
  readonly ended: Promise<Ending>;
};

/** Starts cra on a pseudo-terminal, 80 by 24 unless given. */
export async function openCra(
  args: readonly string[],
  options: CraOptions & { readonly columns?: number; readonly rows?: number },
): Promise<CraTerminal> {
  const { cwd, env = {}, home: given, timeoutMs = TIMEOUT_MS, columns = 80, rows = 24 } = options;
  const program = await binary();
  const home = homeFor(given);
  const decoder = new TextDecoder();
  let output = "";
  const wakers = new Set<() => void>();
  const wake = (): void => {
    for (const waker of wakers) waker();
  };
  // A terminal made apart from the process would not be its controlling one: no Ctrl-C, no news of a resize.
  const child = Bun.spawn([program, ...args], {
    cwd,
    env: { ...cleanEnvironment(home.path), TERM: "xterm-256color", ...env },
    terminal: {
      cols: columns,
      rows,
      data: (_terminal, data) => {
        output += decoder.decode(data, { stream: true });
        wake();
      },
    },
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  const { terminal } = child;
  if (terminal === undefined) throw new Error("this Bun gives no terminal");
  const ended = child.exited.then((): Ending => {
    wake();
    return endingOf(child);
  });
  return {
    output: () => output,
    type: (text) => void terminal.write(text),
    resize: (newColumns, newRows) => terminal.resize(newColumns, newRows),
    kill: (signal) => child.kill(signal),
    hangUp: () => terminal.close(),
    async waitFor(pattern) {
      while (!pattern.test(output)) {
        if (child.exitCode !== null || child.signalCode !== null) {
          throw new Error(`cra ended before it showed ${pattern}:\n${output}`);
        }
        const { promise, resolve } = Promise.withResolvers<void>();
        wakers.add(resolve);
        await promise;
        wakers.delete(resolve);
      }
    },
    ended,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await ended;
      terminal.close();
      home[Symbol.dispose]();
    },
  };
}

function endingOf({ exitCode, signalCode }: Bun.Subprocess): Ending {
  return signalCode === null ? { exitCode, signal: null } : { exitCode: null, signal: String(signalCode) };
}

/** The caller's folder, which stays, or an empty one that goes. */
const homeFor = (given: string | undefined): Disposable & { readonly path: string } =>
  given === undefined ? emptyHome() : { path: given, [Symbol.dispose]: () => {} };

function emptyHome(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "cra-home-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** What a program under test finds around it: an empty home, English, UTC, no settings of the user's git. */
export function cleanEnvironment(home: string): Record<string, string> {
  return {
    HOME: home,
    LANG: "C.UTF-8",
    PATH: process.env.PATH ?? "",
    TMPDIR: tmpdir(),
    TZ: "UTC",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
  };
}
