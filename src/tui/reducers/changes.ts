/** The list of changes between rounds, from which a change leads to its file. */
import { changeRows, changeSections } from "../state/lists/change-list.ts";
import { applyFilter } from "../state/lists/file-list.ts";
import { isShipped, type ReviewState } from "../state/review-state.ts";
import type { Overlay } from "../state/state.ts";
import { EMPTY_FIELD } from "../state/text-field.ts";
import { become, inReview, type Reducers, say } from "./reducer.ts";

export const OPEN_CHANGES: Overlay = { is: "changes", cursor: 0, query: EMPTY_FIELD, isTyping: false };

export const CHANGES_REDUCERS = {
  "changes.open": inReview((review, state) =>
    changeSections(state) !== null
      ? become({ ...state, overlay: OPEN_CHANGES })
      : say(
          state,
          "info",
          `Nothing to compare: ${firstRoundText(review.round?.number ?? 1)}. Mark files, and it says what the next one would change.`,
        ),
  ),

  "changes.go": inReview((review, state) => {
    const { overlay } = state;
    if (overlay?.is !== "changes") return become(state);
    const found = changeRows(changeSections(state) ?? [], overlay.query.text)[overlay.cursor];
    return found === undefined
      ? become(state)
      : become({ ...state, overlay: null, review: atFile(review, found.row.path) });
  }),
} as const satisfies Reducers;

/** A plain run of a task begins afresh, whatever its number. */
const firstRoundText = (round: number): string =>
  round === 1 ? "this is the first round" : `round ${round} did not refine an earlier one`;

/** The review with the cursor on a file, which is listed even if it was left out. */
function atFile(review: ReviewState, path: string): ReviewState {
  const isThere = review.files.some((file) => file.path === path && isShipped(file));
  const shows = { ...review.shows, leftOut: review.shows.leftOut || !isThere };
  return applyFilter({ ...review, filter: EMPTY_FIELD, shows, pane: "list", symbols: null }, path);
}
