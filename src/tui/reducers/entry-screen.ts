/** The first screen: the task, the task history, the sessions and the index. */

import type { Action } from "../state/actions.ts";
import { clampIndex } from "../state/file-list.ts";
import { contextOf } from "../state/key-context.ts";
import { historyRows } from "../state/pages.ts";
import { hasNothingToRefine } from "../state/refinement-request.ts";
import type { EntryState, State } from "../state/state.ts";
import { EMPTY_FIELD, fieldOf, isTooLong, lineDown, lineEnd, lineHome, lineUp, typed } from "../state/text-field.ts";
import { knownIndex, refreshIndex } from "./index-update.ts";
import { become, type Outcome, type Reducers, say, withMessage } from "./reducer.ts";
import { requestRound } from "./rounds.ts";
import { startRun, trackPace } from "./run.ts";
import { CUT } from "./typing.ts";

const inEntry = (state: State, entry: Partial<EntryState>): State => ({
  ...state,
  entry: { ...state.entry, ...entry },
});

/** Shows a task of the history, or at null the user's own text, which is kept meanwhile. */
function historyTo(state: State, at: number | null): State {
  const { history, historyAt, ownText, task } = state.entry;
  const own = historyAt === null ? task.text : ownText;
  return inEntry(state, {
    task: fieldOf(at === null ? own : (history[at] ?? own)),
    historyAt: at,
    ownText: own,
  });
}

export const ENTRY_REDUCERS = {
  "task.run": (state) => {
    const { task, history } = state.entry;
    const before = task.text.slice(0, task.cursor);
    // A backslash before the cursor turns enter into a new line, for terminals without another key for it.
    if (/(?<!\\)(?:\\\\)*\\$/.test(before)) {
      const text = before.slice(0, -1) + task.text.slice(task.cursor);
      return become(inEntry(state, { task: typed({ text, cursor: task.cursor - 1 }, "\n"), historyAt: null }));
    }
    if (task.text.trim() === "") return say(state, "error", "No task yet: describe what to do.");
    const entered = inEntry(state, {
      history: [task.text, ...history.filter((text) => text !== task.text)],
      historyAt: null,
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

  "session.resume": (state) => {
    const session = state.entry.sessions?.[state.entry.sessionAt];
    if (session === undefined) return become(state);
    return become(withMessage(state, "info", "Loading the session."), { do: "resume", taskId: session.taskId });
  },

  "text.up": (state) => {
    const { task, history, historyAt } = state.entry;
    const above = lineUp(task);
    if (above !== null) return become(inEntry(state, { task: above }));
    const at = historyAt === null ? 0 : historyAt + 1;
    if (at < history.length) return become(historyTo(state, at));
    return become(inEntry(state, { task: lineHome(task) }));
  },

  "text.down": (state) => {
    const { task, historyAt } = state.entry;
    const below = lineDown(task);
    if (below !== null) return become(inEntry(state, { task: below }));
    if (historyAt === null) return become(inEntry(state, { task: lineEnd(task) }));
    return become(historyTo(state, historyAt === 0 ? null : historyAt - 1));
  },

  "history.open": (state) =>
    state.entry.history.length === 0
      ? say(state, "info", "No earlier tasks yet.")
      : become({ ...state, overlay: { is: "history", query: EMPTY_FIELD, cursor: 0 } }),

  "history.take": (state) => {
    if (state.overlay?.is !== "history") return become(state);
    const task = historyRows(state.entry, state.overlay.query.text)[state.overlay.cursor];
    if (task === undefined) return become(state);
    return become({ ...inEntry(state, { task: fieldOf(task), historyAt: null }), overlay: null });
  },

  "index.refresh": (state) => {
    if (state.index.status === "indexing") return say(state, "info", "The index is already being updated.");
    return refreshIndex(state);
  },
} as const satisfies Reducers;

type EntryAction = Extract<Action, { is: "indexing" | "index-known" | "home-loaded" | "edited" }>;

/** Applies what was read or edited outside. */
export function applyEntryAction(state: State, action: EntryAction): Outcome {
  switch (action.is) {
    case "indexing":
      return state.index.status === "indexing"
        ? become({ ...state, index: { ...state.index, step: trackPace(state.index.step, action.step, state.now) } })
        : become(state);
    case "index-known":
      return become(knownIndex(state, action.index));
    case "home-loaded": {
      const { sessions } = action;
      const logged = new Set(action.history);
      const { history: before, historyAt } = state.entry;
      // The log may lack the task of a stopped run.
      const history = [...before.filter((task) => !logged.has(task)), ...action.history];
      const shown = historyAt === null ? undefined : before[historyAt];
      const next = inEntry(state, {
        sessions,
        history,
        sessionAt: clampIndex(state.entry.sessionAt, sessions.length),
        historyAt: shown === undefined ? null : history.indexOf(shown),
      });
      return become(sessions.length === 0 ? inEntry(next, { focus: "task" }) : next);
    }
    case "edited": {
      if (action.text === null || contextOf(state) !== "entry") return become(state);
      const text = action.text.replace(/\n$/, "");
      const next = inEntry(state, { task: fieldOf(text), historyAt: null });
      return become(isTooLong(text) ? withMessage(next, "error", CUT) : next);
    }
  }
}
