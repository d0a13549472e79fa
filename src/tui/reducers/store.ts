/**
 * The state outside of what draws it: actions in, effects out, and a sign that there is something to draw.
 *
 * Every action is taken at once and in order, so that each key of a burst sees what the one before did; only drawing
 * waits, so that many changes are one frame. Invariant: `read` gives the same object until a frame is due, as what
 * draws expects. Actions that come while effects are performed wait their turn. Not here: what an action does.
 */

import type { Action } from "../state/actions.ts";
import type { Effect } from "../state/effects.ts";
import type { State } from "../state/state.ts";
import type { Outcome } from "./reducer.ts";
import { update } from "./update.ts";

/** Milliseconds between frames at least, but for the first after a pause. */
const FRAME_MS = 33;

export type Store = {
  /** The state as it is drawn. */
  read(): State;
  /** The state as it is, which may be newer than what is drawn. */
  newest(): State;
  /** Told when there is something to draw; the result stops that. */
  watch(listener: () => void): () => void;
  send(action: Action): void;
};

export type StoreEdges = {
  /** Performs an effect; what comes of it is sent back as an action, now or later. It never throws. */
  perform(effect: Effect, send: (action: Action) => void): void;
  /** Calls back after so many milliseconds. */
  later(then: () => void, ms: number): void;
};

export function openStore(first: Outcome, { perform, later }: StoreEdges): Store {
  const listeners = new Set<() => void>();
  const waiting: Action[] = [];
  let state = first.state;
  let drawn = first.state;
  let isSending = false;
  let isFrameSoon = false;
  let isPausing = false;

  const draw = (): void => {
    isFrameSoon = false;
    if (drawn === state) {
      isPausing = false;
      return;
    }
    drawn = state;
    isPausing = true;
    later(() => {
      isPausing = false;
      if (drawn !== state) draw();
    }, FRAME_MS);
    for (const listener of [...listeners]) listener();
  };

  /** At once after a pause, when all that came together is taken; else when the frame's time is over. */
  const drawSoon = (): void => {
    if (isFrameSoon || isPausing) return;
    isFrameSoon = true;
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
        for (const effect of outcome.effects) perform(effect, send);
      }
    } finally {
      isSending = false;
    }
    if (drawn !== state) drawSoon();
  };

  for (const effect of first.effects) perform(effect, send);
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
