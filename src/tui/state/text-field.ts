/**
 * A text field: text being typed, with a cursor.
 *
 * The cursor is an offset in UTF-16 units and never inside a grapheme. The text has at most `FIELD_CHARS_MAX` units, only
 * line feeds as line ends, and no lone surrogate.
 */

import { GRAPHEMES } from "../styling/styled-text.ts";

/** `all`: the whole text is selected, until the next key. */
export type Field = { readonly text: string; readonly cursor: number; readonly all?: boolean };

/** Longer text is cut. */
export const FIELD_CHARS_MAX = 200_000;

export const EMPTY_FIELD: Field = { text: "", cursor: 0 };

/** A field with the cursor at the end of its text. */
export function fieldOf(text: string): Field {
  const clean = cleaned(text).slice(0, FIELD_CHARS_MAX).toWellFormed();
  return { text: clean, cursor: clean.length };
}

const cleaned = (text: string): string => text.replace(/\r\n?/g, "\n").toWellFormed();

/** Inserts text at the cursor, or in place of what is selected, cut at the limit. */
export function typed(field: Field, added: string): Field {
  const { text, cursor } = unselected(field);
  const room = Math.max(0, FIELD_CHARS_MAX - text.length);
  const put = cleaned(added).slice(0, room).toWellFormed();
  return placed(text.slice(0, cursor) + put + text.slice(cursor), cursor + put.length);
}

/** The field to insert into: what is selected goes. */
const unselected = (field: Field): Field => (field.all === true ? EMPTY_FIELD : field);

/** Inserts text into a one-line field: line ends and tabs become blanks. */
export const typedInLine = (field: Field, added: string): Field =>
  typed(field, added.replace(/[\r\n]+/g, " ").replaceAll("\t", " "));

/** Whether a text would be cut. */
export const isTooLong = (text: string, { text: before }: Field = EMPTY_FIELD): boolean =>
  before.length + cleaned(text).length > FIELD_CHARS_MAX;

/** An edit that deletes what is selected, if anything is. */
const deleting =
  (edit: (field: Field) => Field) =>
  (field: Field): Field =>
    field.all === true ? EMPTY_FIELD : edit(field);

export const left = ({ text, cursor }: Field): Field => ({ text, cursor: before(text, cursor) });
export const right = ({ text, cursor }: Field): Field => ({ text, cursor: after(text, cursor) });
export const lineHome = ({ text, cursor }: Field): Field => ({ text, cursor: lineStart(text, cursor) });
export const lineEnd = ({ text, cursor }: Field): Field => ({ text, cursor: lineStop(text, cursor) });
export const textStart = ({ text }: Field): Field => ({ text, cursor: 0 });
export const textEnd = ({ text }: Field): Field => ({ text, cursor: text.length });
export const selectAll = ({ text, cursor }: Field): Field =>
  text === "" ? { text, cursor } : { text, cursor: text.length, all: true };

export const wordLeft = ({ text, cursor }: Field): Field => ({ text, cursor: wordBefore(text, cursor) });
export const wordRight = ({ text, cursor }: Field): Field =>
  placed(text, cursor + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_\p{M}]*/u.exec(text.slice(cursor))?.[0].length ?? 0));

export const deleteLeft = deleting(({ text, cursor }) => without(text, before(text, cursor), cursor));
export const deleteRight = deleting(({ text, cursor }) => without(text, cursor, after(text, cursor)));
export const deleteWord = deleting(({ text, cursor }) => without(text, wordBefore(text, cursor), cursor));
/** Deletes to the end of the line; at the end, the line end itself. */
export const deleteAfter = deleting(({ text, cursor }) =>
  without(text, cursor, Math.max(lineStop(text, cursor), text[cursor] === "\n" ? cursor + 1 : cursor)),
);

/** The same column in the line above; null on the first line. */
export function lineUp({ text, cursor }: Field): Field | null {
  const start = lineStart(text, cursor);
  if (start === 0) return null;
  return placed(text, Math.min(lineStart(text, start - 1) + (cursor - start), start - 1));
}

/** The same column in the line below; null on the last line. */
export function lineDown({ text, cursor }: Field): Field | null {
  const stop = lineStop(text, cursor);
  if (stop === text.length) return null;
  const column = cursor - lineStart(text, cursor);
  return placed(text, Math.min(stop + 1 + column, lineStop(text, stop + 1)));
}

const without = (text: string, from: number, to: number): Field => placed(text.slice(0, from) + text.slice(to), from);

/** Moves a cursor that an edit left inside a character to its end. */
function placed(text: string, cursor: number): Field {
  const start = characterStart(text, cursor);
  return { text, cursor: start < cursor ? after(text, start) : cursor };
}

/** The start of the character that contains the offset, or the offset itself between characters. */
function characterStart(text: string, offset: number): number {
  let at = stretchStart(text, offset);
  while (at < offset) {
    const next = after(text, at);
    if (next > offset) break;
    at = next;
  }
  return at;
}

/** Characters are segmented within this many units, so that long text costs no more. */
const STRETCH = 256;

/** Where to start segmenting: the line start, or `STRETCH` units back. */
function stretchStart(text: string, cursor: number): number {
  const line = lineStart(text, cursor);
  if (cursor - line <= STRETCH) return line;
  const back = cursor - STRETCH;
  return isLowSurrogate(text, back) ? back - 1 : back;
}

function before(text: string, cursor: number): number {
  if (cursor === 0) return 0;
  if (text[cursor - 1] === "\n") return cursor - 1;
  const start = stretchStart(text, cursor);
  let last = start;
  for (const { index } of GRAPHEMES.segment(text.slice(start, cursor))) last = start + index;
  return last;
}

function after(text: string, cursor: number): number {
  for (const { segment } of GRAPHEMES.segment(text.slice(cursor, cursor + STRETCH))) return cursor + segment.length;
  return cursor;
}

const isLowSurrogate = (text: string, at: number): boolean => /^[\udc00-\udfff]$/.test(text[at] ?? "");

/** Never inside a character, even if a combining mark or the limit ends the run of letters in one. */
function wordBefore(text: string, cursor: number): number {
  const run = /[\p{L}\p{N}_\p{M}]*[^\p{L}\p{N}_]*$/u.exec(text.slice(Math.max(0, cursor - 1_000), cursor));
  return characterStart(text, cursor - (run?.[0].length ?? 0));
}

const lineStart = (text: string, cursor: number): number => (cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1);
function lineStop(text: string, cursor: number): number {
  const at = text.indexOf("\n", cursor);
  return at < 0 ? text.length : at;
}
