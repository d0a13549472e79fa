/** The sessions of the first screen: resuming, renaming and deleting them. */
import { TITLE_CHARS_MAX } from "../state/draft.ts";
import type { Effect } from "../state/effects.ts";
import { clampIndex } from "../state/lists/file-list.ts";
import { sessionName, sessionsListed } from "../state/lists/filtered-lists.ts";
import type { SessionRow, State } from "../state/state.ts";
import { fieldOf } from "../state/text-field.ts";
import { become, type Outcome, type Reducer, type Reducers, say, withMessage } from "./reducer.ts";

/** A reducer about the session under the cursor. */
const atSession =
  (reducer: (session: SessionRow, state: State) => Outcome): Reducer =>
  (state) => {
    const session = sessionsListed(state.entry)[state.entry.sessionAt]?.row;
    return session === undefined ? say(state, "info", "No session is selected.") : reducer(session, state);
  };

/** Says that a session is being loaded, until it is there. */
export const loadSession = (state: State, taskId: string, ...before: readonly Effect[]): Outcome =>
  become(withMessage(state, "doing", "Loading the session."), ...before, { do: "resume", taskId });

export const SESSION_REDUCERS = {
  "session.resume": atSession(({ taskId }, state) => loadSession(state, taskId)),

  "session.rename": atSession((session, state) =>
    become({ ...state, overlay: { is: "rename", taskId: session.taskId, value: fieldOf(sessionName(session)) } }),
  ),
  "rename.set": (state) => {
    const { overlay, entry } = state;
    if (overlay?.is !== "rename") return become(state);
    const { taskId, value } = overlay;
    const row = entry.sessions?.find((session) => session.taskId === taskId);
    const typed = value.text.trim().slice(0, TITLE_CHARS_MAX).toWellFormed();
    const title = typed === "" ? null : typed;
    const sessions = entry.sessions?.map((row) => (row.taskId === taskId ? { ...row, title } : row)) ?? null;
    const next: State = { ...state, overlay: null, entry: { ...entry, sessions } };
    const told = title === null ? "The session has the name of its task again." : `Renamed to ${title}.`;
    return become(withMessage(next, "done", told), { do: "rename-session", taskId, task: row?.task ?? "", title });
  },

  "session.delete": atSession((session, state) => become({ ...state, overlay: { is: "delete", session } })),
  "delete.now": (state) => {
    const { overlay } = state;
    if (overlay?.is !== "delete") return become(state);
    return become({ ...state, overlay: null }, { do: "delete-session", taskId: overlay.session.taskId });
  },
} as const satisfies Reducers;

/** Takes a deleted session off the list. What is worked on is no longer of that session. */
export function sessionDeleted(state: State, taskId: string): Outcome {
  const { entry } = state;
  const sessions = entry.sessions?.filter((row) => row.taskId !== taskId) ?? null;
  const left = { ...entry, sessions };
  const sessionAt = clampIndex(entry.sessionAt, sessionsListed(left).length);
  const focus = sessions === null || sessions.length === 0 ? "task" : entry.focus;
  const isOwn = state.taskId === taskId;
  const next: State = {
    ...state,
    entry: { ...left, sessionAt, focus },
    ...(isOwn ? { review: null, run: null, taskId: null } : {}),
  };
  return say(next, "done", "Deleted the session. Its finished rounds stay in the log: cra log shows them.");
}

/** The task that can be resumed after the interface has ended: the last one, if its newest round is recorded. */
export const taskToResume = ({ taskId, review }: State): string | null =>
  review?.round?.isRecorded === false ? null : taskId;
