/** Which lines and columns of a preview are in sight. A long line that is wrapped takes several rows. */
import { displayLines } from "../../../text/display.ts";
import { columnsOf } from "../../styling/styled-text.ts";
import { insideOf, previewRows, reviewLayout } from "../layout/layout.ts";
import type { PreviewLine, ReviewState } from "../review-state.ts";
import type { Size } from "../state.ts";
import { DIFF, previewOf } from "./preview.ts";
import { matcherOf } from "./preview-search.ts";

/** Blanks for a tab. */
const TAB = "    ";
/** A longer line has no more rows than this. */
export const WRAPPED_ROWS_MAX = 40;
/** Code units of a line that are looked at per column; the rest is ignored. */
const UNITS_PER_COLUMN = 8;
/** The last first column. */
export const LEFT_MAX = 2_000;

/** Columns of the line numbers and the sign beside them. */
export function gutterColumns(lines: readonly PreviewLine[], language: string, columns: number): number {
  if (columns < 30) return 0;
  if (language === DIFF) return 2;
  const digits = String(lines.findLast(({ number }) => number !== null)?.number ?? 0).length;
  return Math.max(3, digits) + 1;
}

/** How many whole lines are in sight from one on, at least one. */
export function linesInSight(size: Size, review: ReviewState, top: number): number {
  const rows = previewRows(size, review);
  if (!review.preview.wrap) return rows;
  const { count, rowsOf } = wrappedLines(size, review);
  let left = rows;
  let at = top;
  while (at < count && rowsOf(at) <= left) {
    left -= rowsOf(at);
    at += 1;
  }
  return Math.max(1, at - top);
}

/** The first line to show so that this one is the last in sight. */
export function topBefore(size: Size, review: ReviewState, last: number): number {
  const rows = previewRows(size, review);
  if (!review.preview.wrap) return Math.max(0, last - rows + 1);
  const { rowsOf } = wrappedLines(size, review);
  let left = rows - rowsOf(last);
  let at = last;
  while (at > 0 && rowsOf(at - 1) <= left) {
    left -= rowsOf(at - 1);
    at -= 1;
  }
  return Math.max(0, at);
}

/** The first column to show so that a match of a line is in sight: the start of the line if that is enough. */
export function leftOfMatch(size: Size, review: ReviewState, at: number): number {
  if (review.preview.wrap) return 0;
  const { lines, room } = linesAndRoom(size, review);
  const text = visibleText(lines[at]?.text ?? "", LEFT_MAX + room);
  const matches = matcherOf(review)(text);
  const columnOf = (unit: number): number => columnsOf(text.slice(0, unit));
  // The last column can be that of the ellipsis.
  const [first] = matches;
  if (first === undefined || matches.some(({ to }) => columnOf(to) < room)) return 0;
  return Math.max(0, Math.min(LEFT_MAX, columnOf(first.from) - Math.floor(room / 2)));
}

/** The start of a line, as it is shown without colours. */
export const visibleText = (text: string, columns: number): string =>
  displayLines(text.slice(0, (columns + 1) * UNITS_PER_COLUMN)).replaceAll("\t", TAB);

/** The lines of the preview, and the columns for their text; in a narrow terminal, once it takes the place of the list. */
function linesAndRoom(size: Size, review: ReviewState): { lines: readonly PreviewLine[]; room: number } {
  const { lines = [], language = "" } = previewOf(review) ?? {};
  const { columns } = insideOf(reviewLayout(size, { ...review, pane: "preview" }).preview);
  return { lines, room: Math.max(1, columns - gutterColumns(lines, language, columns)) };
}

function wrappedLines(size: Size, review: ReviewState): { readonly count: number; rowsOf(at: number): number } {
  const { lines, room } = linesAndRoom(size, review);
  const rowsOf = (at: number): number => {
    const columns = columnsOf(visibleText(lines[at]?.text ?? "", room * WRAPPED_ROWS_MAX));
    return Math.min(WRAPPED_ROWS_MAX + 1, Math.max(1, Math.ceil(columns / room)));
  };
  return { count: lines.length, rowsOf };
}
