/**
 * Which place of a list lies under a place of the screen. Pure; the views draw by the same layout.
 */
import { contextOf } from "./key-context.ts";
import { entryLayout, foundRows, insideOf, reviewLayout, runLayout, symbolRows, windowTop } from "./layout.ts";
import type { State } from "./state.ts";

/** A list on the screen: its frame's first row and columns, its own first row in it, and what it shows. */
type Shown = {
  readonly row: number;
  readonly from: number;
  readonly columns: number;
  readonly rows: number;
  readonly cursor: number;
  readonly count: number;
};

/** The place in the list that has the keys, both numbers counted from 0; null where there is none. */
export function hitTest(state: State, column: number, row: number): number | null {
  const list = shownList(state);
  if (list === null || column < list.from || column >= list.from + list.columns) return null;
  const at = row - list.row;
  const place = windowTop(list.cursor, list.count, list.rows) + at;
  return at >= 0 && at < list.rows && place < list.count ? place : null;
}

/** The header, and the frame's upper side. */
const ROWS_ABOVE = 2;

function shownList(state: State): Shown | null {
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
