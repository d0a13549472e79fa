/**
 * The look of the interface: text roles as terminal styles, and the signs that screens draw.
 *
 * A style only repeats what words, signs or positions already say, so nothing is lost without colours. Only the
 * terminal's own 16 colours are used, which work on light and dark backgrounds; grey is "dim", because bright black is
 * invisible on some.
 */

/** The escape sequences that turn a style on and off. */
type Style = { readonly on: string; readonly off: string };

const sgr = (on: number, off: number): Style => ({ on: `\u001b[${on}m`, off: `\u001b[${off}m` });
const both = (first: Style, second: Style): Style => ({ on: first.on + second.on, off: second.off + first.off });

const NONE: Style = { on: "", off: "" };
const BOLD = sgr(1, 22);
const DIM = sgr(2, 22);
const UNDERLINE = sgr(4, 24);
const INVERSE = sgr(7, 27);
const RED = sgr(31, 39);
const GREEN = sgr(32, 39);
const YELLOW = sgr(33, 39);
const MAGENTA = sgr(35, 39);
const CYAN = sgr(36, 39);

const STYLES = {
  plain: NONE,
  dim: DIM,
  strong: BOLD,
  accent: CYAN,
  good: both(GREEN, BOLD),
  bad: both(RED, BOLD),
  warn: YELLOW,
  key: both(CYAN, BOLD),
  heading: both(DIM, UNDERLINE),
  /** The line where the package ends. */
  stop: both(YELLOW, BOLD),
  border: DIM,
  "border.active": CYAN,
  title: NONE,
  "title.active": both(CYAN, BOLD),
  cursor: INVERSE,
  range: UNDERLINE,
  caret: INVERSE,
  match: both(GREEN, UNDERLINE),
  /** A searched word in code, and the one that a search went to. */
  found: both(YELLOW, UNDERLINE),
  hit: both(YELLOW, INVERSE),
  "code.keyword": MAGENTA,
  "code.string": GREEN,
  "code.comment": DIM,
  "code.number": CYAN,
} as const satisfies Record<string, Style>;

/** What a piece of text is, as far as its style is concerned. */
export type Role = keyof typeof STYLES;

/** A text in the style of its role. The text must already be safe to display. */
export const styled = (role: Role, text: string): string => `${STYLES[role].on}${text}${STYLES[role].off}`;

/** Whether the style of a role is visible on blanks. */
export const showsOnBlanks = (role: Role): boolean => /\[[47]m/.test(STYLES[role].on);

/** The signs of a screen, each one column wide unless noted. */
export type Signs = typeof UNICODE;

const UNICODE = {
  topLeft: "╭",
  topRight: "╮",
  bottomLeft: "╰",
  bottomRight: "╯",
  horizontal: "─",
  vertical: "│",
  /** Replaces text that is cut off. */
  ellipsis: "…",
  /** Marks the row under the cursor. */
  pointer: "▸",
  /** Marks a row of a range. */
  range: "┃",
  /** What is above belongs together. */
  up: "↑",
  /** Between an old and a new value. */
  becomes: "→",
  /** Fractions of a cell filled from the left, the last one full. */
  bar: ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
  /** An empty cell of a gauge. */
  empty: "░",
  /** Frames of the spinner, all of the same width. */
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
  done: "✓",
  failed: "✗",
  waiting: "·",
  /** Before an information message. */
  note: "•",
  /** Separates two facts on one line; three columns. */
  dot: " · ",
  /** Replaces the `⋮` of a package, which marks omitted lines. */
  gap: "⋮",
  /** The scroll position in a frame. */
  thumb: "┃",
};

const ASCII: Signs = {
  topLeft: "+",
  topRight: "+",
  bottomLeft: "+",
  bottomRight: "+",
  horizontal: "-",
  vertical: "|",
  ellipsis: "~",
  pointer: ">",
  range: "|",
  up: "^",
  becomes: ">",
  bar: ["#"],
  empty: ".",
  spinner: ["|", "/", "-", "\\"],
  done: "*",
  failed: "x",
  waiting: ".",
  note: "-",
  dot: " - ",
  gap: ":",
  thumb: "#",
};

export const signsFor = (ascii: boolean): Signs => (ascii ? ASCII : UNICODE);
