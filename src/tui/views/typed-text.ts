/**
 * Text being typed, with its caret: on one line that scrolls, or on several that wrap.
 *
 * Offsets are in UTF-16 units. Only text near the caret is processed, so that long text costs no more. Without colours, a
 * sign marks the caret.
 */

import { type Display, display } from "../../text/display.ts";
import { windowTop } from "../state/layout/layout.ts";
import type { Look } from "../state/state.ts";
import type { Field } from "../state/text-field.ts";
import { columnsOf, GRAPHEMES, type Line, span } from "../styling/styled-text.ts";

/** A row on the screen: a part of the text. */
type Row = { readonly from: number; readonly to: number };

/** One line, scrolled so that the caret is visible. It contains no line ends. */
export function typedLine({ text, cursor }: Field, columns: number, look: Look): Line {
  const room = Math.max(1, columns - 1);
  let from = Math.max(0, cursor - room * 4);
  while (from < cursor && columnsOf(shown(text.slice(from, cursor))) > room) from = after(text, from);
  const stop = { from, to: Math.min(text.length, from + room * 4) };
  return withCaret(text, firstRow(text, stop, room), cursor, look);
}

/** Wrapped lines, as many rows as there are, scrolled so that the caret is visible. */
export function typedLines({ text, cursor }: Field, columns: number, rows: number, look: Look): readonly Line[] {
  const room = Math.max(1, columns - 1);
  const reach = room * rows * 2;
  const start = cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
  const before = linesBefore(text, start, rows, reach).flatMap((part) => wrappedRows(text, part, room));
  const here = start + Math.floor((cursor - start) / reach) * reach;
  const after = linesFrom(text, here, cursor, rows, reach).flatMap((part) => wrappedRows(text, part, room));
  const all = [...before, ...after];
  const caret = all.findLastIndex(({ from }) => from <= cursor);
  const top = windowTop(caret, all.length, rows);
  return all.slice(top, top + rows).map((row, at) => withCaret(text, row, top + at === caret ? cursor : null, look));
}

/** Rows above the caret, the nearest last; only the end of a long line. */
function linesBefore(text: string, start: number, count: number, reach: number): readonly Row[] {
  const found: Row[] = [];
  let to = start - 1;
  while (to >= 0 && found.length < count) {
    const from = to === 0 ? 0 : text.lastIndexOf("\n", to - 1) + 1;
    found.unshift({ from: Math.max(from, to - reach), to });
    to = from - 1;
  }
  return found;
}

/** The caret's line and those below; only the beginning of a long line. */
function linesFrom(text: string, here: number, cursor: number, count: number, reach: number): readonly Row[] {
  const found: Row[] = [];
  let from = here;
  while (from <= text.length && found.length < count) {
    const feed = text.indexOf("\n", Math.max(from, found.length === 0 ? cursor : from));
    const to = feed < 0 ? text.length : feed;
    found.push({ from, to: Math.min(to, from + reach * 2) });
    from = to + 1;
  }
  return found;
}

/** Wraps a line at a blank if one is near; that blank is not shown. An empty line is a row. */
function wrappedRows(text: string, part: Row, room: number): readonly Row[] {
  const rows: Row[] = [];
  let from: number | null = part.from;
  while (from !== null) {
    const row: Row = firstRow(text, { from, to: part.to }, room);
    const near: number = from + (row.to - from) / 2;
    const blank: number = row.to < part.to ? text.lastIndexOf(" ", row.to) : -1;
    const to: number = blank > near ? blank : row.to;
    rows.push({ from, to });
    // The text after a blank has a row even if it is empty, because the caret may be there.
    from = blank > near ? blank + 1 : to < part.to ? to : null;
  }
  return rows;
}

/** The longest prefix of a part that fits, at least one character. */
function firstRow(text: string, { from, to }: Row, room: number): Row {
  let left = room;
  let at = from;
  for (const { segment } of GRAPHEMES.segment(text.slice(from, Math.min(to, from + room * 8))))
    for (const character of columnsOf(shown(segment)) > WHOLE_COLUMNS_MAX ? segment : [segment]) {
      left -= columnsOf(shown(character));
      if (left < 0 && at > from) return { from, to: at };
      at += character.length;
    }
  return { from, to: at };
}

/** A wider character is shown as escapes, which may be split. */
const WHOLE_COLUMNS_MAX = 2;

function withCaret(text: string, { from, to }: Row, cursor: number | null, { colour, ascii }: Look): Line {
  if (cursor === null || cursor < from || cursor > to) return [span("plain", shown(text.slice(from, to)))];
  const next = Math.min(to, cursor < to ? after(text, cursor) : cursor);
  const head = shown(text.slice(from, cursor));
  const under = shown(text.slice(cursor, next));
  const tail = shown(text.slice(next, to));
  const caret = colour
    ? [span("caret", under === "" ? " " : under)]
    : [span("caret", ascii ? "|" : "▏"), span("plain", under)];
  return [span("plain", head), ...caret, span("plain", tail)];
}

/** Tabs are common in pasted text. */
const shown = (text: string): Display => display(text.replaceAll("\t", "  "));

function after(text: string, at: number): number {
  for (const { segment } of GRAPHEMES.segment(text.slice(at, at + 64))) return at + segment.length;
  return at + 1;
}
