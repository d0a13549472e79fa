/**
 * The finder: adds a file or a symbol that the package lacks.
 *
 * Pure. A file becomes accepted, a symbol is asked for. Not here: finding (an effect), typing (`typing.ts`).
 */
import type { Action } from "../state/actions.ts";
import { markFiles, markSymbol } from "../state/decisions.ts";
import { applyFilter, clampIndex } from "../state/file-list.ts";
import { labelOf } from "../state/index-names.ts";
import { decisionFor, symbolKey, symbolMarkOf } from "../state/marks.ts";
import { decisionsProblem } from "../state/refinement-request.ts";
import type { IndexedName, ReviewState, State } from "../state/state.ts";
import { EMPTY_FIELD } from "../state/text-field.ts";
import { become, type Outcome, type Reducers, withMessage } from "./reducer.ts";
import { inReview } from "./review.ts";
import { FOUND_MAX } from "./typing.ts";

export const FINDER_REDUCERS = {
  "finder.open": inReview((_review, state) =>
    become(
      {
        ...state,
        overlay: { is: "finder", query: EMPTY_FIELD, answered: null, rows: [], matches: 0, of: 0, cursor: 0 },
      },
      { do: "find", query: "", limit: FOUND_MAX },
    ),
  ),

  "finder.add": inReview((review, state) => {
    if (state.overlay?.is !== "finder") return become(state);
    const { rows, cursor, answered, query } = state.overlay;
    // Rows of another query are not what the user asked for.
    const found = answered === query.text ? rows[cursor]?.found : undefined;
    if (found === undefined) return become(withMessage(state, "info", "No file or symbol is called like this."));
    const added = withAddition(review, found);
    const closed = { ...state, overlay: null };
    if (added === review)
      return become(
        withMessage(
          { ...closed, review: applyFilter(review, found.path) },
          "info",
          `${labelOf(found)} is asked for already.`,
        ),
      );
    const problem = decisionsProblem(added.decisions);
    if (problem !== null) return become(withMessage(closed, "error", `${labelOf(found)} cannot be added. ${problem}`));
    return become(
      withMessage({ ...closed, review: applyFilter(added, found.path) }, "done", `Added ${labelOf(found)}.`),
    );
  }),
} as const satisfies Reducers;

function withAddition(review: ReviewState, { path, name }: IndexedName): ReviewState {
  const decisions =
    name === null
      ? markFiles(review.decisions, [[path, decisionFor(review, path, "accepted")]])
      : symbolMarkOf(review, symbolKey(path, name)) === null
        ? markSymbol(review.decisions, symbolKey(path, name), "missing")
        : review.decisions;
  return decisions === review.decisions ? review : { ...review, decisions };
}

/** Rows that answer a query; those of another than the newest are shown until that is answered. */
export function showFinderRows(state: State, { query, rows, matches, of }: Extract<Action, { is: "found" }>): Outcome {
  const { overlay } = state;
  if (overlay?.is !== "finder" || overlay.answered === overlay.query.text) return become(state);
  const cursor = clampIndex(overlay.cursor, rows.length);
  return become({ ...state, overlay: { ...overlay, answered: query, rows, matches, of, cursor } });
}
