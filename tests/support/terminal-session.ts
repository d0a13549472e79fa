/**
 * Runs a program on its own terminal for tests that read the screen, type keys, resize the window and check the final
 * terminal state.
 *
 * Input is bytes (`terminal-presses.ts` translates key names). Waits are for screen content, never for a time; a wait
 * that misses its deadline throws with the screen. Disposing kills the program.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnvironment, type Ending } from "./run-cra.ts";
import { openScreen, type Screen } from "./terminal-screen.ts";

export type TerminalOptions = {
  readonly command: readonly string[];
  readonly cwd: string;
  /** 80 by 24 unless given. */
  readonly columns?: number;
  readonly rows?: number;
  /** Added to the clean environment, which has no `CI`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Home folder; by default an empty one that is removed afterwards. */
  readonly home?: string;
};

export type TerminalSession = AsyncDisposable & {
  readonly pid: number;
  readonly screen: Screen;
  /** The screen as text. */
  text(): string;
  /** The whole raw output so far. */
  output(): string;
  /** Types bytes in one write. */
  type(bytes: string): void;
  /** Types bytes and waits for the end of the next frame. Returns the milliseconds between, without the emulator's time. */
  painted(bytes: string): Promise<number>;
  resize(columns: number, rows: number): void;
  signal(name: NodeJS.Signals): void;
  /** Closes the terminal, as closing its window does. */
  hangUp(): void;
  /** Waits until the screen matches between two frames, and returns it as text. */
  until(wanted: Wanted, withinMs?: number): Promise<string>;
  /** Waits until there was no output for a time, and returns the screen as text. */
  still(forMs?: number): Promise<string>;
  /** What the program left changed on the terminal; empty if it restored everything. */
  leftOn(): Promise<readonly string[]>;
  /** The process state letter of `ps`: `T` if stopped, `X` if gone. */
  processState(): string;
  readonly ended: Promise<Ending>;
};

/** A text or pattern that must be on the screen, or a predicate. */
export type Wanted = string | RegExp | ((text: string, screen: Screen) => boolean);

/** Ends a wait that never succeeds. Even on a busy machine no screen takes nearly as long. */
export const DEADLINE_MS = 120_000;
/** After its program has ended, a terminal that is silent this long has no more output. */
const LAST_WORDS_MS = 50;

/** Ends every synchronized frame. */
const FRAME_END = "\x1b[?2026l";

/** The local flags of a terminal that no program has changed. */
function freshFlags(): number {
  const fresh = new Bun.Terminal({ cols: 80, rows: 24 });
  try {
    return fresh.localFlags;
  } finally {
    fresh.close();
  }
}

export function openTerminal(options: TerminalOptions): TerminalSession {
  const { command, cwd, columns = 80, rows = 24, env = {}, home: given } = options;
  const home = given ?? mkdtempSync(join(tmpdir(), "cra-home-"));
  const decoder = new TextDecoder();
  let output = "";
  let frame = Promise.withResolvers<number>();
  let waker = Promise.withResolvers<void>();
  const wake = (): void => {
    waker.resolve();
    waker = Promise.withResolvers<void>();
  };
  // Read from another terminal: on a busy machine the program may have changed its own before anyone looks.
  const flagsBefore = freshFlags();
  // A terminal created separately would not be the controlling terminal of the process: no Ctrl-C, no resize signals.
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...cleanEnvironment(home), TERM: "xterm-256color", ...env },
    terminal: {
      cols: columns,
      rows,
      data: (_, bytes) => {
        const text = decoder.decode(bytes, { stream: true });
        output += text;
        // A chunk may end within the sequence.
        if (output.slice(-text.length - FRAME_END.length + 1).includes(FRAME_END)) frame.resolve(performance.now());
        screen.write(bytes);
        wake();
      },
    },
  });
  const { terminal } = child;
  if (terminal === undefined) throw new Error("this Bun gives no terminal");
  const screen = openScreen(columns, rows, (text) => {
    if (!terminal.closed) terminal.write(text);
  });
  const ended = child.exited.then(async (): Promise<Ending> => {
    wake();
    // Output may arrive after the exit event.
    for (let before = -1; before !== output.length; await Bun.sleep(LAST_WORDS_MS)) before = output.length;
    await screen.drawn();
    return child.signalCode === null
      ? { exitCode: child.exitCode, signal: null }
      : { exitCode: null, signal: String(child.signalCode) };
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const isThere = (wanted: Wanted): boolean => {
    if (screen.isMidFrame && !hasEnded()) return false;
    const text = screen.text();
    if (typeof wanted === "string") return text.includes(wanted);
    return wanted instanceof RegExp ? wanted.test(text) : wanted(text, screen);
  };
  const framed = (): string =>
    screen
      .rows()
      .map((row) => `|${row}`)
      .join("\n");
  return {
    pid: child.pid,
    screen,
    text: () => screen.text(),
    output: () => output,
    type: (bytes) => void terminal.write(bytes),
    async painted(bytes) {
      frame = Promise.withResolvers();
      const started = performance.now();
      terminal.write(bytes);
      const ended = await Promise.race([frame.promise, Bun.sleep(DEADLINE_MS)]);
      if (ended === undefined) throw new Error(`no frame followed ${JSON.stringify(bytes)}\n${framed()}`);
      return ended - started;
    },
    resize(newColumns, newRows) {
      screen.resize(newColumns, newRows);
      terminal.resize(newColumns, newRows);
    },
    signal: (name) => child.kill(name),
    hangUp: () => terminal.close(),
    async until(wanted, withinMs = DEADLINE_MS) {
      for (const started = performance.now(); ; ) {
        const next = waker.promise;
        await screen.drawn();
        if (isThere(wanted)) return screen.text();
        const leftMs = withinMs - (performance.now() - started);
        if (leftMs <= 0) throw new Error(`not within ${withinMs} ms: ${wanted}\n${framed()}`);
        if (hasEnded()) throw new Error(`ended before it showed ${wanted}\n${framed()}`);
        await Promise.race([next, Bun.sleep(Math.min(leftMs, 100))]);
      }
    },
    async still(forMs = 150) {
      for (const started = performance.now(); performance.now() - started < DEADLINE_MS; ) {
        const before = output.length;
        await Bun.sleep(forMs);
        await screen.drawn();
        if (output.length === before) return screen.text();
      }
      throw new Error(`never stood still\n${framed()}`);
    },
    async leftOn() {
      await screen.drawn();
      const left = [...screen.switched()];
      if (screen.isAlternate && !left.includes("alternate screen")) left.push("alternate screen");
      if (!terminal.closed && terminal.localFlags !== flagsBefore) left.push("raw input");
      if (!(await screen.isPlain())) left.push("colours");
      return left;
    },
    processState: () => stateOf(child.pid),
    ended,
    async [Symbol.asyncDispose]() {
      if (!hasEnded()) child.kill("SIGKILL");
      await ended;
      terminal.close();
      screen[Symbol.dispose]();
      if (given === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

function stateOf(pid: number): string {
  try {
    // The process name before it, in parentheses, may contain anything.
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .charAt(0);
  } catch {
    return "X";
  }
}
