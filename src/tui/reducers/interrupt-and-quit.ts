/**
 * What can be done everywhere: back, stop, leave, help, the palette.
 *
 * Pure. Invariants: stopping twice in a row leaves, whatever is going on; leaving asks first when decisions wait that no
 * round has seen.
 */

import type { CommandName } from "../keys/bindings.ts";
import { hasNoDecisions } from "../state/decisions.ts";
import { paletteRows } from "../state/pages.ts";
import type { Overlay, State } from "../state/state.ts";
import { EMPTY_FIELD } from "../state/text-field.ts";
import { become, type Outcome, type Reducer, type Reducers, withMessage } from "./reducer.ts";
import { clearRangeOrFilter } from "./review.ts";
import { cancelRun, interruptHint, isRunning } from "./run.ts";

const over =
  (overlay: Overlay): Reducer =>
  (state) =>
    become({ ...state, overlay });

/** Leaves at once. A run that goes on is stopped first; what it found is lost, what was decided is kept. */
function leave(state: State): Outcome {
  const { run } = state;
  return isRunning(run) ? become(state, { do: "cancel", run: run.id }, { do: "quit" }) : become(state, { do: "quit" });
}

/** Whether decisions wait that no round has seen. */
export const isUnsaved = ({ review }: Pick<State, "review">): boolean =>
  review !== null && !hasNoDecisions(review.decisions);

/** One thing back. Keys that wait are for what is left. */
function back(before: State): Outcome {
  const state = before.ahead.length === 0 ? before : { ...before, ahead: [] };
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
    if (review !== null) return become({ ...state, screen: "review" });
    return become(state);
  }
  if (screen === "run" || review === null) return become(state);
  if (review.symbols !== null) return become({ ...state, review: { ...review, symbols: null } });
  if (review.pane === "preview") return become({ ...state, review: { ...review, pane: "list" } });
  const left = clearRangeOrFilter(review);
  return left === null ? become(state) : become({ ...state, review: left });
}

/** Once: stops what runs. Twice: leaves. */
function interrupt(state: State): Outcome {
  if (state.interrupted) return leave(state);
  const once = { ...state, interrupted: true };
  if (state.run?.status === "running") return cancelRun(withMessage(once, "info", `Stopping. ${interruptHint(state)}`));
  if (state.screen === "entry" && state.index.status === "indexing")
    return become(withMessage(once, "info", `Stopping. ${interruptHint(state)}`), { do: "cancel-index" });
  return become(withMessage(once, "info", interruptHint(state)));
}

export const LEAVING_REDUCERS = {
  "app.back": back,
  "app.interrupt": interrupt,
  "app.quit": (state) => (isUnsaved(state) ? become({ ...state, overlay: { is: "quit" } }) : leave(state)),
  "quit.now": leave,
  "app.suspend": (state) => become(state, { do: "suspend" }),
  "app.redraw": (state) => become(state, { do: "redraw" }),
  "mouse.toggle": (state) => become({ ...state, mouse: !state.mouse }, { do: "mouse", on: !state.mouse }),
  "help.open": over({ is: "help", top: 0 }),
  "palette.open": over({ is: "palette", query: EMPTY_FIELD, cursor: 0 }),
} as const satisfies Reducers;

/** What the palette's cursor is on, and the state without the palette; null when it is on nothing. */
export function palettePick(state: State): { readonly name: CommandName; readonly below: State } | null {
  if (state.overlay?.is !== "palette") return null;
  const name = paletteRows(state, state.overlay.query.text)[state.overlay.cursor];
  return name === undefined ? null : { name, below: { ...state, overlay: null } };
}
