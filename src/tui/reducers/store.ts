/**
 * The store: holds the state, feeds it actions, runs the effects, and tells listeners when to draw.
 *
 * Actions are applied at once and in order; those that arrive during an effect wait their turn. Only drawing is delayed,
 * so that many changes share a frame: `read` returns the same object until the next frame.
 */

import type { Action } from "../state/actions.ts";
import type { Effect } from "../state/effects.ts";
import type { State } from "../state/state.ts";
import type { Outcome } from "./reducer.ts";
import { update } from "./update.ts";

/** The minimum time between frames. */
const FRAME_MS = 33;

export type Store = {
  /** The drawn state. */
  read(): State;
  /** The current state, which may be newer than the drawn one. */
  newest(): State;
  /** Calls the listener when there is something to draw; returns a function that stops it. */
  watch(listener: () => void): () => void;
  send(action: Action): void;
};

type StoreDeps = {
  /** Runs an effect, which may send actions now or later. Never throws. */
  runEffect(effect: Effect, send: (action: Action) => void): void;
  later(then: () => void, ms: number): void;
};

export function openStore(first: Outcome, { runEffect, later }: StoreDeps): Store {
  const listeners = new Set<() => void>();
  const waiting: Action[] = [];
  let state = first.state;
  let drawn = first.state;
  let isSending = false;
  let isDrawQueued = false;
  let isInFrame = false;

  const draw = (): void => {
    isDrawQueued = false;
    if (drawn === state) {
      isInFrame = false;
      return;
    }
    drawn = state;
    isInFrame = true;
    later(() => {
      isInFrame = false;
      if (drawn !== state) draw();
    }, FRAME_MS);
    for (const listener of [...listeners]) listener();
  };

  /** Draws after the current batch of actions, or when the current frame's time is over. */
  const drawSoon = (): void => {
    if (isDrawQueued || isInFrame) return;
    isDrawQueued = true;
    later(draw, 0);
  };

  const send = (action: Action): void => {
    waiting.push(action);
    if (isSending) return;
    isSending = true;
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const outcome = update(state, next);
        state = outcome.state;
        for (const effect of outcome.effects) runEffect(effect, send);
      }
    } finally {
      isSending = false;
    }
    if (drawn !== state) drawSoon();
  };

  for (const effect of first.effects) runEffect(effect, send);
  return {
    read: () => drawn,
    newest: () => state,
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    send,
  };
}
