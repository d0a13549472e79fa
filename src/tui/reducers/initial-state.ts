/** The initial state of the interface and its first effects. */
import type { Effect } from "../state/effects.ts";
import type { State } from "../state/state.ts";
import { EMPTY_FIELD, fieldOf } from "../state/text-field.ts";
import type { Outcome } from "./reducer.ts";
import { startRun } from "./run.ts";
import { loadSession } from "./sessions.ts";

/** At most one of `task`, which runs at once (empty: a review of changes), and `resume`, a task id or a prefix of one, is given. */
export type InitialOptions = Pick<State, "size" | "look" | "now" | "project" | "format"> & {
  readonly task: string | null;
  readonly resume: string | null;
};

export function initialState({ size, look, now, project, format, task, resume }: InitialOptions): Outcome {
  const state: State = {
    screen: "entry",
    overlay: null,
    size,
    look,
    now,
    project,
    index: { status: "unknown", files: null, headline: "", step: null, startedAt: now },
    entry: {
      task: task === null ? EMPTY_FIELD : fieldOf(task),
      focus: "task",
      history: [],
      edits: { undo: [], redo: [] },
      sessions: null,
      filter: EMPTY_FIELD,
      sessionAt: 0,
    },
    run: null,
    review: null,
    task: task ?? "",
    taskId: null,
    format,
    message: null,
    input: { chord: null, queue: [], interrupted: false, mouse: false, clicked: null },
  };
  const home: Effect = { do: "load-home" };
  if (resume !== null) return loadSession(state, resume, home);
  if (task === null) return { state, effects: [home] };
  return {
    state: startRun(state, "retrieve", 1),
    effects: [home, { do: "retrieve", run: 1, task, request: {}, budget: null, coverage: null }],
  };
}
