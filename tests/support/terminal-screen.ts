/**
 * A terminal without a window: takes the bytes that a program prints, and says what a person would see.
 *
 * It also keeps what a program does to a terminal beside printing: the modes it has switched on, the titles, clipboard
 * writes and links it has asked for. Widths are those of Unicode 6, so tests keep to ASCII and CJK.
 * Not here: a process (`terminal-session.ts`).
 */
import { type IBufferLine, Terminal } from "@xterm/headless";

export type Screen = Disposable & {
  /** Takes output; what the terminal has to say to the program goes to `answer`. */
  write(bytes: Uint8Array | string): void;
  /** Waits until everything that was written is on the screen. */
  drawn(): Promise<void>;
  resize(columns: number, rows: number): void;
  /** The rows as text, blanks at the end cut off. */
  rows(): readonly string[];
  /** The same in one text, blank rows at the end cut off. */
  text(): string;
  /** The rows with their colours and marks, for pictures and for checks of colour. */
  cells(): readonly (readonly Cell[])[];
  readonly isAlternate: boolean;
  /** Private modes that are on, by their numbers; 25, the cursor, counts when it is hidden. */
  switched(): readonly string[];
  /** Operating-system commands other than colours, as `number;text`, and device strings as `DCS`. */
  readonly asked: readonly string[];
  /** Whether the next thing printed would be in plain colours. */
  isPlain(): Promise<boolean>;
};

export type Cell = {
  readonly text: string;
  /** 0, 1 or 2 columns. */
  readonly width: number;
  /** One of 256 colours, -1 for the terminal's own, or -2 for one outside of those. */
  readonly foreground: number;
  readonly background: number;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isInverse: boolean;
  readonly isUnderlined: boolean;
};

/** The modes that change how a terminal works for the next program, by number. */
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
  2026: "synchronized output",
  2031: "colour scheme",
};
const CURSOR = 25;

/** Operating-system commands that are kept: titles, folder, link, notice, clipboard, marks. */
const COMMANDS = [0, 1, 2, 7, 8, 9, 52, 99, 133, 633, 777, 1337] as const;

export function openScreen(columns: number, rows: number, answer: (text: string) => void): Screen {
  const terminal = new Terminal({ cols: columns, rows, scrollback: 1000, allowProposedApi: true });
  const on = new Set<string>();
  const asked: string[] = [];
  let keyboards = 0;
  const drawn = (): Promise<void> => new Promise((resolve) => terminal.write("", resolve));

  terminal.onData(answer);
  const { parser } = terminal;
  const mode = (isOn: boolean) => (params: readonly (number | number[])[]) => {
    for (const number of params.flat()) {
      const name = number === CURSOR ? "hidden cursor" : MODES[number];
      if (name === undefined) continue;
      if (isOn === (number !== CURSOR)) on.add(name);
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
      asked.push(`${command};${text}`);
      return false;
    });
  }
  parser.registerDcsHandler({ final: "q", intermediates: "$" }, () => {
    asked.push("DCS");
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
    switched: () => [...on, ...(keyboards > 0 ? ["keyboard protocol"] : [])].sort(),
    asked,
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
