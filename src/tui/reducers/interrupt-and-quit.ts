/**
 * What Esc, Ctrl-C and q do.
 *
 * Esc goes back one step. Ctrl-C stops what is running, and pressed again quits. q asks first if there are marks that no
 * round has applied.
 */
import { keysOf } from "../keys/bindings.ts";
import { markCount } from "../state/decisions.ts";
import { contextOf } from "../state/key-context.ts";
import type { State } from "../state/state.ts";
import { become, type Outcome, type Reducers, say, withInput, withMessage, withReview } from "./reducer.ts";
import { clearRangeOrFilter } from "./review.ts";
import { cancelRun, isRunning } from "./run.ts";

export const LEAVING_REDUCERS = {
  "app.back": back,
  "app.interrupt": interrupt,
  "app.quit": (state) =>
    state.review !== null && markCount(state.review.decisions) > 0
      ? become({ ...state, overlay: { is: "quit" } })
      : quit(state),
  "quit.now": quit,
} as const satisfies Reducers;

/** Goes back one step and drops queued keys. */
function back(before: State): Outcome {
  const state = before.input.queue.length === 0 ? before : withInput(before, { queue: [] });
  const { overlay, screen, entry, review } = state;
  if (overlay?.is === "save" && overlay.status === "exists")
    return become({ ...state, overlay: { ...overlay, status: "asking" } });
  if (overlay?.is === "filter" && review !== null)
    return become({ ...state, overlay: null, review: clearRangeOrFilter({ ...review, rangeFrom: null }) ?? review });
  if (overlay !== null) return become({ ...state, overlay: null });
  if (screen === "entry") {
    if (entry.focus === "sessions") return become({ ...state, entry: { ...entry, focus: "task" } });
    if (state.index.status === "indexing")
      return become(withMessage(state, "info", "Stopping."), { do: "cancel-index" });
    return become(review === null ? state : { ...state, screen: "review" });
  }
  if (screen === "run" || review === null) return become(state);
  if (review.symbols !== null) return withReview(state, { ...review, symbols: null });
  if (review.pane === "preview") return withReview(state, { ...review, pane: "list" });
  const cleared = clearRangeOrFilter(review);
  return cleared === null ? become(state) : withReview(state, cleared);
}

/** Stops what is running; quits if the last key was Ctrl-C too. */
function interrupt(state: State): Outcome {
  if (state.input.interrupted) return quit(state);
  const once = withInput(state, { interrupted: true });
  const stopping = withMessage(once, "info", `Stopping. ${interruptHint(state)}`);
  if (state.run?.status === "running") return cancelRun(stopping);
  if (state.screen === "entry" && state.index.status === "indexing") return become(stopping, { do: "cancel-index" });
  return say(once, "info", interruptHint(state));
}

/** Quits at once. A running run is stopped and its results are lost; decisions are saved. */
function quit(state: State): Outcome {
  const { run } = state;
  return isRunning(run) ? become(state, { do: "cancel", run: run.id }, { do: "quit" }) : become(state, { do: "quit" });
}

/** Says that pressing the key again quits. */
export const interruptHint = (state: State): string =>
  `Press ${keysOf("app.interrupt", contextOf(state))[0] ?? ""} again to quit.`;
