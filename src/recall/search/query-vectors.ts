/**
 * The vectors of queries, each requested from the model once, even by concurrent callers.
 *
 * A model that fails is reported once and not asked again; searches continue by words.
 */

import { unlessAborted } from "../../concurrency/unless-aborted.ts";
import type { Embedder } from "../../llm/embedder.ts";
import type { ModelFailure } from "../../llm/model.ts";
import { unit } from "../../memory/text-vector.ts";

export type QueryVectors = {
  readonly embedder: Embedder;
  /** Loads the model; false when it does not answer. Call first. */
  wake(signal: AbortSignal): Promise<boolean>;
  /** The vector of an unrelated text, a baseline for similarity. Null before `wake` and after a failure. */
  unrelated(): Float32Array | null;
  /** A unit vector. Null when the model does not answer and for an empty query. Rejects with the signal's reason. */
  of(query: string, signal: AbortSignal): Promise<Float32Array | null>;
  fail(failure: ModelFailure): void;
};

/** A sentence unrelated to software: its similarity to other texts shows the model's baseline. */
const PROBE = "The weather was nice and we had a picnic by the lake.";

/** Sends nothing until a method is called. `onFailure` is called once. */
export function openQueryVectors(embedder: Embedder, onFailure: (failure: ModelFailure) => void): QueryVectors {
  const queries = new Map<string, SingleFlight<Float32Array | null>>();
  let probe: Float32Array | null = null;
  let isBroken = false;
  const fail = (failure: ModelFailure): void => {
    if (!isBroken) onFailure(failure);
    isBroken = true;
  };
  const vectorOf = async (text: string, signal: AbortSignal): Promise<Float32Array | null> => {
    const answer = await embedder.embed([text], signal);
    if (answer.ok) return answer.vectors[0] === undefined ? null : unit(answer.vectors[0]);
    fail(answer.failure);
    return null;
  };
  return {
    embedder,
    async wake(signal) {
      probe ??= await vectorOf(PROBE, signal);
      return probe !== null;
    },
    unrelated: () => (isBroken ? null : probe),
    async of(query, signal) {
      if (isBroken || query.trim() === "") return null;
      const vector = queries.get(query) ?? singleFlight((stop) => vectorOf(query, stop));
      queries.set(query, vector);
      return await vector(signal);
    },
    fail,
  };
}

/** Waits for the shared answer; rejects with the signal's reason when that fires first. */
type SingleFlight<T> = (signal: AbortSignal) => Promise<T>;

type Flight<T> = { readonly answer: Promise<T>; readonly stop: AbortController; waiting: number };

/** Shares one call of `ask` among concurrent callers. It is stopped once all have given up, and repeated after a failure. */
export function singleFlight<T>(ask: (signal: AbortSignal) => Promise<T>): SingleFlight<T> {
  let current: Flight<T> | null = null;
  const begin = (): Flight<T> => {
    const stop = new AbortController();
    const begun: Flight<T> = { answer: ask(stop.signal), stop, waiting: 0 };
    begun.answer.catch(() => {
      if (current === begun) current = null;
    });
    return begun;
  };
  return async (signal) => {
    signal.throwIfAborted();
    current ??= begin();
    const mine = current;
    mine.waiting += 1;
    try {
      return await unlessAborted(mine.answer, signal);
    } finally {
      mine.waiting -= 1;
      if (mine.waiting === 0 && signal.aborted) {
        if (current === mine) current = null;
        mine.stop.abort(signal.reason);
      }
    }
  };
}
