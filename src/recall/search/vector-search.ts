/** Compares stored entries with a query by meaning, using their stored vectors. If the model fails, words remain. */
import type { EntrySearch, VectorStore, VectorsOf } from "../../db/memory/store.ts";
import { dot } from "../../memory/text-vector.ts";
import { dropOtherModels, embedMissing } from "./embed.ts";
import type { QueryVectors } from "./query-vectors.ts";
import { relevanceByMeaning } from "./relevance.ts";

/** Relevance by entry id. `textHash` identifies the text that was embedded, which may have changed since. */
export type EntrySimilarities = ReadonlyMap<string, { readonly relevance: number; readonly textHash: string }>;

export type VectorSearch = {
  /**
   * Call once, first: loads the model, which may take long, and embeds entries without a vector if vectors may be stored.
   * False when the model does not answer.
   */
  prepare(signal: AbortSignal): Promise<boolean>;
  /** Null when the model does not answer. Rejects with the signal's reason. */
  similarities(query: string, of: VectorsOf, signal: AbortSignal): Promise<EntrySimilarities | null>;
};

/** `keeps`: whether vectors may be stored. `textsMax`: how many texts are embedded before searching. */
type VectorSearchDeps = {
  readonly store: EntrySearch & VectorStore;
  readonly queries: QueryVectors;
  readonly keeps: boolean;
  readonly textsMax: number;
};

/** Sends nothing until a method is called. */
export function openVectorSearch({ store, queries, keeps, textsMax }: VectorSearchDeps): VectorSearch {
  const { embedder } = queries;
  return {
    async prepare(signal) {
      if (!(await queries.wake(signal))) return false;
      const probe = queries.unrelated();
      if (probe === null) return false;
      if (keeps) {
        dropOtherModels(store, embedder, probe);
        const embedded = await embedMissing(store, embedder, textsMax, signal);
        if (!embedded.ok) queries.fail(embedded.failure);
        return embedded.ok;
      }
      const stored = store.dimensions(embedder.storedAs);
      if (stored === null || stored === probe.length) return true;
      queries.fail({ kind: "invalid", why: `its vectors have ${probe.length} numbers, the stored ones ${stored}` });
      return false;
    },
    async similarities(query, of, signal) {
      if (queries.unrelated() === null) return null;
      const vector = await queries.of(query, signal);
      const unrelated = queries.unrelated();
      return vector === null || unrelated === null
        ? null
        : near(store.eachVector(embedder.storedAs, of), vector, unrelated);
    },
  };
}

/** The similarity of unrelated texts is measured on the first vectors and on every tenth of the rest. */
const PROBED_MAX = 500;
const PROBED_EVERY = 10;

function near(
  vectors: ReturnType<VectorStore["eachVector"]>,
  query: Float32Array,
  unrelated: Float32Array,
): EntrySimilarities {
  const found: { readonly id: string; readonly cosine: number; readonly textHash: string }[] = [];
  let [sum, probed] = [0, 0];
  for (const { id, vector, textHash } of vectors) {
    // Stored by an earlier model of the same name.
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
