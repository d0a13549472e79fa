/**
 * Keys that come before the answer which they are about: they wait for it, so that a burst is what the same keys are one
 * by one.
 *
 * Pure. Typing never waits, and neither does leaving. Not here: how the answers come (`update.ts`).
 */

import { type CommandName, commandOf } from "../keys/bindings.ts";
import type { KeyAction } from "../keys/key-events.ts";
import type { Action } from "../state/actions.ts";
import { contextOf } from "../state/key-context.ts";
import type { State } from "../state/state.ts";

/** Keys that wait at most; those after them are lost. */
const AHEAD_MAX = 10_000;

/** What a key never waits with, so that nothing can hold the user. */
const AT_ONCE: readonly CommandName[] = ["app.back", "app.interrupt", "app.suspend", "app.redraw"];
/** What is about rows that have not come yet. */
const ABOUT_ROWS: readonly CommandName[] = [
  "list.next",
  "list.previous",
  "list.page-down",
  "list.page-up",
  "list.first",
  "list.last",
  "finder.add",
  "symbol.cycle",
  "file.edit",
];

const isKey = (action: Action): action is KeyAction =>
  action.is === "pressed" || action.is === "pasted" || action.is === "named";

function nameOf(state: State, action: KeyAction): CommandName | null {
  if (action.is === "named") return action.name;
  return action.is === "pressed" ? commandOf(action.key, contextOf(state)) : null;
}

/** Whether the rows that the keys are about are still being found. */
function isOpen({ overlay, screen, review }: State): boolean {
  if (overlay !== null) return overlay.is === "finder" && overlay.answered !== overlay.query.text;
  return screen === "review" && review?.symbols?.rows === null;
}

const mustWait = (state: State, action: KeyAction): boolean => {
  const name = nameOf(state, action);
  return isOpen(state) && name !== null && ABOUT_ROWS.includes(name);
};

/** The state with a key that has to wait; null when the action is to be taken now. Whoever goes back forgets the keys. */
export function queueKey(state: State, action: Action): State | null {
  if (!isKey(action)) return null;
  const name = nameOf(state, action);
  if (name !== null && AT_ONCE.includes(name)) return null;
  if (state.ahead.length === 0 && !mustWait(state, action)) return null;
  return state.ahead.length < AHEAD_MAX ? { ...state, ahead: [...state.ahead, action] } : state;
}

/** The next key that waited and need not any longer, with the state without it; null when there is none. */
export function nextQueuedKey(state: State): { readonly action: KeyAction; readonly state: State } | null {
  const [action, ...ahead] = state.ahead;
  return action === undefined || mustWait(state, action) ? null : { action, state: { ...state, ahead } };
}
