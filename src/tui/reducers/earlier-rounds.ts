/** Earlier rounds of the task: listing them, looking at one, and going back to it. */
import { firstKey } from "../keys/bindings.ts";
import type { Action } from "../state/actions.ts";
import { filesOfRound } from "../state/lists/file-list.ts";
import { hasNothingToRefine, unappliedChanges } from "../state/refinement-request.ts";
import { isEarlier } from "../state/review-state.ts";
import type { State } from "../state/state.ts";
import { become, inReview, type Outcome, type Reducers, say, withMessage } from "./reducer.ts";
import { requestRound, reviewOf } from "./rounds.ts";

export const EARLIER_REDUCERS = {
  "rounds.open": inReview((review, state) =>
    review.round === null
      ? say(state, "info", "There is no round yet: the run was stopped.")
      : become(
          { ...state, overlay: { is: "rounds", rows: null, cursor: 0 } },
          { do: "load-rounds", taskId: review.round.taskId },
        ),
  ),

  "rounds.look": inReview((review, state) => {
    const { overlay } = state;
    const row = overlay?.is === "rounds" ? overlay.rows?.[overlay.cursor] : undefined;
    if (row === undefined || review.round === null) return become(state);
    if (!row.finished) return say(state, "info", `Round ${row.round} did not finish: it has no package.`);
    if (row.round === review.round.number) return become({ ...state, overlay: null });
    if (!hasNothingToRefine(review))
      return say(
        state,
        "error",
        `First apply or undo your changes: ${unappliedChanges(review) ?? "they would be lost"}.`,
      );
    const loading = withMessage({ ...state, overlay: null }, "info", `Loading round ${row.round}.`);
    return become(loading, { do: "look", taskId: review.round.taskId, round: row.round });
  }),

  "rounds.return": inReview((review, state) =>
    isEarlier(review)
      ? requestRound(state, review)
      : say(
          state,
          "info",
          `This is the newest round. Press ${firstKey("rounds.open", "review")} to choose an earlier one.`,
        ),
  ),
} as const satisfies Reducers;

const lookingText = (round: number, latest: number): string =>
  `Round ${round} of ${latest}. Press ${firstKey("rounds.return", "review")} to go back to it, ${firstKey("rounds.open", "review")} for the others.`;

/** Shows the rounds, with the cursor on the one that is looked at. */
export function roundsLoaded(state: State, { rows }: Extract<Action, { is: "rounds-loaded" }>): Outcome {
  const { overlay, review } = state;
  if (overlay?.is !== "rounds") return become(state);
  const at = rows.findIndex(({ round }) => round === review?.round?.number);
  return become({ ...state, overlay: { ...overlay, rows, cursor: Math.max(0, at) } });
}

/** Shows another round of the task, unless the user has gone on meanwhile. */
export function roundLoaded(state: State, { round }: Extract<Action, { is: "round-loaded" }>): Outcome {
  const { review } = state;
  if (review === null || state.taskId !== round.taskId || state.screen !== "review" || !hasNothingToRefine(review))
    return become(state);
  const { requested } = review.dryRun;
  const latest = Math.max(review.round?.latest ?? 0, round.number);
  const fresh = reviewOf(filesOfRound(round), { ...round, latest });
  const next = {
    ...fresh,
    shows: review.shows,
    dryRun: { ...fresh.dryRun, requested, answered: requested },
  };
  const told = isEarlier(next)
    ? withMessage(state, "info", lookingText(round.number, latest))
    : { ...state, message: null };
  return become({ ...told, review: next });
}
