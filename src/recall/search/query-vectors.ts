/**
 * The vectors of queries: each is asked for once, whoever asks first.
 *
 * A model that fails is told of once and not asked again: whoever searches goes on by words. Not here: what is compared
 * with them (`vector-search.ts`, `index-vector-search.ts`).
 */

import type { Embedder } from "../../llm/embedder.ts";
import type { ModelFailure } from "../../llm/model.ts";
import { unit } from "../../memory/text-vector.ts";
import { type SharedQuestion, sharedQuestion } from "./single-flight.ts";

export type QueryVectors = {
  readonly embedder: Embedder;
  /** Wakes the model; false when it does not answer. To be called before others. */
  wake(signal: AbortSignal): Promise<boolean>;
  /** What is near this is near to everything: the vector of something unrelated. Null before `wake`, and after a failure. */
  unrelated(): Float32Array | null;
  /** Of length 1. Null when the model does not answer, and for an empty query. Rejects with the signal's reason. */
  of(query: string, signal: AbortSignal): Promise<Float32Array | null>;
  fail(failure: ModelFailure): void;
};

/** What nobody remembers in a repository: how near texts are to it tells what the model thinks of the unrelated. */
const PROBE = "The weather was nice and we had a picnic by the lake.";

/** Nothing is sent until it is asked. `onFailure` is told once. */
export function openQueryVectors(embedder: Embedder, onFailure: (failure: ModelFailure) => void): QueryVectors {
  const queries = new Map<string, SharedQuestion<Float32Array | null>>();
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
      const asked = queries.get(query) ?? sharedQuestion((stop) => vectorOf(query, stop));
      queries.set(query, asked);
      return await asked(signal);
    },
    fail,
  };
}
