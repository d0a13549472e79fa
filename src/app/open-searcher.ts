/**
 * Hands recall its searcher: the store of what is remembered, the index, and the embedding model where one is set.
 *
 * The store is opened for writing only where vectors may be stored and there is a store. Notices come while it is opened
 * and used. Not here: what is asked (`recall/`), the model's server (`open-model.ts`).
 */

import type { Settings } from "../config/keys.ts";
import type { IndexTexts, KnowledgeBase } from "../db/curated/knowledge-base.ts";
import { noMemory, openMemory } from "../db/memory/open-store.ts";
import type { MemoryStore } from "../db/memory/store.ts";
import { openVectorCache, type VectorCache } from "../db/vectors/vector-cache.ts";
import { Failed, type Notice } from "../failure.ts";
import type { Embedder } from "../llm/embedder.ts";
import type { ModelFailure } from "../llm/model.ts";
import { modelFailureWords } from "../llm/model-failure.ts";
import { openIndexVectorSearch } from "../recall/search/index-vector-search.ts";
import { openQueryVectors, type QueryVectors } from "../recall/search/query-vectors.ts";
import type { Searcher } from "../recall/search/searcher.ts";
import { storeSearcher } from "../recall/search/store-searcher.ts";
import { openVectorSearch } from "../recall/search/vector-search.ts";
import type { Redactor } from "../secrets/redactor.ts";
import { openEmbedder, sendingNotice } from "./open-model.ts";
import { guardedEmbedder } from "./redaction.ts";

export type SearchingWorld = {
  /** Of the store, and of the vectors of the index. */
  readonly path: string;
  readonly vectors: string;
  /** Throws `not-indexed` where there is no index. */
  readonly knowledge: () => KnowledgeBase;
  readonly settings: Settings;
  readonly redactor: Redactor;
  /** False: nothing at all is written, and what has no stored vector is found by words alone. */
  readonly keepsVectors: boolean;
  readonly onNotice: (notice: Notice) => void;
};

/** Where there may be no store to search, which a `path` of null says. */
export type OpeningWorld = Omit<SearchingWorld, "path"> & { readonly path: string | null };

/** What of the index will be looked through, and for what. */
export type InIndexAsked = { readonly query: string; readonly kinds: readonly IndexTexts[] };

/** To be closed by whoever opened it. */
export type OpenedSearcher = { readonly searcher: Searcher; close(): void };

/** So many texts that are remembered are embedded before a search at most: some seconds on a small machine. */
const TEXTS_BEFORE_SEARCH = 1_000;

/**
 * Opens a searcher; with an embedding model, wakes it and brings vectors up to date, those of the index where `inIndex`
 * asks for them. Throws a usage failure for a server that may not be asked, what the store throws, and the signal's reason.
 */
export async function openSearcher(
  world: OpeningWorld,
  signal: AbortSignal,
  inIndex: InIndexAsked | null = null,
): Promise<OpenedSearcher> {
  const { path, knowledge, settings, redactor, keepsVectors, onNotice } = world;
  const name = settings.embedding_model;
  const embedder = name === null ? null : guardedEmbedder(await openEmbedder(name, settings), redactor);
  let store = path === null ? noMemory() : openMemory(path, "read");
  let cache: VectorCache | null = null;
  const close = (): void => {
    cache?.close();
    store.close();
  };
  try {
    const { memories, experiences, values } = store.counts();
    const remembers = memories + experiences + values > 0;
    const index = embedder === null || inIndex === null || inIndex.kinds.length === 0 ? null : indexIn(knowledge);
    const byWords = { store, knowledge, entryVectors: null, indexVectors: null };
    if (embedder === null || (!remembers && index === null)) return { searcher: storeSearcher(byWords), close };
    const sending = sendingNotice(settings, index === null ? "memory" : remembers ? "all" : "index");
    if (sending !== null) onNotice(sending);
    const queries = openQueryVectors(embedder, (failure) => onNotice(embeddingFailure(failure, embedder)));
    if (!(await queries.wake(signal))) return { searcher: storeSearcher(byWords), close };
    const isDue = path !== null && keepsVectors && remembers && isBehind(store, queries);
    let keeps = false;
    if (isDue) {
      store.close();
      ({ store, keeps } = openStore(path));
    }
    const entryVectors = remembers ? openVectorSearch({ store, queries, keeps, textsMax: TEXTS_BEFORE_SEARCH }) : null;
    const isAnswered = (await entryVectors?.prepare(signal)) ?? true;
    const left = isAnswered && isDue ? store.unembedded(embedder.name, Number.MAX_SAFE_INTEGER).length : 0;
    if (left > 0) onNotice({ code: "embedding-partial", of: "memory", left });
    const opened = index === null || !isAnswered ? null : openVectors(world.vectors, keepsVectors);
    cache = opened?.cache ?? null;
    const indexVectors =
      index === null || opened === null
        ? null
        : openIndexVectorSearch({ index, vectors: opened.cache, queries, keeps: opened.keeps });
    const without = inIndex === null ? 0 : await indexVectors?.prepare(inIndex.query, inIndex.kinds, signal);
    if (without !== undefined && without > 0) onNotice({ code: "embedding-partial", of: "index", left: without });
    return { searcher: storeSearcher({ store, knowledge, entryVectors, indexVectors }), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Whether vectors are to be made: opening for writing looks through the whole file, so it is done for that alone. */
function isBehind(store: MemoryStore, { embedder: { name }, unrelated }: QueryVectors): boolean {
  const stored = store.dimensions(name);
  return (stored !== null && stored !== unrelated()?.length) || store.unembedded(name, 1).length > 0;
}

/** Null where there is none, or none that can be read: whoever asks it is told. */
export function indexIn(knowledge: SearchingWorld["knowledge"]): KnowledgeBase | null {
  try {
    return knowledge();
  } catch (error) {
    if (error instanceof Failed) return null;
    throw error;
  }
}

/** The words for a failure of an embedding model. */
export function embeddingFailure(failure: ModelFailure, { name, baseUrl }: Embedder): Notice {
  return { code: "embedding-failed", ...modelFailureWords(failure, { name, baseUrl, flag: "--embedding-model" }) };
}

/** A store that takes no writes, or not just now, can be read all the same. */
const openStore = (path: string): { readonly store: MemoryStore; readonly keeps: boolean } =>
  openOr<ReturnType<typeof openStore>>(
    () => ({ store: openMemory(path, "write"), keeps: true }),
    () => ({ store: openMemory(path, "read"), keeps: false }),
  );

/** The same of the vectors of the index; null where there is no reading either, as they only help. */
function openVectors(path: string, keeps: boolean): { readonly cache: VectorCache; readonly keeps: boolean } | null {
  const open = (access: "read" | "write"): ReturnType<typeof openVectors> => ({
    cache: openVectorCache(path, access),
    keeps: access === "write",
  });
  const read = () =>
    openOr(
      () => open("read"),
      () => null,
    );
  return keeps ? openOr(() => open("write"), read) : read();
}

/** `open`, or `otherwise` when the disk or another process does not let it. */
function openOr<T>(open: () => T, otherwise: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof Failed) || !["io", "locked"].includes(error.failure.code)) throw error;
    return otherwise();
  }
}
