/**
 * How things look: roles of text as styles of the 16 colours of a terminal, and the signs that are drawn.
 *
 * A style only says again what words, signs or places say already, so nothing is lost without colours. The colours are
 * the terminal's own, so light and dark backgrounds both work; grey is "dim", since bright black is invisible on some.
 * Not here: whether colours are on (the environment says), what a sign means (the views).
 */

/** What a piece of text is, as far as its look goes. */
export type Role =
  | "plain"
  | "dim"
  | "strong"
  | "accent"
  | "good"
  | "bad"
  | "warn"
  | "key"
  | "border"
  | "border.active"
  | "title"
  | "title.active"
  | "cursor"
  | "range"
  | "caret"
  | "match"
  | "code.keyword"
  | "code.string"
  | "code.comment"
  | "code.number";

/** Sequences of a terminal that turn a look on and off again. */
type Style = { readonly on: string; readonly off: string };

const sgr = (on: number, off: number): Style => ({ on: `\u001b[${on}m`, off: `\u001b[${off}m` });
const both = (first: Style, second: Style): Style => ({ on: first.on + second.on, off: second.off + first.off });

const BOLD = sgr(1, 22);
const DIM = sgr(2, 22);
const UNDERLINE = sgr(4, 24);
const INVERSE = sgr(7, 27);
const RED = sgr(31, 39);
const GREEN = sgr(32, 39);
const YELLOW = sgr(33, 39);
const MAGENTA = sgr(35, 39);
const CYAN = sgr(36, 39);

const STYLES: Readonly<Record<Role, Style>> = {
  plain: { on: "", off: "" },
  dim: DIM,
  strong: BOLD,
  accent: CYAN,
  good: both(GREEN, BOLD),
  bad: both(RED, BOLD),
  warn: YELLOW,
  key: both(CYAN, BOLD),
  border: DIM,
  "border.active": CYAN,
  title: { on: "", off: "" },
  "title.active": both(CYAN, BOLD),
  cursor: INVERSE,
  range: UNDERLINE,
  caret: INVERSE,
  match: both(GREEN, UNDERLINE),
  "code.keyword": MAGENTA,
  "code.string": GREEN,
  "code.comment": DIM,
  "code.number": CYAN,
};

/** A text in the look of its role; of pieces of lines only, which are displayed. */
export const styled = (role: Role, text: string): string => `${STYLES[role].on}${text}${STYLES[role].off}`;

/** Whether the look of a role can be seen where there are only blanks. */
export const showsOnBlanks = (role: Role): boolean => /\[[47]m/.test(STYLES[role].on);

/** The signs of a screen, each one column wide unless it says otherwise. */
export type Signs = {
  readonly topLeft: string;
  readonly topRight: string;
  readonly bottomLeft: string;
  readonly bottomRight: string;
  readonly horizontal: string;
  readonly vertical: string;
  /** What stands for text that was cut away. */
  readonly ellipsis: string;
  /** Points at the row under the cursor. */
  readonly pointer: string;
  /** Marks a row of a range. */
  readonly range: string;
  /** From what was to what is. */
  readonly becomes: string;
  /** Parts of a cell filled from the left, least first, the last one whole. */
  readonly bar: readonly string[];
  /** A cell of a gauge that is empty. */
  readonly empty: string;
  /** A turn of the spinner; every one of the same width. */
  readonly spinner: readonly string[];
  readonly done: string;
  readonly failed: string;
  readonly waiting: string;
  /** Before something that is said, and neither done nor failed. */
  readonly note: string;
  /** Between two things of one line, with spaces around. */
  readonly dot: string;
  /** Stands for `⋮`, which says in a package that lines are left out. */
  readonly gap: string;
  /** The part of a long list that is shown, in its frame. */
  readonly thumb: string;
};

const UNICODE: Signs = {
  topLeft: "╭",
  topRight: "╮",
  bottomLeft: "╰",
  bottomRight: "╯",
  horizontal: "─",
  vertical: "│",
  ellipsis: "…",
  pointer: "▸",
  range: "┃",
  becomes: "→",
  bar: ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
  empty: "░",
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
  done: "✓",
  failed: "✗",
  waiting: "·",
  note: "•",
  dot: " · ",
  gap: "⋮",
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
