/** Boxes over the screen: their sizes and places, and the row of a list or page under a screen position. */
import type { Display } from "../../../text/display.ts";
import { wrapped } from "../../styling/styled-text.ts";
import { changeLines, changeSections } from "../lists/change-list.ts";
import { helpLines, historyRows, paletteRows } from "../lists/pages.ts";
import { unappliedChanges } from "../refinement-request.ts";
import type { ReviewState } from "../review-state.ts";
import type { Size, State } from "../state.ts";
import { bodyRows, insideOf, windowTop } from "./layout.ts";

/** The columns of a box: as requested, or the whole screen if little would be left beside it. */
export const boxColumns = (wanted: number, available: number): number =>
  wanted > available - BESIDE_COLUMNS_MIN ? available : wanted;

const BESIDE_COLUMNS_MIN = 8;

/** The first row and column of a box in the middle of a room. */
export const boxPlace = (box: Size, room: Size): { readonly top: number; readonly left: number } => ({
  top: Math.max(0, Math.floor((room.rows - box.rows) / 2)),
  left: Math.max(0, Math.floor((room.columns - box.columns) / 2)),
});

/** The largest size of a box with a query, and the columns of the others. */
export const BOXES = {
  palette: { columns: 64, rows: 18 },
  history: { columns: 100, rows: 18 },
  finder: { columns: 116, rows: 28 },
  changes: { columns: 110 },
  rounds: { columns: 100 },
  help: { columns: 72 },
  command: { columns: 100 },
} as const;

/** A box with a query and a line below it, which is as high as there is room. */
export const queryBox = (wanted: Size, room: Size): Size => ({
  columns: boxColumns(wanted.columns, room.columns),
  rows: Math.max(4, Math.min(wanted.rows, room.rows)),
});
/** The query and the line below it. */
export const QUERY_ROWS = 2;

/** A box that is as high as its lines. */
export const linesBox = (columns: number, lines: number, room: Size): Size => ({
  columns: boxColumns(columns, room.columns),
  rows: Math.max(3, Math.min(room.rows, lines + 2)),
});

/** The first line of a page to show. */
export const pageTop = (top: number, lines: number, rows: number): number => Math.max(0, Math.min(top, lines - rows));

const LACK_ROWS_MAX = 3;
const COMMAND_ROWS_MAX = 2_000;

/** The lines of the box with the command that reproduces the round; `lack` says which changes are not part of it. */
export function commandLines(
  review: ReviewState | null,
  room: Size,
  ellipsis: string,
): { readonly lack: readonly Display[]; readonly command: readonly Display[] } {
  const { columns } = insideOf({ columns: boxColumns(BOXES.command.columns, room.columns), rows: 0 });
  const lack = review === null ? null : unappliedChanges(review);
  return {
    lack: lack === null ? [] : wrapped(lack, columns, LACK_ROWS_MAX, ellipsis),
    command: wrapped(review?.round?.command ?? "", columns, COMMAND_ROWS_MAX, ellipsis),
  };
}

/** The lines of an open list or page; `rowOf` is null for a line that is no row. */
type OverlayLines = {
  readonly box: Size;
  /** Rows of the box above its lines. */
  readonly above: number;
  readonly count: number;
  readonly top: number;
  rowOf(line: number): number | null;
};

function overlayLines(state: State, room: Size): OverlayLines | null {
  const { overlay, entry } = state;
  switch (overlay?.is) {
    case "palette":
      return picked("palette", paletteRows(state, overlay.query.text).length, overlay.cursor, room);
    case "history":
      return picked("history", historyRows(entry, overlay.query.text).length, overlay.cursor, room);
    case "finder":
      return picked("finder", overlay.rows.length, overlay.cursor, room);
    case "rounds": {
      const rows = (overlay.rows ?? []).map((_, at) => at);
      return listed("rounds", rows, overlay.cursor, 0, room);
    }
    case "changes": {
      const lines = changeLines(changeSections(state) ?? [], overlay.query.text);
      const rows = lines.map((one) => (one.is === "row" ? one.at : null));
      return listed("changes", rows, overlay.cursor, overlay.isTyping ? 1 : 0, room);
    }
    case "help": {
      const lines = helpLines(state);
      const rowOf = (line: number): number | null => (lines[line]?.is === "command" ? line : null);
      return { ...paged("help", lines.length, overlay.top, room), rowOf };
    }
    case "command": {
      const { lack, command } = commandLines(state.review, room, "");
      return { ...paged("command", lack.length + command.length, overlay.top, room), rowOf: () => null };
    }
    default:
      return null;
  }
}

function paged(name: "help" | "command", count: number, top: number, room: Size): Omit<OverlayLines, "rowOf"> {
  const box = linesBox(BOXES[name].columns, count, room);
  return { box, above: 0, count, top: pageTop(top, count, insideOf(box).rows) };
}

function picked(name: "palette" | "history" | "finder", count: number, cursor: number, room: Size): OverlayLines {
  const box = queryBox(BOXES[name], room);
  const top = windowTop(cursor, count, Math.max(0, insideOf(box).rows - QUERY_ROWS));
  return { box, above: QUERY_ROWS, count, top, rowOf: (line) => (line < count ? line : null) };
}

function listed(
  name: "changes" | "rounds",
  rows: readonly (number | null)[],
  cursor: number,
  above: number,
  room: Size,
): OverlayLines {
  const box = linesBox(BOXES[name].columns, Math.max(1, rows.length) + above, room);
  return {
    box,
    above,
    count: rows.length,
    top: listTop(rows, cursor, insideOf(box).rows - above),
    rowOf: (line) => rows[line] ?? null,
  };
}

/** The first line of a list to show, some of whose lines are headings. */
export const listTop = (lines: readonly (number | null)[], cursor: number, rows: number): number =>
  windowTop(Math.max(0, lines.indexOf(cursor)), lines.length, rows);

/** The lines of the open list or page, how many of them are in sight, and the first of these; null without one. */
export function overlayWindow(
  state: State,
): { readonly rows: number; readonly count: number; readonly top: number } | null {
  const lines = overlayLines(state, { columns: state.size.columns, rows: bodyRows(state.size) });
  if (lines === null) return null;
  return { rows: Math.max(1, insideOf(lines.box).rows - lines.above), count: lines.count, top: lines.top };
}

/** The row of the open list or page at a position of the screen; null where there is none. */
export function overlayRow(state: State, column: number, row: number): number | null {
  const room = { columns: state.size.columns, rows: bodyRows(state.size) };
  const lines = overlayLines(state, room);
  if (lines === null) return null;
  const { box, above, top } = lines;
  const place = boxPlace(box, room);
  // Below the header and the frame.
  const at = row - 2 - place.top - above;
  const isInside =
    at >= 0 && at < insideOf(box).rows - above && column > place.left && column < place.left + box.columns - 1;
  return isInside ? lines.rowOf(top + at) : null;
}
