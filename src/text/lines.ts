/**
 * Lines and spans of a text: line numbers by offset, where lines end, and blank copies of a text.
 *
 * Lines end at a line feed (a carriage return before it belongs to the line) and count from 1. A last line without a
 * line feed counts; the empty rest after a line feed does not.
 */

/** Offsets into a text, `end` exclusive. */
export type Span = { readonly start: number; readonly end: number };

export type Lines = {
  /** Number of lines; an empty text has none. */
  readonly count: number;
  /** The line of an offset, 1 to `count` (1 in an empty text). */
  lineOf(offset: number): number;
  /** The offset at which a line starts; the text's length after the last line. */
  startOf(line: number): number;
};

/** The number of lines of a text, as `Lines` counts them. */
export function lineCount(text: string): number {
  let count = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/**
 * The lines of an ASCII text: how many there are (as in `lineCount`), the length of the longest, and of all that are not empty with a line
 * feed each.
 */
export type LineLengths = { readonly lines: number; readonly longest: number; readonly chars: number };

/** Measures the lines of an ASCII text, from its bytes. */
export function lineLengths(text: Uint8Array): LineLengths {
  let [lines, longest, chars] = [0, 0, 0];
  for (let start = 0; start < text.length; lines += 1) {
    const next = text.indexOf(LINE_FEED, start);
    const length = (next < 0 ? text.length : next) - start;
    if (length > longest) longest = length;
    if (length > 0) chars += length + 1;
    start += length + 1;
  }
  return { lines, longest, chars };
}

const LINE_FEED = 0x0a;

/** Indexes the lines of a text, once. */
export function linesOf(text: string): Lines {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const count = starts.at(-1) === text.length ? starts.length - 1 : starts.length;
  return {
    count,
    lineOf(offset) {
      let low = 0;
      let high = starts.length;
      while (high - low > 1) {
        const middle = (low + high) >>> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle;
      }
      return Math.max(1, Math.min(low + 1, count));
    },
    startOf: (line) => starts[line - 1] ?? text.length,
  };
}

/** The offset of the line feed that ends the line of an offset; the text's length on a last line without one. */
export function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

/** The text with a line feed at its end; an empty one stays empty. */
export const withLastLineFeed = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/** A text with the same length and lines that contains only white space. */
export const blank = (text: string): string => text.replace(/[^\r\n]/g, " ");
