/**
 * Runs the compiled binary as a user does: in its own process with arguments, streams and a clean environment.
 *
 * `runCra` runs commands in pipes, `openCra` on a terminal. The environment has an empty home folder and nothing of the
 * test run's own: no `CI`, no `CRA_*`, no user settings.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary } from "./binary.ts";

export type CraOptions = {
  readonly cwd: string;
  /** Added to the clean environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Home folder; by default an empty one that is removed afterwards. */
  readonly home?: string;
  /** The process is killed with `SIGKILL` after this time. */
  readonly timeoutMs?: number;
};

/** The result of a run: `exitCode` is null if a signal ended it, `signal` is null if it exited. */
export type Ending = { readonly exitCode: number | null; readonly signal: string | null };

export type CraRun = Ending & {
  readonly stdout: string;
  readonly stdoutBytes: Uint8Array;
  readonly stderr: string;
};

/** Kills a run that hangs. Even on a busy machine no run takes nearly as long. */
const TIMEOUT_MS = 300_000;

/** Runs cra to completion. `stdin` is empty unless given. */
export async function runCra(
  args: readonly string[],
  options: CraOptions & { readonly stdin?: string | Uint8Array },
): Promise<CraRun> {
  return await runProgram([await binary(), ...args], options);
}

/**
 * Runs a shell script in which `"$CRA"` is the binary, for pipes and redirections. The exit code is that of the first
 * command in the last pipeline that does not exit with 0.
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
    env: { ...briefEnvironment(home.path), ...env },
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

/** A running cra in pipes. Its output is read only on request. Disposing kills it. */
export type RunningCra = AsyncDisposable & {
  /** Writes to its standard input and waits until the pipe has accepted everything; `null` closes the input. */
  send(text: string | null): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Waits for the next chunk of standard output. */
  next(): Promise<string>;
  /** Reads standard error to its end. */
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
    env: { ...briefEnvironment(home.path), ...env },
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

/** A running cra on its own terminal. Disposing kills it. */
export type CraTerminal = AsyncDisposable & {
  /** Everything written to the terminal so far, including escape sequences. */
  output(): string;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  kill(signal: NodeJS.Signals): void;
  /** Closes the terminal, as closing its window does. */
  hangUp(): void;
  /** Waits until the whole output matches; throws with the output on timeout. */
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
  // A terminal created separately would not be the controlling terminal of the process: no Ctrl-C, no resize signals.
  const child = Bun.spawn([program, ...args], {
    cwd,
    env: { ...briefEnvironment(home.path), TERM: "xterm-256color", ...env },
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

/** The caller's folder, or an empty one that is removed afterwards. */
const homeFor = (given: string | undefined): Disposable & { readonly path: string } =>
  given === undefined ? emptyHome() : { path: given, [Symbol.dispose]: () => {} };

function emptyHome(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "cra-home-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** The environment of a program under test: an empty home, English, UTC, no user settings for git. */
export function cleanEnvironment(home: string): Record<string, string> {
  return {
    HOME: home,
    LANG: "C.UTF-8",
    PATH: process.env.PATH ?? "",
    TMPDIR: tmpdir(),
    TZ: "UTC",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    // Runs are too brief for the last tier of the compilers to pay.
    BUN_JSC_useFTLJIT: "0",
    BUN_JSC_useOMGJIT: "0",
  };
}

/**
 * Options of the JavaScript engine that take a third off the processor time of a run in a test: it ends before compiled code pays,
 * so code is compiled after some forty and a hundred times the engine's own counts, and before much is garbage. Not for what measures.
 */
export const FOR_BRIEF_RUNS = {
  BUN_JSC_thresholdForJITSoon: "5000",
  BUN_JSC_thresholdForJITAfterWarmUp: "20000",
  BUN_JSC_thresholdForOptimizeSoon: "100000",
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "100000",
  BUN_JSC_thresholdForOptimizeAfterLongWarmUp: "100000",
  BUN_JSC_largeHeapSize: String(64 * 1024 * 1024),
  BUN_JSC_numberOfGCMarkers: "1",
  BUN_JSC_useWarmUpMarkedBlocks: "0",
  BUN_JSC_useBBQTierUpChecks: "0",
  MIMALLOC_ALLOW_THP: "0",
} as const;

/** The clean environment for a run of a test. */
export const briefEnvironment = (home: string): Record<string, string> => ({
  ...cleanEnvironment(home),
  ...FOR_BRIEF_RUNS,
});
