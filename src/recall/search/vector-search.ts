/**
 * How near stored entries are to a query by meaning, as an embedding model sees it.
 *
 * Vectors of entries are the stored ones; a model that fails leaves the words. Not here: vectors of queries
 * (`query-vectors.ts`), storing vectors (`embed.ts`), the index (`index-vector-search.ts`).
 */
import type { MemoryStore, VectorsOf } from "../../db/memory/store.ts";
import { dot } from "../../memory/text-vector.ts";
import { dropOtherDimensions, embedMissing } from "./embed.ts";
import type { QueryVectors } from "./query-vectors.ts";
import { relevanceByMeaning } from "./relevance.ts";

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
  readonly queries: QueryVectors;
  readonly keeps: boolean;
  readonly textsMax: number;
};

/** Nothing is sent until it is asked. */
export function openSemantic({ store, queries, keeps, textsMax }: SemanticEdges): Semantic {
  const { embedder } = queries;
  return {
    async prepare(signal) {
      if (!(await queries.wake(signal))) return false;
      const probe = queries.unrelated();
      if (probe === null) return false;
      if (keeps) {
        dropOtherDimensions(store, embedder.name, probe);
        const embedded = await embedMissing(store, embedder, textsMax, signal);
        if (!embedded.ok) queries.fail(embedded.failure);
        return embedded.ok;
      }
      const stored = store.dimensions(embedder.name);
      if (stored === null || stored === probe.length) return true;
      queries.fail({ kind: "invalid", why: `it gave ${probe.length} numbers where ${stored} are stored` });
      return false;
    },
    async nearness(query, of, signal) {
      if (queries.unrelated() === null) return null;
      const vector = await queries.of(query, signal);
      const unrelated = queries.unrelated();
      return vector === null || unrelated === null
        ? null
        : near(store.eachVector(embedder.name, of), vector, unrelated);
    },
  };
}

/** What is unrelated is measured on so many texts at first, and on every tenth of the others. */
const PROBED_MAX = 500;
const PROBED_EVERY = 10;

function near(vectors: ReturnType<MemoryStore["eachVector"]>, query: Float32Array, unrelated: Float32Array): Nearness {
  const found: { readonly id: string; readonly cosine: number; readonly textHash: string }[] = [];
  let [sum, probed] = [0, 0];
  for (const { id, vector, textHash } of vectors) {
    // Of a model that gave others before.
    if (vector.length !== query.length) continue;
    if (found.length < PROBED_MAX || found.length % PROBED_EVERY === 0) {
      sum += dot(unrelated, vector);
      probed += 1;
    }
    found.push({ id, cosine: dot(query, vector), textHash });
  }
  const mean = probed === 0 ? 0 : sum / probed;
  return new Map(
    found.map(({ id, cosine, textHash }) => [id, { relevance: relevanceByMeaning(cosine, mean), textHash }]),
  );
}
