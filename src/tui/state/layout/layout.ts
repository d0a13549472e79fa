/**
 * The layout of each screen: columns and rows of its panes, and the window of a list that is shown.
 *
 * A screen is a header line, the body, a status line and a line of keys. The panes of a layout add up to the body, and a
 * pane has either no rows or at least three.
 */
import type { ReviewState } from "../review-state.ts";
import type { EntryState, RunState, Size } from "../state.ts";

/** The header, the status line and the keys. */
const CHROME_ROWS = 3;

/** Rows between the header and the status line. */
export const bodyRows = ({ rows }: Size): number => Math.max(0, rows - CHROME_ROWS);

/** The size inside a pane: without the frame and the blank at each side. */
export const insideOf = ({ columns, rows }: Size): Size => ({
  columns: Math.max(0, columns - 4),
  rows: Math.max(0, rows - 2),
});

/** The first row of a list to show, so that the cursor is near the middle. */
export const windowTop = (cursor: number, count: number, rows: number): number =>
  Math.max(0, Math.min(cursor - Math.floor(rows / 2), count - rows));

/** A list pane with at least this many rows also shows details of the row under the cursor. */
const DETAIL_ROWS_MIN = 8;

/** Rows of the list in a run's files pane and in a file's symbols pane, without headings and details. */
export const foundRows = (inside: number): number =>
  inside < DETAIL_ROWS_MIN ? inside - rowsAbove(inside, false) : inside - 2 - rowsAbove(inside, false);
export const symbolRows = (inside: number): number =>
  inside < DETAIL_ROWS_MIN ? inside - rowsAbove(inside, false) : inside - 3 - rowsAbove(inside, false);

/** A pane with at least this many rows has headings above its list. */
const HEADING_ROWS_MIN = 5;

/** Rows above a list of files or symbols in a pane: the headings, and the line of a filter that is being typed. */
export const rowsAbove = (inside: number, isFiltering: boolean): number =>
  (inside < HEADING_ROWS_MIN ? 0 : 1) + (isFiltering ? 1 : 0);

/** Up to this width the list and the preview take turns, because half of it is too narrow to read code. */
const NARROW_COLUMNS_MAX = 99;
export const isNarrow = ({ columns }: Size): boolean => columns <= NARROW_COLUMNS_MAX;

/** Up to this width a run's stages are above its files instead of beside them. */
const RUN_NARROW_COLUMNS_MAX = 72;

/** Rows of the panes of the first screen. A low one shows only the pane with the focus. */
export function entryLayout(
  size: Size,
  { sessions, focus }: Pick<EntryState, "sessions" | "focus">,
): { readonly task: number; readonly sessions: number } {
  const body = bodyRows(size);
  if (body < 8) return focus === "task" ? { task: body, sessions: 0 } : { task: 0, sessions: body };
  const rows = Math.min(Math.max(3, Math.floor(body * 0.45)), Math.max(3, (sessions?.length ?? 0) + 2));
  return { task: body - rows, sessions: rows };
}

/** The run screen: stages with the model or notices `below`, and the files beside them, or below them when narrow. */
type RunLayout = {
  readonly narrow: boolean;
  readonly left: { readonly columns: number; readonly stages: number; readonly below: number };
  readonly files: { readonly columns: number; readonly rows: number };
};

/** Rows of the stages: one says "starting" while there is none. */
const stageRows = ({ stages, refresh }: RunState): number => Math.max(1, stages.length + (refresh === null ? 0 : 1));

export function runLayout(size: Size, run: RunState): RunLayout {
  const stages = stageRows(run);
  const body = bodyRows(size);
  if (size.columns <= RUN_NARROW_COLUMNS_MAX) {
    const top = body >= 8 ? Math.min(stages + 2, body - 4) : 0;
    const files = body - top;
    return {
      narrow: true,
      left: { columns: size.columns, stages: top, below: 0 },
      files: { columns: size.columns, rows: files },
    };
  }
  const columns = Math.min(60, Math.max(38, Math.floor(size.columns * 0.36)));
  const top = Math.min(body, Math.max(3, body - stages - 2 < 3 ? body : stages + 2));
  return {
    narrow: false,
    left: { columns, stages: top, below: body - top },
    files: { columns: size.columns - columns, rows: body },
  };
}

/**
 * The review screen: the list, and right of it the preview above the reasons. When narrow, either the list or the
 * preview above the reasons. A pane without rows is not shown.
 */
type ReviewLayout = { readonly list: Size; readonly preview: Size; readonly reason: Size };

const REASON_ROWS_MAX = 14;
/** When narrow, most rows are for the list or the code above. */
const NARROW_REASON_ROWS = { list: 7, preview: 4 } as const;

/** Rows of code in the preview; at least one. */
export const previewRows = (size: Size, review: Pick<ReviewState, "pane" | "shows" | "symbols">): number =>
  Math.max(1, insideOf(reviewLayout(size, review).preview).rows);

/** The symbols of a file replace the list and show their own details. */
export function reviewLayout(
  size: Size,
  { pane, shows, symbols }: Pick<ReviewState, "pane" | "shows" | "symbols">,
): ReviewLayout {
  const rows = bodyRows(size);
  const narrow = isNarrow(size);
  const wanted = Math.min(narrow ? NARROW_REASON_ROWS[pane] : REASON_ROWS_MAX, Math.floor(rows * 0.42));
  const isShown = shows.reasons && !(narrow && symbols !== null);
  const reason = isShown && wanted >= 4 && rows - wanted >= 3 ? wanted : 0;
  if (narrow) {
    const whole = { columns: size.columns, rows: rows - reason };
    const none = { columns: 0, rows: 0 };
    const isList = pane === "list" || symbols !== null;
    return {
      list: isList ? whole : none,
      preview: isList ? none : whole,
      reason: { columns: size.columns, rows: reason },
    };
  }
  const listColumns = Math.min(110, Math.max(40, Math.floor(size.columns * 0.48)));
  const columns = size.columns - listColumns;
  return {
    list: { columns: listColumns, rows },
    preview: { columns, rows: rows - reason },
    reason: { columns, rows: reason },
  };
}
