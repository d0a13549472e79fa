/**
 * The shape of a reducer, and the outcome that every one of them returns.
 */
import type { CommandName, Context } from "../keys/bindings.ts";
import type { Effect } from "../state/effects.ts";
import type { Message, State } from "../state/state.ts";

/** The next state, and what to do outside it. */
export type Outcome = { readonly state: State; readonly effects: readonly Effect[] };

export const become = (state: State, ...effects: readonly Effect[]): Outcome => ({ state, effects });

/** The state with one line for the user. */
export const withMessage = (state: State, kind: Message["kind"], text: string): State => ({
  ...state,
  message: { kind, text, at: state.now },
});

/** Runs a command where the keys are in `context`. Total: a command that makes no sense there changes nothing. */
export type Reducer = (state: State, context: Context) => Outcome;

export type Reducers = Readonly<Partial<Record<CommandName, Reducer>>>;
