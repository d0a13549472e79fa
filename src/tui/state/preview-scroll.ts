/** Which lines of a preview are in sight. A long line that is wrapped takes several rows. */
import { displayLines } from "../../text/display.ts";
import { columnsOf } from "../styling/styled-text.ts";
import { insideOf, previewRows, reviewLayout } from "./layout.ts";
import { DIFF, previewOf } from "./preview.ts";
import type { PreviewLine, ReviewState } from "./review-state.ts";
import type { Size } from "./state.ts";

/** Blanks for a tab. */
export const TAB = "    ";
/** A longer line has no more rows than this. */
export const WRAPPED_ROWS_MAX = 40;
/** Code units of a line that are looked at per column. */
export const UNITS_PER_COLUMN = 8;

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

function wrappedLines(size: Size, review: ReviewState): { readonly count: number; rowsOf(at: number): number } {
  const { lines = [], language = "" } = previewOf(review) ?? {};
  const { columns } = insideOf(reviewLayout(size, review).preview);
  const room = Math.max(1, columns - gutterColumns(lines, language, columns));
  const unitsMax = (room * WRAPPED_ROWS_MAX + 1) * UNITS_PER_COLUMN;
  const rowsOf = (at: number): number => {
    const text = displayLines((lines[at]?.text ?? "").slice(0, unitsMax)).replaceAll("\t", TAB);
    return Math.min(WRAPPED_ROWS_MAX + 1, Math.max(1, Math.ceil(columnsOf(text) / room)));
  };
  return { count: lines.length, rowsOf };
}
