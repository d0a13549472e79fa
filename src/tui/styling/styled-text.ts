/**
 * Lines of a screen as data: pieces of text with a role each, measured and cut in columns of a terminal.
 *
 * A piece is made only by `span`, which displays its text, so nothing raw reaches a screen. Invariants: `fitted` gives
 * exactly the columns asked for; no wide character is cut in half; the time is linear in the columns, not in the text.
 * Not here: how roles look (`theme.ts`), drawing (`views/`).
 */
import stringWidth from "string-width";
import { type Display, display } from "../../text/display.ts";
import type { Role } from "./theme.ts";

export type Span = { readonly text: Display; readonly role: Role };
export type Line = readonly Span[];

/** Code units that a column is given: no script needs as many, and what is beyond them is cut. */
const UNITS_PER_COLUMN = 8;
/** Code units that a piece may have: more than any terminal is wide. */
const UNITS_MAX = 4_000;
/** ASCII and the signs that screens are drawn with: a column for each unit. Measuring anything else is a hundred times slower. */
const NARROW = /^[\x20-\x7e\u2500-\u259f\u2800-\u28ff\u00b7\u2026\u2190-\u2193\u22ee\u25b8\u2713\u2717]*$/;
const SEGMENTER = new Intl.Segmenter("en", { granularity: "grapheme" });

export const span = (role: Role, raw: string): Span => ({ role, text: display(raw.slice(0, UNITS_MAX)) });
export const line = (role: Role, raw: string): Line => [span(role, raw)];

/** Columns that a displayed text takes. */
export const columnsOf = (text: string): number => (NARROW.test(text) ? text.length : stringWidth(text));

/** Columns of a line. Characters of neighbouring pieces may join, so it is measured whole where that can be. */
export function lineColumns(spans: Line): number {
  let units = 0;
  for (const { text } of spans) {
    if (!NARROW.test(text)) return stringWidth(spans.map((piece) => piece.text).join(""));
    units += text.length;
  }
  return units;
}

/** The beginning of a text, `columns` wide at most; with the sign at its end where something is missing. */
export function cut(raw: string, columns: number, ellipsis: string): Display {
  if (columns <= 0) return display("");
  const text = display(raw.slice(0, UNITS_PER_COLUMN * (columns + 1)));
  if (columnsOf(text) <= columns && raw.length <= UNITS_PER_COLUMN * (columns + 1)) return text;
  return display(`${head(text, columns - ellipsis.length)}${ellipsis.slice(0, columns)}`);
}

/**
 * A path, `columns` wide at most: the first folder and as many whole parts from the end as fit, the sign between them;
 * without the first folder where it has no room. Of a name that is too long, the end stays.
 */
export function cutPath(raw: string, columns: number, ellipsis: string): Display {
  const most = UNITS_PER_COLUMN * (columns + 1);
  if (raw.length <= most && columnsOf(display(raw)) <= columns) return display(raw);
  if (columns <= ellipsis.length) return cut(raw, columns, ellipsis);
  const text = display(raw.length <= 2 * most ? raw : `${raw.slice(0, most)}${raw.slice(-most)}`);
  const [first = "", ...rest] = text.split("/");
  const parts = rest.slice(-columns);
  for (const start of [`${first}/${ellipsis}/`, `${ellipsis}/`]) {
    const room = columns - columnsOf(start);
    const from = parts.findIndex((_, at) => columnsOf(parts.slice(at).join("/")) <= room);
    if (from >= 0) return display(start + parts.slice(from).join("/"));
  }
  return display(`${ellipsis}${tail(display(parts.at(-1) ?? text), columns - ellipsis.length)}`);
}

/** As many whole characters from the beginning as fit. */
function head(text: Display, columns: number): string {
  if (NARROW.test(text)) return text.slice(0, Math.max(0, columns));
  let taken = "";
  let left = columns;
  for (const { segment } of SEGMENTER.segment(text)) {
    left -= columnsOf(segment);
    if (left < 0) break;
    taken += segment;
  }
  return taken;
}

/** As many whole characters from the end as fit. */
function tail(text: Display, columns: number): string {
  if (NARROW.test(text)) return columns <= 0 ? "" : text.slice(-columns);
  let taken = "";
  let left = columns;
  for (const { segment } of [...SEGMENTER.segment(text)].toReversed()) {
    left -= columnsOf(segment);
    if (left < 0) break;
    taken = segment + taken;
  }
  return taken;
}

/** The line in exactly so many columns: cut with the sign at its end, or filled up with spaces of a role. */
export function fitted(spans: Line, columns: number, ellipsis: string, fill: Role = "plain"): Line {
  const whole = lineColumns(spans);
  if (whole === columns) return spans;
  if (whole < columns) return [...spans, span(fill, " ".repeat(columns - whole))];
  const kept: Span[] = [];
  let left = columns - Math.min(columns, ellipsis.length);
  for (const { text, role } of spans) {
    const width = columnsOf(text);
    const part = width <= left ? text : display(head(text, left));
    if (part !== "") kept.push({ text: part, role });
    left -= width;
    if (left <= 0) break;
  }
  kept.push(span(spans.at(-1)?.role ?? fill, ellipsis.slice(0, columns)));
  // Characters of neighbouring pieces may join, so what is missing is measured on the whole.
  const missing = columns - lineColumns(kept);
  return missing > 0 ? [...kept, span(fill, " ".repeat(missing))] : kept;
}

/** Texts at both ends of a line, a blank between them at least; of the left one, the end goes first. */
export function ends(left: Line, right: Line, columns: number, ellipsis: string): Line {
  const taken = lineColumns(right) + (right.length === 0 ? 0 : 1);
  if (taken >= columns) return fitted([...left, span("plain", " "), ...right], columns, ellipsis);
  const between = right.length === 0 ? [] : [span("plain", " ")];
  return [...fitted(left, columns - taken, ellipsis), ...between, ...right];
}

/**
 * Of each piece, the code units at its start that belong to the character before it; none for a piece that is not named.
 * A mark that begins a line joins whatever stands before it.
 */
export function joinedUnits(spans: Line): readonly number[] {
  if (spans.every(({ text }) => NARROW.test(text))) return [];
  const before = "x";
  const characters = SEGMENTER.segment(before + spans.map(({ text }) => text).join(""));
  let at = before.length;
  return spans.map(({ text }) => {
    const found = characters.containing(at);
    const inside = found !== undefined && found.index < at;
    const joined = inside ? Math.min(text.length, found.index + found.segment.length - at) : 0;
    at += text.length;
    return joined;
  });
}

/** The same line in one role throughout, as a cursor paints it. */
export const withRole = (spans: Line, role: Role): Line => spans.map(({ text }) => ({ text, role }));

/** Prose in lines of so many columns, broken between words where that is possible; at most `rows` of them, and one at least. */
export function wrapped(raw: string, columns: number, rows: number, ellipsis: string): readonly Display[] {
  const lines: Display[] = [];
  const most = UNITS_PER_COLUMN * columns * rows;
  const words = display(raw.slice(0, most)).split(" ");
  let current = "";
  for (const word of words) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (columnsOf(longer) <= columns) {
      current = longer;
      continue;
    }
    if (current !== "") lines.push(display(current));
    current = word;
    while (columnsOf(current) > columns && lines.length <= rows) {
      const part = head(display(current), columns);
      if (part === "") break;
      lines.push(display(part));
      current = current.slice(part.length);
    }
    if (lines.length > rows) break;
  }
  if (current !== "" || lines.length === 0) lines.push(display(current));
  if (lines.length <= rows && raw.length <= most) return lines;
  const last = lines[rows - 1] ?? display("");
  return [...lines.slice(0, Math.max(0, rows - 1)), cut(`${last}${" ".repeat(columns)}`, columns, ellipsis)];
}
