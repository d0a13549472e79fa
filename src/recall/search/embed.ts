/**
 * Embeds texts that have no vector yet: stored entries, and the definitions and commits of an index.
 *
 * Vectors are stored after every batch, so that an interrupted run keeps them. If a server has other weights under a model's name, or
 * gives vectors of another length than those stored, it is another model, and the stored vectors are dropped.
 */
import type { IndexTexts, RecallQueries } from "../../db/curated/knowledge-base.ts";
import type { EntrySearch, VectorKey, VectorStore } from "../../db/memory/store.ts";
import type { VectorCache } from "../../db/vectors/vector-cache.ts";
import type { Embedder } from "../../llm/embedder.ts";
import type { ModelFailure } from "../../llm/model.ts";
import { axisText } from "../../memory/experience-text.ts";
import { unit } from "../../memory/text-vector.ts";
import { commitText, definitionText } from "../../text/embedded-text.ts";

/** Texts that are read, embedded and stored together. */
const TEXTS_PER_BATCH = 256;

export type Embedded = { readonly ok: true } | { readonly ok: false; readonly failure: ModelFailure };

/** `onDone` receives the number of keys done so far. Throws only the signal's reason and what `read` and `put` throw. */
async function embedBatches<Key>(
  embedder: Embedder,
  keys: readonly Key[],
  steps: {
    read(keys: readonly Key[]): readonly { readonly key: Key; readonly text: string }[];
    put(rows: readonly { readonly key: Key; readonly text: string; readonly vector: Float32Array }[]): void;
  },
  signal: AbortSignal,
  onDone: (texts: number) => void,
): Promise<Embedded> {
  for (let at = 0; at < keys.length; at += TEXTS_PER_BATCH) {
    const batch = steps.read(keys.slice(at, at + TEXTS_PER_BATCH));
    const answer = await embedder.embed(
      batch.map(({ text }) => text),
      signal,
    );
    if (!answer.ok) return answer;
    steps.put(
      batch.flatMap(({ key, text }, index) => {
        const vector = answer.vectors[index];
        return vector === undefined ? [] : [{ key, text, vector }];
      }),
    );
    onDone(Math.min(keys.length, at + TEXTS_PER_BATCH));
  }
  return { ok: true };
}

/** Embeds at most `limit` texts of entries that have no vector yet. */
export async function embedMissing(
  store: EntrySearch & VectorStore,
  embedder: Embedder,
  limit: number,
  signal: AbortSignal,
  onDone: (texts: number) => void = () => {},
): Promise<Embedded> {
  const pass = () => embedEntries(store, embedder, store.unembedded(embedder.storedAs, limit), signal, onDone);
  const before = store.dimensions(embedder.storedAs);
  const embedded = await pass();
  // The vectors have another length now, so all earlier ones are gone.
  if (embedded.ok && before !== null && store.dimensions(embedder.storedAs) !== before) return await pass();
  return embedded;
}

/** Embeds the texts of these keys, whether they have a vector or not. */
export const embedEntries = (
  store: EntrySearch & VectorStore,
  embedder: Embedder,
  keys: readonly VectorKey[],
  signal: AbortSignal,
  onDone: (texts: number) => void = () => {},
): Promise<Embedded> =>
  embedBatches(
    embedder,
    keys,
    {
      read: (batch) => entryTexts(store, batch),
      put(rows) {
        dropOtherModels(store, embedder, rows[0]?.vector);
        store.putVectors(
          embedder.storedAs,
          rows.map(({ key, text, vector }) => ({ ...key, vector: unit(vector), textHash: textHash(text) })),
        );
      },
    },
    signal,
    onDone,
  );

/** Drops what earlier models of the same name left: vectors of other weights, or of another length than `vector`. */
export function dropOtherModels(
  vectors: Pick<VectorStore, "dimensions" | "dropVectors" | "dropOtherVectors">,
  { name, storedAs }: Embedder,
  vector: Float32Array | undefined,
): void {
  if (vector === undefined) return;
  vectors.dropOtherVectors(name, storedAs);
  const stored = vectors.dimensions(storedAs);
  if (stored !== null && stored !== vector.length) vectors.dropVectors(storedAs);
}

/** Stored beside a vector to tell whether the text has changed since. */
export const textHash = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** The texts of keys; entries that were removed meanwhile have none. */
function entryTexts(
  store: EntrySearch,
  keys: readonly VectorKey[],
): readonly { readonly key: VectorKey; readonly text: string }[] {
  const ids = [...new Set(keys.map(({ id }) => id))];
  const whole = new Map<string, string>([
    ...store.memoriesById(ids).map(({ id, content }) => [id, content] as const),
    ...store.valuesById(ids).map(({ id, text }) => [id, text] as const),
  ]);
  const experiences = new Map(store.experiencesById(ids).map((experience) => [experience.id, experience]));
  return keys.flatMap((key) => {
    const experience = experiences.get(key.id);
    const text =
      key.axis === null ? whole.get(key.id) : experience === undefined ? null : axisText(experience, key.axis);
    return text === undefined || text === null ? [] : [{ key, text }];
  });
}

/** An index whose definitions and commits are embedded, and the cache of their vectors. */
export type IndexEmbedding = {
  readonly index: RecallQueries;
  readonly vectors: VectorCache;
  readonly embedder: Embedder;
};

/**
 * The ids of texts without a vector, each distinct text once: `first` in their order, then the most useful ones. `left`
 * counts the texts beyond `limit`.
 */
export function missingTexts(
  { index, vectors, embedder }: IndexEmbedding,
  of: IndexTexts,
  first: readonly number[] = [],
  limit: number = Number.MAX_SAFE_INTEGER,
): { readonly ids: readonly number[]; readonly left: number } {
  const known = vectors.keys(embedder.storedAs);
  const missing = new Map<number, number>();
  for (const { id, key } of index.textKeys(of)) if (!known.has(key)) missing.set(id, key);
  if (missing.size === 0) return { ids: [], left: 0 };
  const taken = new Set<number>();
  const ids: number[] = [];
  for (const id of [...first, ...index.tellingFirst(of)]) {
    const key = missing.get(id);
    if (key === undefined || taken.has(key)) continue;
    taken.add(key);
    if (ids.length < limit) ids.push(id);
  }
  return { ids, left: taken.size - ids.length };
}

/** Embeds the texts of these definitions or commits. */
export function embedIndexed(
  { index, vectors, embedder }: IndexEmbedding,
  of: IndexTexts,
  ids: readonly number[],
  signal: AbortSignal,
  onDone: (texts: number) => void = () => {},
): Promise<Embedded> {
  const keys = new Map(ids.length === 0 ? [] : index.textKeys(of).map(({ id, key }) => [id, key]));
  const read = (batch: readonly number[]) =>
    of === "definitions"
      ? index.definitionsById(batch).map((found) => ({ key: found.id, text: definitionText(found) }))
      : index.commitsById(batch).map(({ id, message }) => ({ key: id, text: commitText(message) }));
  const put: Parameters<typeof embedBatches<number>>[2]["put"] = (rows) => {
    dropOtherModels(vectors, embedder, rows[0]?.vector);
    vectors.put(
      embedder.storedAs,
      rows.flatMap(({ key: id, vector }) => {
        const key = keys.get(id);
        return key === undefined ? [] : [{ key, vector }];
      }),
    );
  };
  return embedBatches(embedder, ids, { read, put }, signal, onDone);
}

/** The cache keeps this many times the index's vectors, and room for a large branch, before it forgets others. */
const KEPT_TIMES = 2;
const KEPT_BESIDES = 20_000;

/** Forgets vectors of texts that are no longer in the index, once there are many. */
export function shrinkVectors({ index, vectors, embedder }: IndexEmbedding): void {
  const keys = new Set((["definitions", "commits"] as const).flatMap((of) => index.textKeys(of).map(({ key }) => key)));
  vectors.shrink(keys.size * KEPT_TIMES + KEPT_BESIDES, embedder.storedAs, keys);
}
