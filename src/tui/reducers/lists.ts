/** Moving the cursor of the focused list, and scrolling the focused page. */

import type { Context } from "../keys/bindings.ts";
import { clampIndex, moveCursor } from "../state/file-list.ts";
import { historyRows, pageLength, paletteRows } from "../state/pages.ts";
import { previewOf } from "../state/preview.ts";
import type { Size, State } from "../state/state.ts";
import { become, type Outcome, type Reducer, type Reducers } from "./reducer.ts";

const pageRows = ({ rows }: Size): number => Math.max(1, rows - 8);

/** A list with the focus; `at` gives the state with another cursor. */
type List = { readonly length: number; readonly cursor: number; readonly at: (cursor: number) => State };

function focusedList(state: State, context: Context): List | null {
  const { overlay, entry, run, review } = state;
  switch (overlay?.is) {
    case "palette":
    case "history": {
      const { query } = overlay;
      const rows = overlay.is === "palette" ? paletteRows(state, query.text) : historyRows(entry, query.text);
      return {
        length: rows.length,
        cursor: overlay.cursor,
        at: (cursor) => ({ ...state, overlay: { ...overlay, cursor } }),
      };
    }
    case "finder":
      return {
        length: overlay.rows.length,
        cursor: overlay.cursor,
        at: (cursor) => ({ ...state, overlay: { ...overlay, cursor } }),
      };
    case undefined:
    case "filter":
      break;
    default:
      return null;
  }
  if (context === "sessions")
    return {
      length: entry.sessions?.length ?? 0,
      cursor: entry.sessionAt,
      at: (sessionAt) => ({ ...state, entry: { ...entry, sessionAt } }),
    };
  if (context === "run" && run !== null)
    return { length: run.files.length, cursor: run.cursor, at: (cursor) => ({ ...state, run: { ...run, cursor } }) };
  if (context === "symbols" && review?.symbols) {
    const { symbols } = review;
    return {
      length: symbols.rows?.length ?? 0,
      cursor: symbols.cursor,
      at: (cursor) => ({ ...state, review: { ...review, symbols: { ...symbols, cursor } } }),
    };
  }
  if ((context === "review" || context === "filter") && review !== null)
    return {
      length: review.visible.length,
      cursor: review.cursor,
      at: (cursor) => ({ ...state, review: moveCursor(review, cursor) }),
    };
  return null;
}

/** Moves the cursor of the focused list to an index, or to the nearest one in the list. */
export function cursorTo(state: State, context: Context, indexIn: (list: Omit<List, "at">) => number): Outcome {
  const list = focusedList(state, context);
  return become(list === null ? state : list.at(clampIndex(indexIn(list), list.length)));
}

const moveTo =
  (indexIn: (list: Omit<List, "at">, page: number) => number): Reducer =>
  (state, context) =>
    cursorTo(state, context, (list) => indexIn(list, pageRows(state.size)));

/** Scrolls the focused page, which is an overlay or the preview, to another first line. */
export function scrollTo(state: State, topIn: (top: number, length: number) => number): Outcome {
  const { overlay, review } = state;
  if (overlay?.is === "help" || overlay?.is === "changes" || overlay?.is === "command") {
    const length = pageLength(state);
    return become({ ...state, overlay: { ...overlay, top: clampIndex(topIn(overlay.top, length), length) } });
  }
  if (review === null) return become(state);
  const length = previewOf(review)?.lines.length ?? 0;
  const top = clampIndex(topIn(review.preview.top, length), length);
  return become({ ...state, review: { ...review, preview: { ...review.preview, top } } });
}

const scroll =
  (topIn: (top: number, page: number, length: number) => number): Reducer =>
  (state) =>
    scrollTo(state, (top, length) => topIn(top, pageRows(state.size), length));

export const LIST_REDUCERS = {
  "list.next": moveTo(({ cursor }) => cursor + 1),
  "list.previous": moveTo(({ cursor }) => cursor - 1),
  "list.page-down": moveTo(({ cursor }, page) => cursor + page),
  "list.page-up": moveTo(({ cursor }, page) => cursor - page),
  "list.first": moveTo(() => 0),
  "list.last": moveTo(({ length }) => length - 1),
  "page.down": scroll((top) => top + 1),
  "page.up": scroll((top) => top - 1),
  "page.page-down": scroll((top, page) => top + page),
  "page.page-up": scroll((top, page) => top - page),
  "page.top": scroll(() => 0),
  "page.bottom": scroll((_, page, length) => length - page),
  "preview.down": scroll((top) => top + 1),
  "preview.up": scroll((top) => top - 1),
} as const satisfies Reducers;
