/**
 * The key buffer: keys that arrive before the answer they depend on wait for it, so that a burst of keys does the same
 * as single keys.
 *
 * Leaving never waits, and typing only behind a key that does.
 */
import { type CommandName, commandOf } from "../keys/bindings.ts";
import type { KeyAction } from "../keys/key-events.ts";
import type { Action } from "../state/actions.ts";
import { contextOf } from "../state/key-context.ts";
import type { State } from "../state/state.ts";
import { withInput } from "./reducer.ts";

/** Further keys are dropped. */
const QUEUE_MAX = 10_000;

/** Commands that never wait, so that nothing can trap the user. */
const IMMEDIATE: readonly CommandName[] = ["app.back", "app.interrupt", "app.suspend", "app.redraw"];
/** Commands about list rows, which may still be loading. */
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

function commandIn(state: State, action: KeyAction): CommandName | null {
  if (action.is === "named") return action.name;
  return action.is === "pressed" ? commandOf(action.key, contextOf(state)) : null;
}

function isLoadingRows({ overlay, screen, review }: State): boolean {
  if (overlay !== null) return overlay.is === "finder" && overlay.answered !== overlay.query.text;
  return screen === "review" && review?.symbols?.rows === null;
}

const mustWait = (state: State, command: CommandName | null): boolean =>
  command !== null && ABOUT_ROWS.includes(command) && isLoadingRows(state);

/** The state with a key queued that has to wait; null when the action can be handled now. */
export function queueKey(state: State, action: Action): State | null {
  if (!isKey(action)) return null;
  const command = commandIn(state, action);
  if (command !== null && IMMEDIATE.includes(command)) return null;
  const { queue } = state.input;
  if (queue.length === 0 && !mustWait(state, command)) return null;
  return queue.length < QUEUE_MAX ? withInput(state, { queue: [...queue, action] }) : state;
}

/** The next queued key that no longer has to wait, and the state without it; null when there is none. */
export function nextQueuedKey(state: State): { readonly action: KeyAction; readonly state: State } | null {
  const [action, ...queue] = state.input.queue;
  return action === undefined || mustWait(state, commandIn(state, action))
    ? null
    : { action, state: withInput(state, { queue }) };
}
