/** The shape of a reducer, the outcome that every one of them returns, and what many of them share. */
import type { CommandName, Context } from "../keys/bindings.ts";
import type { Effect } from "../state/effects.ts";
import type { ReviewState } from "../state/review-state.ts";
import type { InputState, Message, State } from "../state/state.ts";

/** The next state, and the effects to run. */
export type Outcome = { readonly state: State; readonly effects: readonly Effect[] };

/** Runs a command in the context that has the focus. Total: a command that makes no sense there changes nothing. */
export type Reducer = (state: State, context: Context) => Outcome;

export type Reducers = Readonly<Partial<Record<CommandName, Reducer>>>;

export const become = (state: State, ...effects: readonly Effect[]): Outcome => ({ state, effects });

export const withMessage = (state: State, kind: Message["kind"], text: string): State => ({
  ...state,
  message: { kind, text, at: state.now },
});

/** Changes nothing but the message. */
export const say = (state: State, kind: Message["kind"], text: string): Outcome =>
  become(withMessage(state, kind, text));

export const withInput = (state: State, input: Partial<InputState>): State => ({
  ...state,
  input: { ...state.input, ...input },
});

/** A reducer that changes nothing without a review. */
export const inReview =
  (reducer: (review: ReviewState, state: State) => Outcome): Reducer =>
  (state) =>
    state.review === null ? become(state) : reducer(state.review, state);

export const withReview = (state: State, review: ReviewState): Outcome => become({ ...state, review });
