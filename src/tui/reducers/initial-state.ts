/**
 * The state that the interface begins with, and what it asks for first.
 */
import type { Format } from "../../config/keys.ts";
import type { Effect } from "../state/effects.ts";
import type { Look, Size, State } from "../state/state.ts";
import { EMPTY_FIELD, fieldOf } from "../state/text-field.ts";
import type { Outcome } from "./reducer.ts";
import { startRun } from "./run.ts";

/** `task` is run at once, `resume` is a task's id (or its beginning); at most one of them is given. */
export type InitialOptions = {
  readonly size: Size;
  readonly look: Look;
  readonly now: number;
  readonly root: string;
  readonly model: string | null;
  readonly format: Format;
  readonly task: string | null;
  readonly resume: string | null;
};

export function begin({ size, look, now, root, model, format, task, resume }: InitialOptions): Outcome {
  const state: State = {
    screen: "entry",
    overlay: null,
    size,
    look,
    now,
    root,
    model,
    index: { status: "unknown", files: null, headline: "", step: null, startedAt: now },
    entry: {
      task: task === null ? EMPTY_FIELD : fieldOf(task),
      focus: "task",
      history: [],
      historyAt: null,
      ownText: "",
      sessions: null,
      sessionAt: 0,
    },
    run: null,
    review: null,
    task: task ?? "",
    taskId: null,
    format,
    message: null,
    chord: null,
    ahead: [],
    interrupted: false,
    mouse: false,
  };
  const home: Effect = { do: "load-home" };
  if (resume !== null) return { state, effects: [home, { do: "resume", taskId: resume }] };
  if (task === null || task.trim() === "") return { state, effects: [home] };
  return {
    state: startRun(state, "retrieve", 1),
    effects: [home, { do: "retrieve", run: 1, task, request: {}, budget: null }],
  };
}
