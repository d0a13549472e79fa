/**
 * A terminal emulator without a window: takes a program's output and reports what a person would see.
 *
 * It also records modes, titles, clipboard writes and links. Character widths follow Unicode 6, so tests use ASCII and
 * CJK only.
 */
import { type IBufferLine, Terminal } from "@xterm/headless";

export type Screen = Disposable & {
  /** Takes output; the terminal's replies to the program go to `answer`. */
  write(bytes: Uint8Array | string): void;
  /** Waits until all output is on the screen. */
  drawn(): Promise<void>;
  resize(columns: number, rows: number): void;
  /** The rows as text without trailing blanks. */
  rows(): readonly string[];
  /** The rows as one text without trailing blank rows. */
  text(): string;
  /** The rows with colours and attributes, for pictures and colour checks. */
  cells(): readonly (readonly Cell[])[];
  readonly isAlternate: boolean;
  /** Whether the program has begun a synchronized frame and not ended it: what is on the screen is part of it. */
  readonly isMidFrame: boolean;
  /** The names of private modes that are not as in a fresh terminal. */
  switched(): readonly string[];
  /** Operating-system commands except colours as `number;text`, and device control strings as `DCS`. */
  readonly commands: readonly string[];
  /** Whether the next output would be in the default style. */
  isPlain(): Promise<boolean>;
};

export type Cell = {
  readonly text: string;
  /** 0, 1 or 2 columns. */
  readonly width: number;
  /** One of 256 colours, -1 for the default, -2 for any other. */
  readonly foreground: number;
  readonly background: number;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isInverse: boolean;
  readonly isUnderlined: boolean;
};

const SYNCHRONIZED = "synchronized output";

/** Modes that would affect the next program, by number. */
const MODES: Readonly<Record<number, string>> = {
  1: "cursor keys",
  9: "mouse",
  47: "alternate screen",
  66: "keypad",
  1000: "mouse",
  1002: "mouse drag",
  1003: "mouse motion",
  1004: "focus",
  1005: "mouse utf-8",
  1006: "mouse SGR",
  1015: "mouse urxvt",
  1047: "alternate screen",
  1049: "alternate screen",
  2004: "bracketed paste",
  2026: SYNCHRONIZED,
  2031: "colour scheme",
};
/** Modes that are on in a terminal that no program has changed, by number: what it is when one is off. */
const FRESH_MODES: Readonly<Record<number, string>> = { 7: "no wrapping", 25: "hidden cursor" };

/** Operating-system commands to record: titles, folder, link, notification, clipboard, prompt marks. */
const COMMANDS = [0, 1, 2, 7, 8, 9, 52, 99, 133, 633, 777, 1337] as const;

export function openScreen(columns: number, rows: number, answer: (text: string) => void): Screen {
  const terminal = new Terminal({ cols: columns, rows, scrollback: 1000, allowProposedApi: true });
  const on = new Set<string>();
  const commands: string[] = [];
  let keyboards = 0;
  const drawn = (): Promise<void> => new Promise((resolve) => terminal.write("", resolve));

  terminal.onData(answer);
  const { parser } = terminal;
  const mode = (isOn: boolean) => (params: readonly (number | number[])[]) => {
    for (const number of params.flat()) {
      const isFresh = number in FRESH_MODES;
      const name = FRESH_MODES[number] ?? MODES[number];
      if (name === undefined) continue;
      if (isOn !== isFresh) on.add(name);
      else on.delete(name);
    }
    return false;
  };
  parser.registerCsiHandler({ prefix: "?", final: "h" }, mode(true));
  parser.registerCsiHandler({ prefix: "?", final: "l" }, mode(false));
  parser.registerCsiHandler({ prefix: ">", final: "u" }, () => {
    keyboards++;
    return true;
  });
  parser.registerCsiHandler({ prefix: "<", final: "u" }, () => {
    keyboards--;
    return true;
  });
  for (const command of COMMANDS) {
    parser.registerOscHandler(command, (text) => {
      commands.push(`${command};${text}`);
      return false;
    });
  }
  parser.registerDcsHandler({ final: "q", intermediates: "$" }, () => {
    commands.push("DCS");
    return false;
  });

  const lines = (): readonly (IBufferLine | undefined)[] => {
    const { active } = terminal.buffer;
    return Array.from({ length: terminal.rows }, (_, row) => active.getLine(active.baseY + row));
  };
  const texts = (): readonly string[] => lines().map((line) => line?.translateToString(true).trimEnd() ?? "");
  return {
    write: (bytes) => terminal.write(bytes),
    drawn,
    resize: (newColumns, newRows) => terminal.resize(newColumns, newRows),
    rows: texts,
    text: () => texts().join("\n").trimEnd(),
    cells: () => lines().map((line) => (line === undefined ? [] : cellsOf(line))),
    get isAlternate() {
      return terminal.buffer.active.type === "alternate";
    },
    get isMidFrame() {
      return on.has(SYNCHRONIZED);
    },
    switched: () => [...on, ...(keyboards > 0 ? ["keyboard protocol"] : [])].sort(),
    commands,
    async isPlain() {
      await new Promise<void>((resolve) => terminal.write("x", resolve));
      const { active } = terminal.buffer;
      const cell = active.getLine(active.baseY + active.cursorY)?.getCell(active.cursorX - 1);
      return cell?.isAttributeDefault() ?? false;
    },
    [Symbol.dispose]: () => terminal.dispose(),
  };
}

function cellsOf(line: IBufferLine): readonly Cell[] {
  return Array.from({ length: line.length }, (_, column): Cell => {
    const cell = line.getCell(column);
    if (cell === undefined) throw new Error(`no cell in column ${column}`);
    return {
      text: cell.getChars(),
      width: cell.getWidth(),
      foreground: cell.isFgDefault() ? -1 : cell.isFgPalette() ? cell.getFgColor() : -2,
      background: cell.isBgDefault() ? -1 : cell.isBgPalette() ? cell.getBgColor() : -2,
      isBold: cell.isBold() !== 0,
      isDim: cell.isDim() !== 0,
      isInverse: cell.isInverse() !== 0,
      isUnderlined: cell.isUnderline() !== 0,
    };
  });
}
