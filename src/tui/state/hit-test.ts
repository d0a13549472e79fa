/** Finds the list row under a screen position, by the layout that the views draw. */
import { contextOf } from "./key-context.ts";
import { entryLayout, foundRows, insideOf, reviewLayout, runLayout, symbolRows, windowTop } from "./layout.ts";
import type { State } from "./state.ts";

/** A list on the screen: the position and size of its rows, its cursor and its length. */
type ListBox = {
  readonly row: number;
  readonly from: number;
  readonly columns: number;
  readonly rows: number;
  readonly cursor: number;
  readonly count: number;
};

/** The index in the focused list at a position counted from 0; null when there is none. */
export function hitTest(state: State, column: number, row: number): number | null {
  const list = focusedList(state);
  if (list === null || column < list.from || column >= list.from + list.columns) return null;
  const at = row - list.row;
  const index = windowTop(list.cursor, list.count, list.rows) + at;
  return at >= 0 && at < list.rows && index < list.count ? index : null;
}

/** The header and the top of the frame. */
const ROWS_ABOVE = 2;

function focusedList(state: State): ListBox | null {
  const { size, entry, run, review } = state;
  const context = contextOf(state);
  if (context === "sessions") {
    const count = entry.sessions?.length ?? 0;
    const layout = entryLayout(size, count);
    const { rows } = insideOf({ columns: size.columns, rows: layout.sessions });
    return { row: layout.task + ROWS_ABOVE, from: 0, columns: size.columns, rows, cursor: entry.sessionAt, count };
  }
  if (context === "run" && run !== null) {
    const { narrow, left, files } = runLayout(size, run);
    const rows = foundRows(insideOf(files).rows);
    const row = ROWS_ABOVE + (narrow ? left.stages : 0);
    const from = narrow ? 0 : left.columns;
    return { row, from, columns: files.columns, rows, cursor: run.cursor, count: run.files.length };
  }
  if (review === null || (context !== "review" && context !== "symbols")) return null;
  const { list } = reviewLayout(size, review);
  const inside = insideOf(list).rows;
  const { symbols, cursor, visible } = review;
  const at = { row: ROWS_ABOVE, from: 0, columns: list.columns };
  return symbols === null
    ? { ...at, rows: inside, cursor, count: visible.length }
    : { ...at, rows: symbolRows(inside), cursor: symbols.cursor, count: symbols.rows?.length ?? 0 };
}
