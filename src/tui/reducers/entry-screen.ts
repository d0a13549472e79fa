/** The first screen: the task, the task history, the sessions and the index. */

import type { Action } from "../state/actions.ts";
import { contextOf } from "../state/key-context.ts";
import { clampIndex } from "../state/lists/file-list.ts";
import { historyRows } from "../state/lists/pages.ts";
import { hasNothingToRefine } from "../state/refinement-request.ts";
import type { EntryState, State } from "../state/state.ts";
import { EMPTY_FIELD, fieldOf, isTooLong, typed } from "../state/text-field.ts";
import { knownIndex, refreshIndex } from "./index-update.ts";
import { become, type Outcome, type Reducers, say, withMessage } from "./reducer.ts";
import { requestRound } from "./rounds.ts";
import { startRun, trackPace } from "./run.ts";
import { CUT, withTask } from "./typing.ts";

const inEntry = (state: State, entry: Partial<EntryState>): State => ({
  ...state,
  entry: { ...state.entry, ...entry },
});

export const ENTRY_REDUCERS = {
  "task.run": (state) => {
    const { task, history } = state.entry;
    const before = task.text.slice(0, task.cursor);
    // A backslash before the cursor turns enter into a new line, for terminals without another key for it.
    if (/(?<!\\)(?:\\\\)*\\$/.test(before)) {
      const text = before.slice(0, -1) + task.text.slice(task.cursor);
      return become({ ...state, entry: withTask(state.entry, typed({ text, cursor: task.cursor - 1 }, "\n")) });
    }
    if (task.text.trim() === "") return say(state, "error", "No task yet: describe what to do.");
    const entered = inEntry(state, {
      history: [task.text, ...history.filter((text) => text !== task.text)],
    });
    // The same task again keeps the decisions about it.
    const { review } = state;
    if (review !== null && task.text === state.task && !hasNothingToRefine(review))
      return requestRound(entered, review);
    const run = (state.run?.id ?? 0) + 1;
    return become(startRun({ ...entered, task: task.text, taskId: null, review: null }, "retrieve", run), {
      do: "retrieve",
      run,
      task: task.text,
      request: {},
      budget: null,
      coverage: null,
    });
  },

  "task.edit": (state) => become(state, { do: "edit-text", text: state.entry.task.text }),
  "task.new": (state) => become({ ...inEntry(state, { task: fieldOf(state.task), focus: "task" }), screen: "entry" }),
  "task.focus": (state) => become(inEntry(state, { focus: "task" })),
  "sessions.focus": (state) =>
    (state.entry.sessions ?? []).length === 0
      ? say(state, "info", "No session to resume yet.")
      : become(inEntry(state, { focus: "sessions" })),

  "history.open": (state) =>
    state.entry.history.length === 0
      ? say(state, "info", "No earlier tasks yet.")
      : become({ ...state, overlay: { is: "history", query: EMPTY_FIELD, cursor: 0 } }),

  "history.take": (state) => {
    if (state.overlay?.is !== "history") return become(state);
    const task = historyRows(state.entry, state.overlay.query.text)[state.overlay.cursor];
    if (task === undefined) return become(state);
    return become({ ...state, entry: withTask(state.entry, fieldOf(task)), overlay: null });
  },

  "index.refresh": (state) => {
    if (state.index.status === "indexing") return say(state, "info", "The index is already being updated.");
    return refreshIndex(state);
  },
} as const satisfies Reducers;

const withModelWords = (state: State, modelWords: readonly string[]): State => ({
  ...state,
  project: { ...state.project, modelWords },
});

type EntryAction = Extract<Action, { is: "indexing" | "index-known" | "home-loaded" | "model-known" | "edited" }>;

/** Applies what was read or edited outside. */
export function applyEntryAction(state: State, action: EntryAction): Outcome {
  switch (action.is) {
    case "indexing":
      return state.index.status === "indexing"
        ? become({ ...state, index: { ...state.index, step: trackPace(state.index.step, action.step, state.now) } })
        : become(state);
    case "index-known":
      return become(knownIndex(state, action.index));
    case "model-known":
      return become(withModelWords(state, action.model));
    case "home-loaded": {
      const { sessions } = action;
      const logged = new Set(action.history);
      const { history: before } = state.entry;
      // The log may lack the task of a stopped run.
      const history = [...before.filter((task) => !logged.has(task)), ...action.history];
      // A run may have learned more since.
      const { modelWords = action.model } = state.project;
      const next = inEntry(modelWords === undefined ? state : withModelWords(state, modelWords), {
        sessions,
        history,
        sessionAt: clampIndex(state.entry.sessionAt, sessions.length),
      });
      return become(sessions.length === 0 ? inEntry(next, { focus: "task" }) : next);
    }
    case "edited": {
      if (action.text === null || contextOf(state) !== "entry") return become(state);
      const text = action.text.replace(/\n$/, "");
      const next = { ...state, entry: withTask(state.entry, fieldOf(text)) };
      return become(isTooLong(text) ? withMessage(next, "error", CUT) : next);
    }
  }
}
