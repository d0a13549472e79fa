/**
 * A text that is being typed, with a cursor.
 *
 * Pure. Invariants: `cursor` is between 0 and the text's length (in UTF-16 units) and never inside a character as
 * people see it; the text has at most `FIELD_CHARS_MAX` units, line feeds as its only line ends, and no lone surrogate.
 * Not here: which key does what (`keys.ts`).
 */

export type Field = { readonly text: string; readonly cursor: number };

/** A task is a text that people write or paste; what is longer is cut. */
export const FIELD_CHARS_MAX = 200_000;

export const EMPTY_FIELD: Field = { text: "", cursor: 0 };

/** A field that holds a text, the cursor behind it. */
export function fieldOf(text: string): Field {
  const clean = cleaned(text).slice(0, FIELD_CHARS_MAX).toWellFormed();
  return { text: clean, cursor: clean.length };
}

const cleaned = (text: string): string => text.replace(/\r\n?/g, "\n").toWellFormed();

/** Puts text in at the cursor. Too much of it is cut. */
export function typed({ text, cursor }: Field, added: string): Field {
  const room = Math.max(0, FIELD_CHARS_MAX - text.length);
  const put = cleaned(added).slice(0, room).toWellFormed();
  return placed(text.slice(0, cursor) + put + text.slice(cursor), cursor + put.length);
}

/** The same for a field of one line: line ends become blanks. */
export const typedInLine = (field: Field, added: string): Field =>
  typed(field, added.replace(/[\r\n]+/g, " ").replaceAll("\t", " "));

/** Whether a text is too long to be put in whole. */
export const isTooLong = (text: string, { text: before }: Field = EMPTY_FIELD): boolean =>
  before.length + cleaned(text).length > FIELD_CHARS_MAX;

export const left = ({ text, cursor }: Field): Field => ({ text, cursor: before(text, cursor) });
export const right = ({ text, cursor }: Field): Field => ({ text, cursor: after(text, cursor) });
export const lineHome = ({ text, cursor }: Field): Field => ({ text, cursor: lineStart(text, cursor) });
export const lineEnd = ({ text, cursor }: Field): Field => ({ text, cursor: lineStop(text, cursor) });

export const wordLeft = ({ text, cursor }: Field): Field => ({ text, cursor: wordBefore(text, cursor) });
export const wordRight = ({ text, cursor }: Field): Field =>
  placed(text, cursor + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_\p{M}]*/u.exec(text.slice(cursor))?.[0].length ?? 0));

export const deleteLeft = ({ text, cursor }: Field): Field => without(text, before(text, cursor), cursor);
export const deleteRight = ({ text, cursor }: Field): Field => without(text, cursor, after(text, cursor));
export const deleteWord = ({ text, cursor }: Field): Field => without(text, wordBefore(text, cursor), cursor);
export const deleteBefore = ({ text, cursor }: Field): Field => without(text, lineStart(text, cursor), cursor);
/** At the end of a line, the line end itself. */
export const deleteAfter = ({ text, cursor }: Field): Field =>
  without(text, cursor, Math.max(lineStop(text, cursor), text[cursor] === "\n" ? cursor + 1 : cursor));

/** The line above, in the same column as far as it goes; null on the first line. */
export function lineUp({ text, cursor }: Field): Field | null {
  const start = lineStart(text, cursor);
  if (start === 0) return null;
  return placed(text, Math.min(lineStart(text, start - 1) + (cursor - start), start - 1));
}

/** The line below; null on the last. */
export function lineDown({ text, cursor }: Field): Field | null {
  const stop = lineStop(text, cursor);
  if (stop === text.length) return null;
  const column = cursor - lineStart(text, cursor);
  return placed(text, Math.min(stop + 1 + column, lineStop(text, stop + 1)));
}

const without = (text: string, from: number, to: number): Field => placed(text.slice(0, from) + text.slice(to), from);

/** A cursor that an edit left inside a character goes to its end. */
function placed(text: string, cursor: number): Field {
  const start = characterStart(text, cursor);
  return { text, cursor: start < cursor ? after(text, start) : cursor };
}

/** The start of the character that a place is inside of; the place itself where it is between characters. */
function characterStart(text: string, place: number): number {
  let at = stretchStart(text, place);
  while (at < place) {
    const next = after(text, at);
    if (next > place) break;
    at = next;
  }
  return at;
}

/** Characters are looked for in a stretch this long, so that a long text costs nothing more. */
const STRETCH = 256;
const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Where to begin looking so that what lies before the cursor is whole: a line start, or some way back. */
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

/** Never inside a character, though a mark, a joiner or the limit may end the run of letters in one. */
function wordBefore(text: string, cursor: number): number {
  const run = /[\p{L}\p{N}_\p{M}]*[^\p{L}\p{N}_]*$/u.exec(text.slice(Math.max(0, cursor - 1_000), cursor));
  return characterStart(text, cursor - (run?.[0].length ?? 0));
}

const lineStart = (text: string, cursor: number): number => (cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1);
function lineStop(text: string, cursor: number): number {
  const at = text.indexOf("\n", cursor);
  return at < 0 ? text.length : at;
}
