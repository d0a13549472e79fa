/**
 * Compares the definitions and commits of an index with a query by meaning.
 *
 * One pass compares all vectors of both kinds. There is no approximate search, so the nearest are always found. Rows without
 * a vector are found by words alone.
 */

import { onDemand } from "../../concurrency/on-demand.ts";
import type { IndexTexts, TextKey } from "../../db/curated/knowledge-base.ts";
import type { VectorBlock } from "../../db/vectors/vector-cache.ts";
import { dropOtherModels, embedIndexed, type IndexEmbedding, missingTexts } from "./embed.ts";
import type { QueryVectors } from "./query-vectors.ts";
import { queryWordsOf } from "./query-words.ts";
import { relevanceByMeaning } from "./relevance.ts";

/** Relevance by the id of the definition or commit. Rows without a vector are missing. */
export type IndexSimilarities = ReadonlyMap<number, number>;

export type IndexVectorSearch = {
  /**
   * Call first, once the model is loaded. Embeds the texts without a vector that matter most to the query, a limited number.
   * Returns how many texts remain without one.
   */
  prepare(query: string, kinds: readonly IndexTexts[], signal: AbortSignal): Promise<number>;
  /** Null when the model does not answer. Rejects with the signal's reason. */
  similarities(query: string, of: IndexTexts, signal: AbortSignal): Promise<IndexSimilarities | null>;
};

type IndexVectorSearchDeps = Omit<IndexEmbedding, "embedder" | "index"> & {
  readonly index: IndexEmbedding["index"] & WordSearch;
  readonly queries: QueryVectors;
  /** Whether vectors may be stored. */
  readonly keeps: boolean;
};

type WordSearch = {
  findDefinitions(query: string, limit: number): readonly { readonly id: number }[];
  findCommits(query: string, limit: number): readonly { readonly id: number }[];
};

/** At most this many texts are embedded before a search: a few seconds on a small machine. */
const TEXTS_MAX: Readonly<Record<IndexTexts, number>> = { definitions: 64, commits: 32 };
/** How many word matches are embedded before all other texts. */
const BY_WORDS_MAX = 100;
/** The similarity of unrelated texts is measured on this many vectors. */
const PROBED_MAX = 2_000;

/** Reads nothing until a method is called. */
export function openIndexVectorSearch({ index, vectors, queries, keeps }: IndexVectorSearchDeps): IndexVectorSearch {
  const { embedder } = queries;
  const passes = new Map<string, Cosines>();
  const keysOf: Record<IndexTexts, () => readonly TextKey[]> = {
    definitions: onDemand(() => index.textKeys("definitions")),
    commits: onDemand(() => index.textKeys("commits")),
  };
  const embedding = { index: { ...index, textKeys: (of: IndexTexts) => keysOf[of]() }, vectors, embedder };
  const passed = (query: string, vector: Float32Array, unrelated: Float32Array): Cosines => {
    const before = passes.get(query);
    if (before !== undefined) return before;
    const wanted = new Set<number>();
    for (const keys of [keysOf.definitions(), keysOf.commits()]) for (const { key } of keys) wanted.add(key);
    const found = cosines(vectors.blocks(embedder.storedAs), wanted, vector, unrelated);
    passes.set(query, found);
    return found;
  };
  return {
    async prepare(query, kinds, signal) {
      const probe = queries.unrelated();
      if (!keeps || probe === null) return 0;
      dropOtherModels(vectors, embedder, probe);
      const { text } = queryWordsOf(query);
      let left = 0;
      for (const of of kinds) {
        const hits =
          of === "definitions" ? index.findDefinitions(text, BY_WORDS_MAX) : index.findCommits(text, BY_WORDS_MAX);
        const missing = missingTexts(
          embedding,
          of,
          hits.map(({ id }) => id),
          TEXTS_MAX[of],
        );
        const embedded = await embedIndexed(embedding, of, missing.ids, signal);
        if (!embedded.ok) {
          queries.fail(embedded.failure);
          return 0;
        }
        left += missing.left;
      }
      return left;
    },
    async similarities(query, of, signal) {
      if (queries.unrelated() === null) return null;
      const vector = await queries.of(query, signal);
      const unrelated = queries.unrelated();
      return vector === null || unrelated === null ? null : relevances(keysOf[of](), passed(query, vector, unrelated));
    },
  };
}

/** By text key: the cosine to the query and, for a sample, the cosine to an unrelated text. */
type Cosines = { readonly query: ReadonlyMap<number, number>; readonly unrelated: ReadonlyMap<number, number> };

function cosines(
  blocks: Iterable<VectorBlock>,
  wanted: ReadonlySet<number>,
  query: Float32Array,
  unrelated: Float32Array,
): Cosines {
  const every = Math.max(1, Math.ceil(wanted.size / PROBED_MAX));
  const [queryNumbers, unrelatedNumbers] = [wholeNumbers(query), wholeNumbers(unrelated)];
  const found = { query: new Map<number, number>(), unrelated: new Map<number, number>() };
  for (const { dimensions, keys, lengths, numbers } of blocks) {
    // Stored by an earlier model of the same name.
    if (dimensions !== query.length) continue;
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at] ?? 0;
      if (!wanted.has(key)) continue;
      const length = lengths[at] ?? 1;
      const from = at * dimensions;
      if (found.query.size % every === 0)
        found.unrelated.set(key, product(unrelatedNumbers, numbers, from) / (length * ONE));
      found.query.set(key, product(queryNumbers, numbers, from) / (length * ONE));
    }
  }
  return found;
}

/** The integer that represents 1. Integer products take half the time of floating-point ones. */
const ONE = 32_767;

/** A unit vector in integers; cosines are off by at most 0.001. */
const wholeNumbers = (vector: Float32Array): Int32Array =>
  Int32Array.from(vector, (number) => Math.round(number * ONE));

/**
 * The inner product with the numbers from `from` on. Two sums, because each addition waits for the previous one. 32 bits
 * suffice for 200,000 dimensions: one vector has length `ONE`, the other no number above 127.
 */
function product(vector: Int32Array, numbers: Int8Array, from: number): number {
  let [a, b] = [0, 0];
  const whole = vector.length - (vector.length % 2);
  for (let at = 0; at < whole; at += 2) {
    a = (a + Math.imul(vector[at] ?? 0, numbers[from + at] ?? 0)) | 0;
    b = (b + Math.imul(vector[at + 1] ?? 0, numbers[from + at + 1] ?? 0)) | 0;
  }
  for (let at = whole; at < vector.length; at += 1) a += Math.imul(vector[at] ?? 0, numbers[from + at] ?? 0);
  return a + b;
}

function relevances(keys: readonly TextKey[], { query, unrelated }: Cosines): IndexSimilarities {
  let [sum, count] = [0, 0];
  for (const { key } of keys) {
    const cosine = unrelated.get(key);
    if (cosine === undefined) continue;
    sum += cosine;
    count += 1;
  }
  const mean = count === 0 ? 0 : sum / count;
  const near = new Map<number, number>();
  for (const { id, key } of keys) {
    const cosine = query.get(key);
    if (cosine !== undefined) near.set(id, relevanceByMeaning(cosine, mean));
  }
  return near;
}
