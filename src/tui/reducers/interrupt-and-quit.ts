/**
 * What Esc, Ctrl-C and q do.
 *
 * Esc goes back one step. Ctrl-C stops what is running, and pressed again quits. q asks only if something would be lost:
 * decisions are kept in the session, so that is what runs, and marks on an earlier round.
 */
import { firstKey } from "../keys/bindings.ts";
import { contextOf } from "../state/key-context.ts";
import { lossOf } from "../state/losses.ts";
import type { State } from "../state/state.ts";
import { EMPTY_FIELD } from "../state/text-field.ts";
import { clearedFilter } from "./filters.ts";
import { become, type Outcome, type Reducers, say, withInput, withMessage, withReview } from "./reducer.ts";
import { cancelRun, isRunning } from "./run.ts";

export const LEAVING_REDUCERS = {
  "app.back": back,
  "app.interrupt": interrupt,
  "app.quit": (state) =>
    lossOf(state) === null || state.overlay?.is === "quit"
      ? quit(state)
      : become({ ...state, overlay: { is: "quit" } }),
  "quit.now": quit,
} as const satisfies Reducers;

/** Goes back one step and drops queued keys. */
function back(before: State): Outcome {
  const state = before.input.queue.length === 0 ? before : withInput(before, { queue: [] });
  const { overlay, screen, entry, review } = state;
  if (overlay?.is === "save" && overlay.status === "exists")
    return become({ ...state, overlay: { ...overlay, status: "asking" } });
  if (overlay?.is === "changes" && (overlay.isTyping || overlay.query.text !== ""))
    return become({ ...state, overlay: { ...overlay, query: EMPTY_FIELD, cursor: 0, isTyping: false } });
  if (overlay?.is === "filter") return become({ ...(clearedFilter(state) ?? state), overlay: null });
  if (overlay !== null) return become({ ...state, overlay: null });
  if (
    screen === "review" &&
    review !== null &&
    review.rangeFrom !== null &&
    review.pane === "list" &&
    review.symbols === null
  )
    return withReview(state, { ...review, rangeFrom: null });
  const cleared = clearedFilter(state);
  if (cleared !== null) return become(cleared);
  if (screen === "entry") {
    if (entry.focus === "sessions") return become({ ...state, entry: { ...entry, focus: "task" } });
    if (state.index.status === "indexing")
      return become(withMessage(state, "info", "Stopping."), { do: "cancel-index" });
    return become(review === null ? state : { ...state, screen: "review" });
  }
  if (screen === "run" || review === null) return become(state);
  if (review.symbols !== null) return withReview(state, { ...review, symbols: null });
  if (review.pane === "preview") return withReview(state, { ...review, pane: "list" });
  return become({ ...state, screen: "entry" });
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
  `Press ${firstKey("app.interrupt", contextOf(state))} again to quit.`;
