/** Updates of the index: how they start and end, behind a first answer too. */
import { firstKey } from "../keys/bindings.ts";
import type { Action } from "../state/actions.ts";
import { isFirstAnswer, type ReviewState } from "../state/review-state.ts";
import type { State } from "../state/state.ts";
import { become, type Outcome, withMessage } from "./reducer.ts";

/** Starts an update. */
export const refreshIndex = (state: State): Outcome =>
  become(
    { ...state, index: { ...state.index, status: "indexing", step: null, startedAt: state.now } },
    { do: "index" },
  );

/** Makes the index behind a first answer. */
export const withIndexBehind = (state: State): Outcome =>
  isFirstAnswer(state.review?.round ?? null) && state.index.status !== "indexing" ? refreshIndex(state) : become(state);

/** Takes over what is known of the index, and says how making one behind a first answer ended. */
export function knownIndex(state: State, known: Extract<Action, { is: "index-known" }>["index"]): State {
  const next: State = { ...state, index: { ...state.index, ...known, step: null } };
  const isNews = state.index.status === "indexing" && state.screen !== "entry";
  if (!isNews || state.review === null || !isFinalDue(next, state.review)) return next;
  const key = firstKey("package.refine", "review");
  if (known.status === "failed")
    return withMessage(next, "error", `The index is not made: ${known.headline}. Press ${key} to run again.`);
  return withMessage(next, "done", `The index is ready. Press ${key} for the final answer.`);
}

/** Whether the shown answer is from before the index, which is ready now or was not made. A run then gives the final one, or tries again. */
export const isFinalDue = ({ index: { status } }: State, { round }: ReviewState): boolean =>
  isFirstAnswer(round) && (status === "ready" || status === "failed");
