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

/** Takes over what is known of the index, and says when one that was made behind a first answer is ready. */
export function knownIndex(state: State, known: Extract<Action, { is: "index-known" }>["index"]): State {
  const next: State = { ...state, index: { ...state.index, ...known, step: null } };
  const isNews = state.index.status === "indexing" && state.screen !== "entry";
  if (!isNews || state.review === null || !isFinalDue(next, state.review)) return next;
  const key = firstKey("package.refine", "review");
  return withMessage(next, "done", `The index is ready. Press ${key} for the final answer.`);
}

/** Whether the index is ready and the shown answer is from before. A run then gives the final one. */
export const isFinalDue = ({ index }: State, { round }: ReviewState): boolean =>
  isFirstAnswer(round) && index.status === "ready";
