/**
 * How near definitions and commits are to a query by meaning.
 *
 * All vectors of the index are compared, in one pass for both kinds; there is no approximate search, so what is nearest
 * is found. What has no vector is found by words alone. Invariant: a query costs one vector of the model, shared with what
 * is remembered (`query-vectors.ts`). Not here: making vectors (`embed-index.ts`).
 */
import type { IndexTexts, TextKey } from "../../db/curated/knowledge-base.ts";
import type { VectorBlock } from "../../db/vectors/vector-cache.ts";
import { type EmbeddingIndex, embedIndexed, missingTexts } from "./embed-index.ts";
import type { QueryVectors } from "./query-vectors.ts";
import { queryWordsOf } from "./query-words.ts";
import { relevanceByMeaning } from "./relevance.ts";

/** Relevance by the id of the definition or commit; what has no vector is not in it. */
export type IndexNearness = ReadonlyMap<number, number>;

export type IndexMeaning = {
  /**
   * To be called before others, when the model is awake: embeds what will matter to a query and has no vector yet, some
   * texts at most. Gives how many still have none.
   */
  prepare(query: string, kinds: readonly IndexTexts[], signal: AbortSignal): Promise<number>;
  /** Null when the model does not answer. Rejects with the signal's reason. */
  nearness(query: string, of: IndexTexts, signal: AbortSignal): Promise<IndexNearness | null>;
};

export type IndexMeaningEdges = Omit<EmbeddingIndex, "embedder" | "index"> & {
  readonly index: EmbeddingIndex["index"] & FindsByWords;
  readonly queries: QueryVectors;
  /** Vectors may be stored. */
  readonly keeps: boolean;
};

type FindsByWords = {
  findDefinitions(query: string, limit: number): readonly { readonly id: number }[];
  findCommits(query: string, limit: number): readonly { readonly id: number }[];
};

/** Texts that are embedded before a search at most: a few seconds on a small machine. */
const TEXTS_MAX: Readonly<Record<IndexTexts, number>> = { definitions: 64, commits: 32 };
/** So many of those found by words are embedded before all others. */
const BY_WORDS_MAX = 100;
/** What is unrelated is measured on so many texts. */
const PROBED_MAX = 2_000;

/** Nothing is read until it is asked. */
export function openIndexMeaning({ index, vectors, queries, keeps }: IndexMeaningEdges): IndexMeaning {
  const { embedder } = queries;
  const passes = new Map<string, Cosines>();
  const keysOf: Record<IndexTexts, () => readonly TextKey[]> = {
    definitions: lazily(() => index.textKeys("definitions")),
    commits: lazily(() => index.textKeys("commits")),
  };
  const edges = { index: { ...index, textKeys: (of: IndexTexts) => keysOf[of]() }, vectors, embedder };
  const passed = (query: string, vector: Float32Array, unrelated: Float32Array): Cosines => {
    const before = passes.get(query);
    if (before !== undefined) return before;
    const wanted = new Set<number>();
    for (const keys of [keysOf.definitions(), keysOf.commits()]) for (const { key } of keys) wanted.add(key);
    const found = cosines(vectors.blocks(embedder.name), wanted, vector, unrelated);
    passes.set(query, found);
    return found;
  };
  return {
    async prepare(query, kinds, signal) {
      const probe = queries.unrelated();
      if (!keeps || probe === null) return 0;
      const stored = vectors.dimensions(embedder.name);
      if (stored !== null && stored !== probe.length) vectors.drop(embedder.name);
      const { text } = queryWordsOf(query);
      let left = 0;
      for (const of of kinds) {
        const hits =
          of === "definitions" ? index.findDefinitions(text, BY_WORDS_MAX) : index.findCommits(text, BY_WORDS_MAX);
        const missing = missingTexts(
          edges,
          of,
          hits.map(({ id }) => id),
          TEXTS_MAX[of],
        );
        const embedded = await embedIndexed(edges, of, missing.ids, signal);
        if (!embedded.ok) {
          queries.fail(embedded.failure);
          return 0;
        }
        left += missing.left;
      }
      return left;
    },
    async nearness(query, of, signal) {
      if (queries.unrelated() === null) return null;
      const vector = await queries.of(query, signal);
      const unrelated = queries.unrelated();
      return vector === null || unrelated === null ? null : relevances(keysOf[of](), passed(query, vector, unrelated));
    },
  };
}

/** By key: the cosine to the query, and of some that to what is unrelated. */
type Cosines = { readonly query: ReadonlyMap<number, number>; readonly unrelated: ReadonlyMap<number, number> };

function cosines(
  blocks: Iterable<VectorBlock>,
  wanted: ReadonlySet<number>,
  query: Float32Array,
  unrelated: Float32Array,
): Cosines {
  const every = Math.max(1, Math.ceil(wanted.size / PROBED_MAX));
  const [asked, other] = [wholeNumbers(query), wholeNumbers(unrelated)];
  const found = { query: new Map<number, number>(), unrelated: new Map<number, number>() };
  for (const { dimensions, keys, lengths, numbers } of blocks) {
    // Of a model that gave others before.
    if (dimensions !== query.length) continue;
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at] ?? 0;
      if (!wanted.has(key)) continue;
      const length = lengths[at] ?? 1;
      const from = at * dimensions;
      if (found.query.size % every === 0) found.unrelated.set(key, product(other, numbers, from) / (length * ONE));
      found.query.set(key, product(asked, numbers, from) / (length * ONE));
    }
  }
  return found;
}

/** What stands for 1 where vectors are whole numbers, which a processor adds up in half the time. */
const ONE = 32_767;

/** A vector of length 1 in whole numbers, so fine that no cosine is off by more than 0.001. */
const wholeNumbers = (vector: Float32Array): Int32Array =>
  Int32Array.from(vector, (number) => Math.round(number * ONE));

/**
 * The inner product with the numbers that begin at `from`; two sums, as each addition waits for the one before. 32 bits
 * hold it for vectors of 200,000 numbers, as one has length `ONE` and the other no number above 127.
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

function relevances(keys: readonly TextKey[], { query, unrelated }: Cosines): IndexNearness {
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

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
