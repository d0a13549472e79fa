/**
 * Where things are on a screen: columns and rows of its panes, and which row of a list lies under a place.
 *
 * Pure. A screen is a header line, the body, a status line and a line of keys. Invariants: the rows of a layout add up
 * to the body; a pane has three rows at least or none. Not here: drawing.
 */
import type { ReviewState, RunState, Size } from "./state.ts";

/** The header, the status line and the keys. */
export const CHROME_ROWS = 3;

export const bodyRows = ({ rows }: Size): number => Math.max(0, rows - CHROME_ROWS);

/** Columns and rows that the content of a pane has: its frame is one wide, with a blank beside it at the sides. */
export const insideOf = ({ columns, rows }: Size): Size => ({
  columns: Math.max(0, columns - 4),
  rows: Math.max(0, rows - 2),
});

/** The first of the rows that a list shows, so that the cursor is near the middle of them. */
export const windowTop = (cursor: number, count: number, rows: number): number =>
  Math.max(0, Math.min(cursor - Math.floor(rows / 2), count - rows));

/** From so many rows inside it, a pane with a list also tells about the thing under the cursor. */
const TELLING_ROWS_MIN = 8;

/** Rows of the list in the pane of a run's files, and in that of a file's symbols; what is left tells about one. */
export const foundRows = (inside: number): number => (inside < TELLING_ROWS_MIN ? inside : inside - 2);
export const symbolRows = (inside: number): number => (inside < TELLING_ROWS_MIN ? inside : inside - 3);

/** Up to this many columns the list and the preview take turns: half of it is too little to read code. */
const NARROW_COLUMNS_MAX = 99;
export const isNarrow = ({ columns }: Size): boolean => columns <= NARROW_COLUMNS_MAX;

/** Up to this many columns a run's stages are above its files. */
const RUN_NARROW_COLUMNS_MAX = 72;

/** Rows of the panes of the first screen, for so many sessions. */
export function entryLayout(size: Size, sessions: number): { readonly task: number; readonly sessions: number } {
  const body = bodyRows(size);
  const most = body < 8 ? 0 : Math.max(3, Math.floor(body * 0.45));
  const rows = Math.min(most, Math.max(3, sessions + 2));
  return { task: body - rows, sessions: rows };
}

/** The run: stages with what a model says below them, and the files found; one above the other when narrow. */
export type RunLayout = {
  readonly narrow: boolean;
  readonly left: { readonly columns: number; readonly stages: number; readonly below: number };
  readonly files: { readonly columns: number; readonly rows: number };
};

/** Lines that the stages of a run take: one says that it starts while there is none. */
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
  const columns = Math.min(60, Math.max(36, Math.floor(size.columns * 0.36)));
  const top = Math.min(body, Math.max(3, body - stages - 2 < 3 ? body : stages + 2));
  return {
    narrow: false,
    left: { columns, stages: top, below: body - top },
    files: { columns: size.columns - columns, rows: body },
  };
}

/**
 * The review: the list, and at its right the preview above the reasons. When narrow either the list or the preview is
 * shown, with the reasons below it.
 */
export type ReviewLayout = {
  readonly list: { readonly columns: number; readonly rows: number };
  readonly preview: { readonly columns: number; readonly rows: number };
  /** No rows: not shown. */
  readonly reason: { readonly columns: number; readonly rows: number };
};

const REASON_ROWS_MAX = 14;
/** Below the list, and below a preview, when narrow: most rows are for the list and for code. */
const NARROW_REASON_ROWS = { list: 7, preview: 4 } as const;

/** Symbols of a file are where the list is, and tell about themselves. */
export function reviewLayout(
  size: Size,
  { pane, reasonShown, symbols }: Pick<ReviewState, "pane" | "reasonShown" | "symbols">,
): ReviewLayout {
  const rows = bodyRows(size);
  const narrow = isNarrow(size);
  const wanted = Math.min(narrow ? NARROW_REASON_ROWS[pane] : REASON_ROWS_MAX, Math.floor(rows * 0.42));
  const told = reasonShown && !(narrow && symbols !== null);
  const reason = told && wanted >= 4 && rows - wanted >= 3 ? wanted : 0;
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
  const listColumns = Math.min(100, Math.max(40, Math.floor(size.columns * 0.46)));
  const columns = size.columns - listColumns;
  return {
    list: { columns: listColumns, rows },
    preview: { columns, rows: rows - reason },
    reason: { columns, rows: reason },
  };
}
