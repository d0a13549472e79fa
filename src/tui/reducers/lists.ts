/** Moving the cursor of the focused list, and scrolling the focused page. */

import type { Context } from "../keys/bindings.ts";
import { changeRows, changeSections } from "../state/change-list.ts";
import { clampIndex, moveCursor } from "../state/file-list.ts";
import { sessionsListed, symbolsListed } from "../state/filtered-lists.ts";
import { previewRows } from "../state/layout.ts";
import { historyRows, pageLength, paletteRows } from "../state/pages.ts";
import { previewOf } from "../state/preview.ts";
import { previewTop } from "../state/preview-search.ts";
import type { Overlay, Size, State } from "../state/state.ts";
import { become, type Outcome, type Reducer, type Reducers } from "./reducer.ts";

const pageRows = ({ rows }: Size): number => Math.max(1, rows - 8);

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
    cursorTo(state, context, (list) => indexIn(list, pageRows(state.size)));

type TopIn = (top: number, length: number) => number;

/** Scrolls the page of the overlay to another first line. */
export function scrollOverlay(state: State, topIn: TopIn): Outcome {
  const { overlay } = state;
  if (overlay?.is !== "help" && overlay?.is !== "command") return become(state);
  const length = pageLength(state);
  return become({ ...state, overlay: { ...overlay, top: clampIndex(topIn(overlay.top, length), length) } });
}

/** Scrolls the preview to another first line. */
export function scrollPreview(state: State, topIn: TopIn): Outcome {
  const { review, size } = state;
  if (review === null) return become(state);
  const rows = previewRows(size, review);
  const length = previewOf(review)?.lines.length ?? 0;
  const top = clampIndex(topIn(previewTop(review, rows), length), Math.max(1, length - rows + 1));
  return become({ ...state, review: { ...review, preview: { ...review.preview, top, hit: null } } });
}

const scroll =
  (topIn: (top: number, page: number, length: number) => number): Reducer =>
  (state, context) =>
    (context === "preview" || context === "review" ? scrollPreview : scrollOverlay)(state, (top, length) =>
      topIn(top, pageRows(state.size), length),
    );

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
