/**
 * Gives stored entries their vectors: each text once, and again only when it has changed.
 *
 * Vectors are stored with length 1, after every few hundred texts, so that what was made stays when the rest fails or is
 * stopped. A model that gives another number of dimensions than is stored is another model under the same name: what is
 * stored of it goes. Not here: what vectors are for (`vector-search.ts`, `find-values.ts`).
 */
import type { MemoryStore, StoredVector, VectorKey } from "../../db/memory/store.ts";
import type { Embedder } from "../../llm/embedder.ts";
import type { ModelFailure } from "../../llm/model.ts";
import { axisText } from "../../memory/experience-text.ts";
import { unit } from "../../memory/text-vector.ts";

/** Texts that are read and embedded before their vectors are stored. */
const TEXTS_AT_ONCE = 256;

export type Embedded = { readonly ok: true } | { readonly ok: false; readonly failure: ModelFailure };

/** Embeds what has no vector yet, `limit` texts at most; `onDone` hears how many are done. Throws only the signal's reason and failures of the store. */
export async function embedMissing(
  store: MemoryStore,
  embedder: Embedder,
  limit: number,
  signal: AbortSignal,
  onDone: (texts: number) => void = () => {},
): Promise<Embedded> {
  const pass = () => embedKeys(store, embedder, store.unembedded(embedder.name, limit), signal, onDone);
  const before = store.dimensions(embedder.name);
  const embedded = await pass();
  // The model turned out to be another, and all that it had is gone.
  if (embedded.ok && before !== null && store.dimensions(embedder.name) !== before) return await pass();
  return embedded;
}

/** Embeds what these keys name, whether it has a vector or not. */
export async function embedKeys(
  store: MemoryStore,
  embedder: Embedder,
  keys: readonly VectorKey[],
  signal: AbortSignal,
  onDone: (texts: number) => void = () => {},
): Promise<Embedded> {
  for (let at = 0; at < keys.length; at += TEXTS_AT_ONCE) {
    const texts = textsOf(store, keys.slice(at, at + TEXTS_AT_ONCE));
    const answer = await embedder.embed(
      texts.map(({ text }) => text),
      signal,
    );
    if (!answer.ok) return answer;
    dropOtherDimensions(store, embedder.name, answer.vectors[0]);
    const rows = texts.flatMap(({ key, text }, index): readonly (StoredVector & { readonly textHash: string })[] => {
      const vector = answer.vectors[index];
      return vector === undefined ? [] : [{ ...key, vector: unit(vector), textHash: textHash(text) }];
    });
    store.putVectors(embedder.name, rows);
    onDone(Math.min(keys.length, at + TEXTS_AT_ONCE));
  }
  return { ok: true };
}

/** Throws away what a model gave before, when it gives vectors of another length now. Says whether it did. */
export function dropOtherDimensions(store: MemoryStore, model: string, vector: Float32Array | undefined): boolean {
  const stored = store.dimensions(model);
  if (vector === undefined || stored === null || stored === vector.length) return false;
  store.dropVectors(model);
  return true;
}

/** What stands for a text beside its vector. */
export const textHash = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** The texts of keys; what is gone meanwhile has none. */
function textsOf(
  store: MemoryStore,
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
