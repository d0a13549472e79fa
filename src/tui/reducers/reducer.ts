/**
 * What an update gives: the next state, and what is to be done outside.
 */
import type { Effect } from "../state/effects.ts";
import type { Message, State } from "../state/state.ts";

export type Outcome = { readonly state: State; readonly effects: readonly Effect[] };

export const become = (state: State, ...effects: readonly Effect[]): Outcome => ({ state, effects });

/** The state with one line for the user. */
export const told = (state: State, kind: Message["kind"], text: string): State => ({
  ...state,
  message: { kind, text, at: state.now },
});
