/**
 * Moving in lists and pages.
 *
 * Pure. Every list with the keys moves in the same way. Not here: what is chosen.
 */

import type { Context } from "../keys/bindings.ts";
import { clampIndex, moveCursor } from "../state/file-list.ts";
import { historyRows, pageLength, paletteRows } from "../state/pages.ts";
import { previewOf } from "../state/preview.ts";
import type { Size, State } from "../state/state.ts";
import { become, type Outcome, type Reducer, type Reducers } from "./reducer.ts";

/** Rows that a page key moves by. */
const pageRows = ({ rows }: Size): number => Math.max(1, rows - 8);

/** A list that has the keys: how long it is, where its cursor is, and the state with the cursor elsewhere. */
type List = { readonly length: number; readonly cursor: number; readonly at: (cursor: number) => State };

function listIn(state: State, context: Context): List | null {
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

/** The cursor of the list that has the keys, at a place or as near as there is one. */
export function cursorTo(state: State, context: Context, place: (list: Omit<List, "at">) => number): Outcome {
  const list = listIn(state, context);
  return become(list === null ? state : list.at(clampIndex(place(list), list.length)));
}

const to =
  (place: (list: Omit<List, "at">, page: number) => number): Reducer =>
  (state, context) =>
    cursorTo(state, context, (list) => place(list, pageRows(state.size)));

/** The page that has the keys, at another line: the preview, or the one that lies over the screen. */
export function scrolledTo(state: State, place: (top: number, length: number) => number): Outcome {
  const { overlay, review } = state;
  if (overlay?.is === "help" || overlay?.is === "changes" || overlay?.is === "command") {
    const length = pageLength(state);
    return become({ ...state, overlay: { ...overlay, top: clampIndex(place(overlay.top, length), length) } });
  }
  if (review === null) return become(state);
  const length = previewOf(review)?.lines.length ?? 0;
  return become({ ...state, review: { ...review, previewTop: clampIndex(place(review.previewTop, length), length) } });
}

const scroll =
  (place: (top: number, page: number, length: number) => number): Reducer =>
  (state) =>
    scrolledTo(state, (top, length) => place(top, pageRows(state.size), length));

export const LIST_REDUCERS = {
  "list.next": to(({ cursor }) => cursor + 1),
  "list.previous": to(({ cursor }) => cursor - 1),
  "list.page-down": to(({ cursor }, page) => cursor + page),
  "list.page-up": to(({ cursor }, page) => cursor - page),
  "list.first": to(() => 0),
  "list.last": to(({ length }) => length - 1),
  "page.down": scroll((top) => top + 1),
  "page.up": scroll((top) => top - 1),
  "page.page-down": scroll((top, page) => top + page),
  "page.page-up": scroll((top, page) => top - page),
  "page.top": scroll(() => 0),
  "page.bottom": scroll((_, page, length) => length - page),
  "preview.down": scroll((top) => top + 1),
  "preview.up": scroll((top) => top - 1),
} as const satisfies Reducers;
