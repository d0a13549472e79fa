/**
 * Styled text: a line is a list of spans, each with a role, measured and cut in terminal columns.
 *
 * Only `span` makes a span, and it escapes its text, so nothing raw reaches the screen. No wide character is cut in half,
 * and the time is linear in the columns, not in the text.
 */
import stringWidth from "string-width";
import { type Display, display } from "../../text/display.ts";
import type { Role } from "./theme.ts";

export type Span = { readonly text: Display; readonly role: Role };
export type Line = readonly Span[];

/** Code units looked at per column; no script needs that many. */
const UNITS_PER_COLUMN = 8;
/** Code units of a span; no terminal is that wide. */
const UNITS_MAX = 4_000;
/** ASCII and the interface's own signs: one column per unit. Measuring anything else is a hundred times slower. */
const NARROW = /^[\x20-\x7e\u2500-\u259f\u2800-\u28ff\u00b7\u2026\u2190-\u2193\u22ee\u25b8\u2713\u2717]*$/;
/** Splits a text into what a reader takes for one character. */
export const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

export const span = (role: Role, raw: string): Span => ({ role, text: display(raw.slice(0, UNITS_MAX)) });
export const line = (role: Role, raw: string): Line => [span(role, raw)];

/** The width of a displayed text. */
export const columnsOf = (text: string): number => (NARROW.test(text) ? text.length : stringWidth(text));

/** The width of a line. Characters of neighbouring spans may combine, so non-ASCII lines are measured as a whole. */
export function lineColumns(spans: Line): number {
  let units = 0;
  for (const { text } of spans) {
    if (!NARROW.test(text)) return stringWidth(spans.map((piece) => piece.text).join(""));
    units += text.length;
  }
  return units;
}

/** The start of a text, at most `columns` wide, with the ellipsis at its end if something is missing. */
export function cut(raw: string, columns: number, ellipsis: string): Display {
  if (columns <= 0) return display("");
  const text = display(raw.slice(0, UNITS_PER_COLUMN * (columns + 1)));
  if (columnsOf(text) <= columns && raw.length <= UNITS_PER_COLUMN * (columns + 1)) return text;
  return display(`${head(text, columns - ellipsis.length)}${ellipsis.slice(0, columns)}`);
}

/**
 * A path, at most `columns` wide: the first folder, the ellipsis, and as many whole parts from the end as fit. The file's own folder
 * is worth more than the first one: many files are called `index.js`. A name that is too long keeps its end.
 */
export function cutPath(raw: string, columns: number, ellipsis: string): Display {
  const most = UNITS_PER_COLUMN * (columns + 1);
  if (raw.length <= most && columnsOf(display(raw)) <= columns) return display(raw);
  if (columns <= ellipsis.length) return cut(raw, columns, ellipsis);
  const text = display(raw.length <= 2 * most ? raw : `${raw.slice(0, most)}${raw.slice(-most)}`);
  const [first = "", ...rest] = text.split("/");
  const parts = rest.slice(-columns);
  for (const last of [parts.length - 2, parts.length - 1])
    for (const start of [`${first}/${ellipsis}/`, `${ellipsis}/`]) {
      const room = columns - columnsOf(start);
      const from = parts.findIndex((_, at) => columnsOf(parts.slice(at).join("/")) <= room);
      if (from >= 0 && from <= last) return display(start + parts.slice(from).join("/"));
    }
  return display(`${ellipsis}${tail(display(parts.at(-1) ?? text), columns - ellipsis.length)}`);
}

/** Columns that a folder has to have before a name; with fewer the name is cut too. */
const FOLDER_COLUMNS_MIN = 4;
/** The share of the columns that the folder then has. */
const FOLDER_SHARE = 0.4;

/** The same, so that a part of the path is seen without which another path looks alike: `…/walk/…/index.ts`. */
export function cutToldPath(raw: string, part: number, columns: number, ellipsis: string): Display {
  const short = cutPath(raw, columns, ellipsis);
  const parts = display(raw).split("/");
  const [folder, name] = [parts[part], parts.at(-1)];
  const isSeen = short.endsWith(parts.slice(part).join("/")) || (part === 0 && short.startsWith(`${folder}/`));
  if (isSeen || folder === undefined || name === undefined || columns < 2 * FOLDER_COLUMNS_MIN) return short;
  const end = `${part === parts.length - 2 ? "/" : `/${ellipsis}/`}${name}`;
  for (const start of part === 0 ? [folder] : [`${ellipsis}/${folder}`, folder])
    if (columnsOf(start + end) <= columns) return display(start + end);
  const room = columns - columnsOf(end);
  if (room >= FOLDER_COLUMNS_MIN) return display(`${cutInside(folder, room, ellipsis)}${end}`);
  const start = `${cutInside(folder, Math.floor(columns * FOLDER_SHARE), ellipsis)}/${ellipsis}`;
  return display(start + tail(display(name), columns - columnsOf(start)));
}

/** Both ends of a text, at most `columns` wide: the names of folders often differ at one of them only. */
function cutInside(raw: string, columns: number, ellipsis: string): string {
  const text = display(raw);
  if (columnsOf(text) <= columns) return text;
  const left = Math.ceil((columns - ellipsis.length) / 2);
  return `${head(text, left)}${ellipsis}${tail(text, columns - ellipsis.length - left)}`;
}

/** As many whole characters from the start as fit. */
function head(text: Display, columns: number): string {
  if (NARROW.test(text)) return text.slice(0, Math.max(0, columns));
  let taken = "";
  let left = columns;
  for (const { segment } of GRAPHEMES.segment(text)) {
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
  for (const { segment } of [...GRAPHEMES.segment(text)].toReversed()) {
    left -= columnsOf(segment);
    if (left < 0) break;
    taken = segment + taken;
  }
  return taken;
}

/** The line in exactly `columns` columns: cut with the ellipsis, or padded with spaces of a role. */
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
  // Characters of neighbouring spans may combine, so only the whole line tells what is missing.
  const missing = columns - lineColumns(kept);
  return missing > 0 ? [...kept, span(fill, " ".repeat(missing))] : kept;
}

/** Text at both ends of a line with at least one blank between; the left text is cut first. */
export function justified(left: Line, right: Line, columns: number, ellipsis: string): Line {
  const taken = lineColumns(right) + (right.length === 0 ? 0 : 1);
  if (taken >= columns) return fitted([...left, span("plain", " "), ...right], columns, ellipsis);
  const between = right.length === 0 ? [] : [span("plain", " ")];
  return [...fitted(left, columns - taken, ellipsis), ...between, ...right];
}

/**
 * For each span, the number of code units at its start that belong to the character before it. Empty when all are 0.
 * A combining mark at the start of a line joins whatever stands before the line.
 */
export function joinedUnits(spans: Line): readonly number[] {
  if (spans.every(({ text }) => NARROW.test(text))) return [];
  const before = "x";
  const characters = GRAPHEMES.segment(before + spans.map(({ text }) => text).join(""));
  let at = before.length;
  return spans.map(({ text }) => {
    const found = characters.containing(at);
    const inside = found !== undefined && found.index < at;
    const joined = inside ? Math.min(text.length, found.index + found.segment.length - at) : 0;
    at += text.length;
    return joined;
  });
}

/** The line without its first columns. Of a wide character that is cut in half, a blank stays. */
export function dropColumns(spans: Line, columns: number): Line {
  if (columns <= 0) return spans;
  const kept: Span[] = [];
  let left = columns;
  for (const { text, role } of spans) {
    const width = columnsOf(text);
    if (width <= left) {
      left -= width;
      continue;
    }
    kept.push(left === 0 ? { text, role } : { text: display(withoutHead(text, left)), role });
    left = 0;
  }
  return kept;
}

/** The end of a line that is at most `columns` wide, behind the ellipsis if something is missing: names of one class begin alike. */
export function keepEnd(spans: Line, columns: number, ellipsis: string): Line {
  const whole = lineColumns(spans);
  if (whole <= columns) return spans;
  const missing = whole - columns + ellipsis.length;
  return fitted([span(spans[0]?.role ?? "plain", ellipsis), ...dropColumns(spans, missing)], columns, "");
}

function withoutHead(text: Display, columns: number): string {
  if (NARROW.test(text)) return text.slice(columns);
  let left = columns;
  for (const { segment, index } of GRAPHEMES.segment(text)) {
    if (left <= 0) return " ".repeat(-left) + text.slice(index);
    left -= columnsOf(segment);
  }
  return "";
}

/** The line with the parts between offsets of its text in another role. The ranges are in order and apart. */
export function marked(
  spans: Line,
  ranges: readonly { readonly from: number; readonly to: number }[],
  role: Role,
): Line {
  if (ranges.length === 0) return spans;
  const made: Span[] = [];
  let start = 0;
  for (const { text, role: own } of spans) {
    const end = start + text.length;
    let at = start;
    const put = (to: number, as: Role): void => {
      if (to > at) made.push({ text: display(text.slice(at - start, to - start)), role: as });
      at = Math.max(at, to);
    };
    for (const { from, to } of ranges)
      if (to > start && from < end) {
        put(Math.max(from, start), own);
        put(Math.min(to, end), role);
      }
    put(end, own);
    start = end;
  }
  return made;
}

/** The line with every span in one role. */
export const withRole = (spans: Line, role: Role): Line => spans.map(({ text }) => ({ text, role }));

/** Text wrapped between words where possible, in at least one and at most `rows` lines. */
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
    while (lines.length <= rows) {
      const part = head(display(current.slice(0, UNITS_PER_COLUMN * columns)), columns);
      if (part === "" || part.length === current.length) break;
      lines.push(display(part));
      current = current.slice(part.length);
    }
    if (lines.length > rows) break;
  }
  if (current !== "" || lines.length === 0) lines.push(display(current));
  if (lines.length <= rows && raw.length <= most) return lines;
  const last = lines[rows - 1] ?? display("");
  const more = `${last} ${ellipsis}`;
  const end = columnsOf(more) <= columns ? display(more) : cut(`${last} `.padEnd(columns + 1), columns, ellipsis);
  return [...lines.slice(0, Math.max(0, rows - 1)), end];
}
