/** Filters of lists and the search of the preview: opening, typing, keeping and clearing them. */

import { contextOf } from "../state/key-context.ts";
import { applyFilter } from "../state/lists/file-list.ts";
import { isLeftOut } from "../state/lists/list-rows.ts";
import { nextMatch } from "../state/preview/preview-search.ts";
import type { ReviewState } from "../state/review-state.ts";
import type { EntryState, Filtered, State } from "../state/state.ts";
import { EMPTY_FIELD, type Field } from "../state/text-field.ts";
import { withHit } from "./preview.ts";
import { become, type Reducers, say } from "./reducer.ts";

/** The text of a filter; null when its list is not there. */
export function filterField(
  of: Filtered,
  { entry, review }: { readonly entry: EntryState; readonly review: ReviewState | null },
): Field | null {
  switch (of) {
    case "files":
      return review?.filter ?? null;
    case "symbols":
      return review?.symbols?.filter ?? null;
    case "sessions":
      return entry.filter;
    case "preview":
      return review?.preview.query ?? null;
  }
}

/** The state with another text of a filter. The cursor goes to the best match, and in the preview to the next. */
export function withFilter(state: State, of: Filtered, field: Field): State {
  const { entry, review } = state;
  const isSame = filterField(of, state)?.text === field.text;
  if (of === "sessions")
    return { ...state, entry: { ...entry, filter: field, sessionAt: isSame ? entry.sessionAt : 0 } };
  if (review === null) return state;
  switch (of) {
    case "files": {
      const next = { ...review, filter: field };
      return { ...state, review: isSame ? next : applyFilter({ ...next, cursor: 0 }, null) };
    }
    case "symbols": {
      const { symbols } = review;
      if (symbols === null) return state;
      const cursor = isSame ? symbols.cursor : 0;
      return { ...state, review: { ...review, symbols: { ...symbols, filter: field, cursor } } };
    }
    case "preview": {
      const next = { ...review, preview: { ...review.preview, query: field, hit: null } };
      const from = (review.preview.hit ?? review.preview.top ?? 0) - 1;
      const at = isSame || field.text === "" ? null : nextMatch(next, from, 1);
      return {
        ...state,
        review: isSame
          ? { ...next, preview: { ...next.preview, hit: review.preview.hit } }
          : at === null
            ? next
            : withHit(state, next, at),
      };
    }
  }
}

const LISTS = { review: "files", symbols: "symbols", sessions: "sessions" } as const;

export const FILTER_REDUCERS = {
  "filter.open": (state, context) => {
    const { overlay } = state;
    if (overlay?.is === "changes") return become({ ...state, overlay: { ...overlay, isTyping: true } });
    if (context !== "review" && context !== "symbols" && context !== "sessions") return become(state);
    return become({ ...state, overlay: { is: "filter", of: LISTS[context] } });
  },
  "filter.keep": (state) => {
    const { overlay, review } = state;
    if (overlay?.is === "changes") return become({ ...state, overlay: { ...overlay, isTyping: false } });
    const kept = { ...state, overlay: null };
    const isMissing = overlay?.is === "filter" && overlay.of === "preview" && review?.preview.hit === null;
    return isMissing && review.preview.query.text !== ""
      ? say(kept, "info", `There is no "${review.preview.query.text}" in this preview.`)
      : become(kept);
  },
} as const satisfies Reducers;

/** Clears the filter that is typed, or that of the list with the focus; null when it is empty. */
export function clearedFilter(state: State): State | null {
  const { overlay, review, entry } = state;
  const context = contextOf(overlay?.is === "filter" ? { ...state, overlay: null } : state);
  const of: Filtered | null =
    overlay?.is === "filter"
      ? overlay.of
      : context === "preview"
        ? "preview"
        : context === "review"
          ? "files"
          : context === "symbols" || context === "sessions"
            ? context
            : null;
  if (of === null || (filterField(of, { entry, review })?.text ?? "") === "") return null;
  if (of !== "files" || review === null) return withFilter(state, of, EMPTY_FIELD);
  // The cursor stays on the file that was found, whether the package shows it or not.
  const shows = { ...review.shows, leftOut: review.shows.leftOut || isLeftOut(review) };
  return { ...state, review: applyFilter({ ...review, filter: EMPTY_FIELD, shows }) };
}
