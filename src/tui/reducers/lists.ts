/** Moving the cursor of the focused list, and scrolling the focused page. */

import type { Context } from "../keys/bindings.ts";
import { listRowsInSight } from "../state/layout/hit-test.ts";
import { previewRows } from "../state/layout/layout.ts";
import { overlayWindow } from "../state/layout/overlay-layout.ts";
import { changeRows, changeSections } from "../state/lists/change-list.ts";
import { clampIndex, moveCursor } from "../state/lists/file-list.ts";
import { sessionsListed, symbolsListed } from "../state/lists/filtered-lists.ts";
import { historyRows, paletteRows } from "../state/lists/pages.ts";
import { previewOf } from "../state/preview/preview.ts";
import { linesInSight, topBefore } from "../state/preview/preview-scroll.ts";
import { previewTop } from "../state/preview/preview-search.ts";
import type { Overlay, State } from "../state/state.ts";
import { become, type Outcome, type Reducer, type Reducers } from "./reducer.ts";

/** A page is what is in sight, so that no row is skipped. */
const pageRows = (state: State): number => Math.max(1, overlayWindow(state)?.rows ?? listRowsInSight(state) ?? 1);

/** A list with the focus; `at` gives the state with another cursor. */
type List = { readonly length: number; readonly cursor: number; readonly at: (cursor: number) => State };

/** The list under a filter that is being typed. */
const FILTERED_CONTEXT = { files: "review", symbols: "symbols", sessions: "sessions", preview: "preview" } as const;

function overlayLength(state: State, overlay: Extract<Overlay, { readonly cursor: number }>): number {
  switch (overlay.is) {
    case "palette":
      return paletteRows(state, overlay.query.text).length;
    case "history":
      return historyRows(state.entry, overlay.query.text).length;
    case "changes":
      return changeRows(changeSections(state) ?? [], overlay.query.text).length;
    case "rounds":
    case "finder":
      return overlay.rows?.length ?? 0;
  }
}

function focusedList(state: State, context: Context): List | null {
  const { overlay, entry, run, review } = state;
  if (overlay !== null && overlay.is !== "filter") {
    if (!("cursor" in overlay)) return null;
    return {
      length: overlayLength(state, overlay),
      cursor: overlay.cursor,
      at: (cursor) => ({ ...state, overlay: { ...overlay, cursor } }),
    };
  }
  const list = overlay === null ? context : FILTERED_CONTEXT[overlay.of];
  if (list === "sessions")
    return {
      length: sessionsListed(entry).length,
      cursor: entry.sessionAt,
      at: (sessionAt) => ({ ...state, entry: { ...entry, sessionAt } }),
    };
  if (list === "run" && run !== null)
    return { length: run.files.length, cursor: run.cursor, at: (cursor) => ({ ...state, run: { ...run, cursor } }) };
  if (list === "symbols" && review?.symbols) {
    const { symbols } = review;
    return {
      length: symbolsListed(symbols).length,
      cursor: symbols.cursor,
      at: (cursor) => ({ ...state, review: { ...review, symbols: { ...symbols, cursor } } }),
    };
  }
  if (list === "review" && review !== null)
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
    cursorTo(state, context, (list) => indexIn(list, pageRows(state)));

/** `page` is how many lines are in sight from `top`, `before` the top of the page before, and `end` the last top. */
type Scrolled = { readonly top: number; readonly page: number; readonly before: number; readonly end: number };
type TopIn = (from: Scrolled) => number;

/** Scrolls the page of the overlay to another first line. */
export function scrollOverlay(state: State, topIn: TopIn): Outcome {
  const { overlay } = state;
  if (overlay?.is !== "help" && overlay?.is !== "command") return become(state);
  const { top, rows, count } = overlayWindow(state) ?? { top: 0, rows: 1, count: 0 };
  const end = Math.max(0, count - rows);
  const next = topIn({ top, page: rows, before: top - rows, end });
  return become({ ...state, overlay: { ...overlay, top: clampIndex(next, end + 1) } });
}

/** Scrolls the preview to another first line. */
export function scrollPreview(state: State, topIn: TopIn): Outcome {
  const { review, size } = state;
  if (review === null) return become(state);
  const length = previewOf(review)?.lines.length ?? 0;
  const end = topBefore(size, review, length - 1);
  const top = Math.min(previewTop(review, previewRows(size, review)), end);
  const page = linesInSight(size, review, top);
  const next = clampIndex(topIn({ top, page, before: topBefore(size, review, top - 1), end }), end + 1);
  return become({ ...state, review: { ...review, preview: { ...review.preview, top: next, hit: null } } });
}

const scroll =
  (topIn: TopIn): Reducer =>
  (state, context) =>
    (context === "preview" || context === "review" ? scrollPreview : scrollOverlay)(state, topIn);

export const LIST_REDUCERS = {
  "list.next": moveTo(({ cursor }) => cursor + 1),
  "list.previous": moveTo(({ cursor }) => cursor - 1),
  "list.page-down": moveTo(({ cursor }, page) => cursor + page),
  "list.page-up": moveTo(({ cursor }, page) => cursor - page),
  "list.first": moveTo(() => 0),
  "list.last": moveTo(({ length }) => length - 1),
  "page.down": scroll(({ top }) => top + 1),
  "page.up": scroll(({ top }) => top - 1),
  "page.page-down": scroll(({ top, page }) => top + page),
  "page.page-up": scroll(({ before }) => before),
  "page.top": scroll(() => 0),
  "page.bottom": scroll(({ end }) => end),
  "preview.down": scroll(({ top }) => top + 1),
  "preview.up": scroll(({ top }) => top - 1),
} as const satisfies Reducers;
