/**
 * A program on a terminal of its own, with a person before it: who reads the screen, presses keys, resizes the window
 * and sees in what state the terminal is left.
 *
 * Presses are bytes (`terminal-presses.ts` has those of named keys). Waiting is for something on the screen, never for
 * a time; what does not come within the deadline throws with the screen as it was. Disposing kills what still runs.
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
  /** Added to the clean environment, in which there is no `CI`. */
  readonly env?: Readonly<Record<string, string>>;
  /** A home folder of the caller's, in place of an empty one that is removed afterwards. */
  readonly home?: string;
};

export type TerminalSession = AsyncDisposable & {
  readonly pid: number;
  readonly screen: Screen;
  /** The screen as text. */
  text(): string;
  /** Every byte printed so far, as text. */
  output(): string;
  /** Types bytes, all in one piece. */
  type(bytes: string): void;
  /** Types bytes and waits for the next frame that ends afterwards; the milliseconds between, the emulator not counted. */
  painted(bytes: string): Promise<number>;
  resize(columns: number, rows: number): void;
  signal(name: NodeJS.Signals): void;
  /** Takes the terminal away, as closing its window does. */
  hangUp(): void;
  /** Waits until the screen is as asked, and returns it as text. */
  until(wanted: Wanted, withinMs?: number): Promise<string>;
  /** Waits until nothing has been printed for so long, and returns the screen as text. */
  still(forMs?: number): Promise<string>;
  /** What the program left behind on the terminal: empty when everything is as it was found. */
  leftOn(): Promise<readonly string[]>;
  /** The letter of the process's state, as in `ps`: `T` when stopped; `X` when gone. */
  processState(): string;
  readonly ended: Promise<Ending>;
};

/** A text that must be there, a pattern, or a question about the screen. */
export type Wanted = string | RegExp | ((text: string, screen: Screen) => boolean);

/** Ends a wait for something that never comes. No screen comes near it, even on a busy machine. */
export const DEADLINE_MS = 120_000;
/** A terminal that stays silent for so long after its program has ended holds nothing back. */
const LAST_WORDS_MS = 50;

/** Ends every frame that is drawn in one go. */
const FRAME_END = "\x1b[?2026l";

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
  // A terminal made apart from the process would not be its controlling one: no Ctrl-C, no news of a resize.
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...cleanEnvironment(home), TERM: "xterm-256color", ...env },
    terminal: {
      cols: columns,
      rows,
      data: (_, bytes) => {
        const text = decoder.decode(bytes, { stream: true });
        output += text;
        // A piece may end within the sequence.
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
  const flagsBefore = terminal.localFlags;
  const ended = child.exited.then(async (): Promise<Ending> => {
    wake();
    // Its last words may come after the news of its end.
    for (let before = -1; before !== output.length; await Bun.sleep(LAST_WORDS_MS)) before = output.length;
    await screen.drawn();
    return child.signalCode === null
      ? { exitCode: child.exitCode, signal: null }
      : { exitCode: null, signal: String(child.signalCode) };
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const isThere = (wanted: Wanted): boolean => {
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
    // The name before it, in brackets, may hold anything.
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .charAt(0);
  } catch {
    return "X";
  }
}
