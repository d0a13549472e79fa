/**
 * Hands recall its searcher: the store of what is remembered, the index, and the embedding model where one is set.
 *
 * The store is opened for writing only where vectors may be stored and there is a store. Notices come while it is opened
 * and used. Not here: what is asked (`recall/`), the model's server (`app-model.ts`).
 */
import { existsSync } from "node:fs";
import { openEmbedder, sendingNotice } from "./app-model.ts";
import { guardedEmbedder } from "./app-secrets.ts";
import type { Settings } from "./config-keys.ts";
import type { KnowledgeBase } from "./db/curated.ts";
import { openMemory } from "./db/memory.ts";
import type { MemoryStore } from "./db/memory-store.ts";
import { Failed, type Notice } from "./failure.ts";
import type { Embedder } from "./model/embedder.ts";
import type { ModelFailure } from "./model/model.ts";
import { modelFailureWords } from "./model/model-failure.ts";
import type { Searcher } from "./recall/searcher.ts";
import { openSemantic, type Semantic } from "./recall/semantic.ts";
import { storeSearcher } from "./recall/store-searcher.ts";
import type { Redactor } from "./secrets/redactor.ts";

export type SearchingWorld = {
  /** Of the store. */
  readonly path: string;
  /** Throws `not-indexed` where there is no index. */
  readonly knowledge: () => KnowledgeBase;
  readonly settings: Settings;
  readonly redactor: Redactor;
  /** False: nothing at all is written, and entries without a stored vector are found by words alone. */
  readonly keepsVectors: boolean;
  readonly onNotice: (notice: Notice) => void;
};

/** To be closed by whoever opened it. */
export type OpenedSearcher = { readonly searcher: Searcher; close(): void };

/** So many texts are embedded before a search at most: some seconds on a small machine. `cra values` embeds all. */
const TEXTS_BEFORE_SEARCH = 1_000;

/**
 * Opens a searcher; with an embedding model, wakes it and brings vectors up to date. Throws a usage failure for a server
 * that may not be asked, what the store throws, and the signal's reason.
 */
export async function openSearcher(world: SearchingWorld, signal: AbortSignal): Promise<OpenedSearcher> {
  const { path, knowledge, settings, redactor } = world;
  const name = settings.embedding_model;
  const embedder = name === null ? null : guardedEmbedder(await openEmbedder(name, settings), redactor);
  const { store, keeps } = openStore(path, embedder !== null && world.keepsVectors);
  try {
    const semantic = embedder === null ? null : await wakened(store, embedder, keeps, world, signal);
    const searcher = storeSearcher({ store, knowledge, semantic });
    return { searcher, close: () => store.close() };
  } catch (error) {
    store.close();
    throw error;
  }
}

/** The words for a failure of an embedding model. */
export function embeddingFailure(failure: ModelFailure, { name, baseUrl }: Embedder): Notice {
  return { code: "embedding-failed", ...modelFailureWords(failure, { name, baseUrl, flag: "--embedding-model" }) };
}

/** A store that takes no writes, or not just now, can be read all the same. */
function openStore(path: string, wantsVectors: boolean): { readonly store: MemoryStore; readonly keeps: boolean } {
  if (!wantsVectors || !existsSync(path)) return { store: openMemory(path, "read"), keeps: false };
  try {
    return { store: openMemory(path, "write"), keeps: true };
  } catch (error) {
    if (!(error instanceof Failed) || !["io", "locked"].includes(error.failure.code)) throw error;
    return { store: openMemory(path, "read"), keeps: false };
  }
}

/** Null where there is nothing to compare. */
async function wakened(
  store: MemoryStore,
  embedder: Embedder,
  keeps: boolean,
  { settings, keepsVectors, onNotice }: SearchingWorld,
  signal: AbortSignal,
): Promise<Semantic | null> {
  const { memories, experiences, values } = store.counts();
  if (memories + experiences + values === 0) return null;
  const sending = sendingNotice(settings, "memory");
  if (sending !== null) onNotice(sending);
  const semantic = openSemantic({
    store,
    embedder,
    keeps,
    textsMax: TEXTS_BEFORE_SEARCH,
    onFailure: (failure) => onNotice(embeddingFailure(failure, embedder)),
  });
  const isAnswered = await semantic.prepare(signal);
  const left = isAnswered && keepsVectors ? store.unembedded(embedder.name, Number.MAX_SAFE_INTEGER).length : 0;
  if (left > 0) onNotice({ code: "embedding-partial", left });
  return semantic;
}
