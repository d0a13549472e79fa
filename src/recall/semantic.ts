/**
 * How near stored entries are to a query by meaning, as an embedding model sees it.
 *
 * A query is embedded once, whoever asks first; vectors of entries are the stored ones. A model that fails is told of
 * once and not asked again: whoever searches goes on by words. Not here: storing vectors (`embed-entries.ts`).
 */
import type { MemoryStore, VectorsOf } from "../db/memory-store.ts";
import { dot, unit } from "../memory/text-vector.ts";
import type { Embedder } from "../model/embedder.ts";
import type { ModelFailure } from "../model/model.ts";
import { dropOtherDimensions, embedMissing } from "./embed-entries.ts";
import { relevanceByMeaning } from "./relevance.ts";
import { type SharedQuestion, sharedQuestion } from "./shared-question.ts";

/** What is near, by id. `textHash` is of the text that the vector was made of, which may have changed. */
export type Nearness = ReadonlyMap<string, { readonly relevance: number; readonly textHash: string }>;

export type Semantic = {
  /**
   * To be called once before others: wakes the model, and embeds what has no vector yet where vectors may be stored. So a
   * model that takes long to load takes it here, and no search is late for it. False when it does not answer.
   */
  prepare(signal: AbortSignal): Promise<boolean>;
  /** Null when the model does not answer. Rejects with the signal's reason. */
  nearness(query: string, of: VectorsOf, signal: AbortSignal): Promise<Nearness | null>;
};

/** `keeps`: vectors may be stored. `textsMax`: how many texts are embedded before searching at most. */
export type SemanticEdges = {
  readonly store: MemoryStore;
  readonly embedder: Embedder;
  readonly keeps: boolean;
  readonly textsMax: number;
  /** Told once. */
  readonly onFailure: (failure: ModelFailure) => void;
};

/** What nobody remembers in a repository: how near entries are to it tells what the model thinks of the unrelated. */
const PROBE = "The weather was nice and we had a picnic by the lake.";

/** Nothing is sent until it is asked. */
export function openSemantic({ store, embedder, keeps, textsMax, onFailure }: SemanticEdges): Semantic {
  const queries = new Map<string, SharedQuestion<Float32Array | null>>();
  let probe: Float32Array | null = null;
  let isBroken = false;
  const fail = (failure: ModelFailure): null => {
    if (!isBroken) onFailure(failure);
    isBroken = true;
    return null;
  };
  const vectorOf = async (text: string, signal: AbortSignal): Promise<Float32Array | null> => {
    const answer = await embedder.embed([text], signal);
    if (!answer.ok) return fail(answer.failure);
    const [vector] = answer.vectors;
    return vector === undefined ? null : unit(vector);
  };
  return {
    async prepare(signal) {
      probe = await vectorOf(PROBE, signal);
      if (probe === null) return false;
      if (keeps) {
        dropOtherDimensions(store, embedder.name, probe);
        const embedded = await embedMissing(store, embedder, textsMax, signal);
        if (!embedded.ok) fail(embedded.failure);
        return embedded.ok;
      }
      const stored = store.dimensions(embedder.name);
      if (stored !== null && stored !== probe.length)
        fail({ kind: "invalid", why: `it gave ${probe.length} numbers where ${stored} are stored` });
      return !isBroken;
    },
    async nearness(query, of, signal) {
      if (isBroken || probe === null || query.trim() === "") return null;
      const asked = queries.get(query) ?? sharedQuestion((stop) => vectorOf(query, stop));
      queries.set(query, asked);
      const vector = await asked(signal);
      return vector === null || probe === null ? null : near(store.eachVector(embedder.name, of), vector, probe);
    },
  };
}

function near(vectors: ReturnType<MemoryStore["eachVector"]>, query: Float32Array, unrelated: Float32Array): Nearness {
  const found: { readonly id: string; readonly cosine: number; readonly textHash: string }[] = [];
  let sum = 0;
  for (const { id, vector, textHash } of vectors) {
    // Of a model that gave others before.
    if (vector.length !== query.length) continue;
    sum += dot(unrelated, vector);
    found.push({ id, cosine: dot(query, vector), textHash });
  }
  const mean = found.length === 0 ? 0 : sum / found.length;
  return new Map(
    found.map(({ id, cosine, textHash }) => [id, { relevance: relevanceByMeaning(cosine, mean), textHash }]),
  );
}
