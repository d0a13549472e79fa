/**
 * Finds the values of all resolved experiences, from a model's vectors or, without a model, from their words.
 *
 * If the model fails, words decide for all axes, so that values stay comparable. Stores vectors and nothing else.
 */
import type { EntrySearch, ValueStore, VectorStore } from "../../db/memory/store.ts";
import type { Embedder } from "../../llm/embedder.ts";
import type { ModelFailure } from "../../llm/model.ts";
import type { Experience, Value } from "../../memory/experience.ts";
import { axisText } from "../../memory/experience-text.ts";
import { TEXT_VECTORS_UNRELATED, textVectors } from "../../memory/text-vector.ts";
import { type OnAxis, valuesOnAxis } from "../../memory/values.ts";
import { AXES, type Axis } from "../../memory/vocabulary.ts";
import { type Embedded, embedEntries, embedMissing, textHash } from "../search/embed.ts";

/** The distance (1 - cosine) of unrelated texts' embeddings is about this, seldom less. */
const EMBEDDINGS_UNRELATED = 0.4;

type FindValuesDeps = {
  readonly store: ValueStore & EntrySearch & VectorStore;
  readonly embedder: Embedder | null;
  /** Gives the event loop a turn. */
  readonly pause: () => Promise<void>;
  /** `total` is null while unknown. */
  readonly onProgress: (phase: "embed" | "group", done: number, total: number | null) => void;
};

/** `failure`: why the model gave no vectors. */
type FoundValues = {
  readonly values: readonly Value[];
  readonly experiences: number;
  readonly failure: ModelFailure | null;
};

/** Throws the signal's reason, and what the store throws. */
export async function findValues(deps: FindValuesDeps, signal: AbortSignal): Promise<FoundValues> {
  const { store, embedder, onProgress, pause } = deps;
  const ended = store.experiences().filter(({ outcome }) => outcome !== null);
  const embedded = embedder === null || ended.length === 0 ? null : await embedAll(deps, embedder, ended, signal);
  const isByModel = embedded?.ok === true;
  const values: Value[] = [];
  for (const [done, axis] of AXES.entries()) {
    onProgress("group", done, AXES.length);
    const grouping =
      isByModel && embedder !== null
        ? valuesOnAxis(axis, byModel(store, embedder, axis, ended), EMBEDDINGS_UNRELATED)
        : groupedByWords(axis, ended);
    for (;;) {
      await pause();
      signal.throwIfAborted();
      const step = grouping.next();
      if (step.done !== true) continue;
      values.push(...step.value);
      break;
    }
  }
  return { values, experiences: ended.length, failure: embedded?.ok === false ? embedded.failure : null };
}

type AxisText = { readonly experience: Experience; readonly text: string };

const axisTexts = (axis: Axis, experiences: readonly Experience[]): readonly AxisText[] =>
  experiences.flatMap((experience) => {
    const text = axisText(experience, axis);
    return text === null ? [] : [{ experience, text }];
  });

function* groupedByWords(axis: Axis, experiences: readonly Experience[]): ReturnType<typeof valuesOnAxis> {
  const texts = axisTexts(axis, experiences);
  const vectors = yield* textVectors(texts.map(({ text }) => text));
  const entries = texts.flatMap(({ experience }, at): readonly OnAxis[] => {
    const vector = vectors[at];
    return vector === undefined ? [] : [{ experience, vector }];
  });
  return yield* valuesOnAxis(axis, entries, TEXT_VECTORS_UNRELATED);
}

function byModel(
  store: VectorStore,
  { storedAs }: Embedder,
  axis: Axis,
  experiences: readonly Experience[],
): readonly OnAxis[] {
  const stored = new Map<string, Float32Array>();
  for (const { id, vector } of store.eachVector(storedAs, { type: "experience", axis })) stored.set(id, vector);
  return axisTexts(axis, experiences).flatMap(({ experience }) => {
    const vector = stored.get(experience.id);
    return vector === undefined ? [] : [{ experience, vector }];
  });
}

/** Embeds every text without a vector, and those that have changed. */
async function embedAll(
  { store, onProgress }: FindValuesDeps,
  embedder: Embedder,
  experiences: readonly Experience[],
  signal: AbortSignal,
): Promise<Embedded> {
  const total = store.unembedded(embedder.storedAs, Number.MAX_SAFE_INTEGER).length;
  if (total > 0) onProgress("embed", 0, total);
  const embedded = await embedMissing(store, embedder, Number.MAX_SAFE_INTEGER, signal, (done) =>
    onProgress("embed", done, total),
  );
  if (!embedded.ok) return embedded;
  const stale = AXES.flatMap((axis) => {
    const hashes = new Map<string, string>();
    for (const { id, textHash } of store.eachVector(embedder.storedAs, { type: "experience", axis }))
      hashes.set(id, textHash);
    return axisTexts(axis, experiences)
      .filter(({ experience, text }) => hashes.get(experience.id) !== textHash(text))
      .map(({ experience: { id } }) => ({ id, axis }));
  });
  return await embedEntries(store, embedder, stale, signal);
}

/** Embeds the stored values that have no vector or whose text has changed. */
export async function embedValues(
  store: ValueStore & EntrySearch & VectorStore,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<Embedded> {
  const hashes = new Map<string, string>();
  for (const { id, textHash } of store.eachVector(embedder.storedAs, { type: "value", axis: null }))
    hashes.set(id, textHash);
  const due = store.values().filter(({ id, text }) => hashes.get(id) !== textHash(text));
  return await embedEntries(
    store,
    embedder,
    due.map(({ id }) => ({ id, axis: null })),
    signal,
  );
}
