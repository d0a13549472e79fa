/** Finds what is under a screen position, by the layout that the views draw. */

import { contextOf } from "../key-context.ts";
import { sessionsListed, symbolsListed } from "../lists/filtered-lists.ts";
import { listedAt, listRows, rowOf } from "../lists/list-rows.ts";
import type { ReviewState } from "../review-state.ts";
import type { State } from "../state.ts";
import {
  entryLayout,
  foundRows,
  insideOf,
  reviewLayout,
  rowsAbove,
  runLayout,
  symbolRows,
  windowTop,
} from "./layout.ts";
import { sizeBesideMessage } from "./message-lines.ts";
import { overlayRow } from "./overlay-layout.ts";

/**
 * "row": an entry of the screen's list, `onMark` if the sign of its mark was hit. "folded": the line that counts what is not
 * listed. "overlay row": a row of the open list, or a command of the help. The others are panes; "overlay" is everything else
 * while one is open.
 */
export type Target =
  | { readonly on: "row"; readonly at: number; readonly onMark: boolean }
  | { readonly on: "overlay row"; readonly at: number }
  | { readonly on: "folded" | "list" | "preview" | "task" | "sessions" | "overlay" };

/** A list on the screen: the position and size of its rows, its cursor and its length. */
type ListBox = {
  readonly row: number;
  readonly from: number;
  readonly columns: number;
  readonly rows: number;
  readonly cursor: number;
  readonly count: number;
};

/** What is at a position counted from 0; null for what does nothing. */
export const hitTest = (state: State, column: number, row: number): Target | null =>
  hitIn({ ...state, size: sizeBesideMessage(state) }, column, row);

function hitIn(state: State, column: number, row: number): Target | null {
  const { overlay, screen, entry, review, size, run } = state;
  if (overlay !== null && overlay.is !== "filter") {
    const at = overlayRow(state, column, row);
    return at === null ? { on: "overlay" } : { on: "overlay row", at };
  }
  const list = listBox(state);
  const inList = list === null ? null : rowIn(list, column, row);
  if (screen === "entry" || (screen === "review" && review === null)) {
    if (inList !== null) return { on: "row", at: inList, onMark: false };
    const layout = entryLayout(size, entry);
    if (row < 1 || row > layout.task + layout.sessions) return null;
    return { on: row <= layout.task ? "task" : "sessions" };
  }
  if (screen === "run" && run !== null) return inList === null ? null : { on: "row", at: inList, onMark: false };
  return review === null ? null : inReview(review, state, inList, column, row);
}

/** The columns of a row's mark: after the frame, a blank and the pointer. */
const MARK_COLUMNS = { from: 3, to: 5 } as const;

function inReview(
  review: ReviewState,
  { size }: State,
  inList: number | null,
  column: number,
  row: number,
): Target | null {
  if (inList !== null && review.symbols === null) {
    const list = listRows(review);
    if (inList === list.foldedAt) return { on: "folded" };
    const at = listedAt(list, inList);
    const onMark = column >= MARK_COLUMNS.from && column <= MARK_COLUMNS.to;
    return at === null ? { on: "list" } : { on: "row", at, onMark };
  }
  if (inList !== null) return { on: "row", at: inList, onMark: false };
  const layout = reviewLayout(size, review);
  const top = row - 1;
  if (top < 0) return null;
  if (column < layout.list.columns) return top < layout.list.rows ? { on: "list" } : null;
  const left = size.columns - layout.preview.columns;
  return column >= left && top < layout.preview.rows ? { on: "preview" } : null;
}

function rowIn(list: ListBox, column: number, row: number): number | null {
  if (column < list.from || column >= list.from + list.columns) return null;
  const at = row - list.row;
  const index = windowTop(list.cursor, list.count, list.rows) + at;
  return at >= 0 && at < list.rows && index < list.count ? index : null;
}

/** The header and the top of the frame. */
const ROWS_ABOVE = 2;

/** How many rows of the screen's list are in sight; null without one. */
export const listRowsInSight = (state: State): number | null => listBox(state)?.rows ?? null;

/** The list of the screen; for the files of a review, rows include lines of facts. */
function listBox(state: State): ListBox | null {
  const { size, entry, run, review, overlay } = state;
  const isFiltering = overlay?.is === "filter";
  const context = contextOf(isFiltering ? { ...state, overlay: null } : state);
  if (context === "sessions" || context === "entry") {
    const layout = entryLayout(size, entry);
    const count = sessionsListed(entry).length;
    const { rows } = insideOf({ columns: size.columns, rows: layout.sessions });
    return {
      row: layout.task + ROWS_ABOVE + (isFiltering ? 1 : 0),
      from: 0,
      columns: size.columns,
      rows: rows - (isFiltering ? 1 : 0),
      cursor: entry.sessionAt,
      count,
    };
  }
  if (context === "run" && run !== null) {
    const { narrow, left, files } = runLayout(size, run);
    const inside = insideOf(files).rows;
    const row = ROWS_ABOVE + (narrow ? left.stages : 0) + rowsAbove(inside, false);
    const from = narrow ? 0 : left.columns;
    return { row, from, columns: files.columns, rows: foundRows(inside), cursor: run.cursor, count: run.files.length };
  }
  if (review === null) return null;
  const { list } = reviewLayout(size, review);
  const inside = insideOf(list).rows;
  if (inside <= 0) return null;
  const { symbols, cursor } = review;
  if (symbols !== null) {
    const rows = symbolRows(inside) - (isFiltering ? 1 : 0);
    const count = symbolsListed(symbols).length;
    return {
      row: ROWS_ABOVE + rowsAbove(inside, isFiltering),
      from: 0,
      columns: list.columns,
      rows,
      cursor: symbols.cursor,
      count,
    };
  }
  const above = rowsAbove(inside, isFiltering && overlay.of === "files");
  const rows = listRows(review);
  return {
    row: ROWS_ABOVE + above,
    from: 0,
    columns: list.columns,
    rows: inside - above,
    cursor: rowOf(rows, cursor),
    count: rows.count,
  };
}
