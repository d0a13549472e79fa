/**
 * Gives definitions and commits of an index their vectors: each text once, whatever branch or index it comes from.
 *
 * Vectors are stored after every few hundred texts, so that what was made stays when the rest fails or is stopped. Two
 * definitions with the same text share one. Not here: what vectors are for (`index-vector-search.ts`).
 */
import type { IndexTexts, KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { VectorCache } from "../../db/vectors/vector-cache.ts";
import type { Embedder } from "../../llm/embedder.ts";
import { commitText, definitionText } from "../../text/embedded-text.ts";
import type { Embedded } from "./embed.ts";

/** The part of an index that is embedded. */
export type EmbeddedIndex = Pick<KnowledgeBase, "textKeys" | "tellingFirst" | "definitionsById" | "commitsById">;

export type EmbeddingIndex = {
  readonly index: EmbeddedIndex;
  readonly vectors: VectorCache;
  readonly embedder: Embedder;
};

/** Texts that are read and embedded before their vectors are stored. */
const TEXTS_AT_ONCE = 256;

/** More vectors than this many times those of the index, and as many again as a large branch has, are forgotten. */
const KEPT_TIMES = 2;
const KEPT_BESIDES = 20_000;

/** What has no vector yet: each text once, `first` in their order, then what tells most. `left` counts those beyond `limit`. */
export function missingTexts(
  { index, vectors, embedder }: EmbeddingIndex,
  of: IndexTexts,
  first: readonly number[] = [],
  limit: number = Number.MAX_SAFE_INTEGER,
): { readonly ids: readonly number[]; readonly left: number } {
  const known = vectors.keys(embedder.name);
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

/** Embeds the texts of these; `onDone` hears how many are done. Throws only the signal's reason and failures of the cache. */
export async function embedIndexed(
  { index, vectors, embedder }: EmbeddingIndex,
  of: IndexTexts,
  ids: readonly number[],
  signal: AbortSignal,
  onDone: (texts: number) => void = () => {},
): Promise<Embedded> {
  const keys = new Map(ids.length === 0 ? [] : index.textKeys(of).map(({ id, key }) => [id, key]));
  for (let at = 0; at < ids.length; at += TEXTS_AT_ONCE) {
    const texts = textsOf(index, of, ids.slice(at, at + TEXTS_AT_ONCE));
    const answer = await embedder.embed(
      texts.map(({ text }) => text),
      signal,
    );
    if (!answer.ok) return answer;
    const length = answer.vectors[0]?.length;
    const stored = vectors.dimensions(embedder.name);
    // A model that is another under the same name.
    if (stored !== null && length !== undefined && length !== stored) vectors.drop(embedder.name);
    const rows = texts.flatMap(({ id }, place) => {
      const [key, vector] = [keys.get(id), answer.vectors[place]];
      return key === undefined || vector === undefined ? [] : [{ key, vector }];
    });
    vectors.put(embedder.name, rows);
    onDone(Math.min(ids.length, at + TEXTS_AT_ONCE));
  }
  return { ok: true };
}

/** Forgets what belongs to no text of the index, once that is much. */
export function shrinkVectors({ index, vectors, embedder }: EmbeddingIndex): void {
  const keys = new Set((["definitions", "commits"] as const).flatMap((of) => index.textKeys(of).map(({ key }) => key)));
  vectors.shrink(keys.size * KEPT_TIMES + KEPT_BESIDES, embedder.name, keys);
}

const textsOf = (index: EmbeddedIndex, of: IndexTexts, ids: readonly number[]) =>
  of === "definitions"
    ? index.definitionsById(ids).map((found) => ({ id: found.id, text: definitionText(found) }))
    : index.commitsById(ids).map(({ id, message }) => ({ id, text: commitText(message) }));
