/** The finder: accepts a file, or asks for a symbol, that the package lacks. */
import type { IndexedName } from "../../app/indexing/browse-index.ts";
import type { Action } from "../state/actions.ts";
import { markFiles, markSymbol } from "../state/decisions.ts";
import { applyFilter, clampIndex } from "../state/lists/file-list.ts";
import { decisionFor, symbolKey, symbolMarkOf } from "../state/marks.ts";
import { decisionsProblem } from "../state/refinement-request.ts";
import type { ReviewState } from "../state/review-state.ts";
import { labelOf, type State } from "../state/state.ts";
import { EMPTY_FIELD } from "../state/text-field.ts";
import { become, inReview, type Outcome, type Reducers, say } from "./reducer.ts";
import { rejectedFileText } from "./symbols.ts";
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
    // Rows of an older query are not what the user asked for.
    const found = answered === query.text ? rows[cursor]?.found : undefined;
    if (found === undefined) return say(state, "info", "No file or symbol matches.");
    const added = withName(review, found);
    const closed = { ...state, overlay: null };
    const listed = { ...closed, review: applyFilter(added, found.path) };
    if (added === review) return say(listed, "info", `${labelOf(found)} is already requested.`);
    const problem = decisionsProblem(added.decisions);
    if (problem !== null) return say(closed, "error", `${labelOf(found)} cannot be added. ${problem}`);
    const rejected = rejectedFileText(added, found.path);
    const told = `Added ${labelOf(found)}.`;
    return rejected === null ? say(listed, "done", told) : say(listed, "info", `${told} ${rejected}`);
  }),
} as const satisfies Reducers;

function withName(review: ReviewState, { path, name }: IndexedName): ReviewState {
  const decisions =
    name === null
      ? markFiles(review.decisions, [[path, decisionFor(review, path, "accepted")]])
      : symbolMarkOf(review, symbolKey(path, name)) === null
        ? markSymbol(review.decisions, symbolKey(path, name), "missing")
        : review.decisions;
  return decisions === review.decisions ? review : { ...review, decisions };
}

/** Shows rows that answer a query; rows of an older query stay until the newest is answered. */
export function showFinderRows(state: State, { query, rows, matches, of }: Extract<Action, { is: "found" }>): Outcome {
  const { overlay } = state;
  if (overlay?.is !== "finder" || overlay.answered === overlay.query.text) return become(state);
  const cursor = clampIndex(overlay.cursor, rows.length);
  return become({ ...state, overlay: { ...overlay, answered: query, rows, matches, of, cursor } });
}
