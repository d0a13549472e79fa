/**
 * Stands where it stood: a session's last round with what its draft held.
 *
 * Pure.
 */
import type { Action } from "../state/actions.ts";
import { restored, restoredField } from "../state/draft.ts";
import { filesOfRound } from "../state/ranked-list.ts";
import type { State } from "../state/state.ts";
import { fieldOf } from "../state/text-field.ts";
import { become, type Outcome } from "./reducer.ts";
import { reviewOf } from "./rounds.ts";
import { isRunning } from "./run.ts";

/** A run that goes on is not put aside. */
export function resumed(state: State, action: Extract<Action, { is: "resumed" }>): Outcome {
  if (isRunning(state.run)) return become(state);
  const { taskId, task, round, draft } = action;
  const fresh = round === null ? null : reviewOf(filesOfRound(round), round);
  // Decisions on a run that was stopped are all that is left of it; without any there is a task to run.
  const isDecided = draft !== null && draft.files.length + draft.symbols.length > 0;
  const base = fresh ?? (isDecided && draft.screen === "review" ? reviewOf([], null) : null);
  const review = base === null || draft === null ? base : restored(base, draft);
  const isEntry = review === null || draft?.screen === "entry";
  const field = draft?.screen === "entry" ? restoredField(draft) : fieldOf(task);
  return become({
    ...state,
    screen: isEntry ? "entry" : "review",
    overlay: null,
    message: null,
    task,
    taskId,
    run: null,
    review,
    entry: { ...state.entry, task: field, focus: "task", historyAt: null },
  });
}
