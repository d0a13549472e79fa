/** A store with entries and an embedding model on a real server, ready to be searched. */
import type { KnowledgeBase } from "../../src/db/curated/knowledge-base.ts";
import { openMemory } from "../../src/db/memory/open-store.ts";
import type { MemoryStore } from "../../src/db/memory/store.ts";
import { Failed } from "../../src/failure.ts";
import { readBaseUrl } from "../../src/llm/base-url.ts";
import type { Embedder } from "../../src/llm/embedder.ts";
import { MODEL_LIMITS } from "../../src/llm/limits.ts";
import type { ModelFailure } from "../../src/llm/model.ts";
import { openOllamaEmbedder } from "../../src/llm/ollama-embed.ts";
import type { Entry } from "../../src/memory/entry.ts";
import { openQueryVectors } from "../../src/recall/search/query-vectors.ts";
import type { Searcher } from "../../src/recall/search/searcher.ts";
import { storeSearcher } from "../../src/recall/search/store-searcher.ts";
import { openVectorSearch } from "../../src/recall/search/vector-search.ts";
import { folder } from "../db/folder.ts";
import { STAND_IN_MODEL } from "../support/stand-in-ollama.ts";

export type SearchedStore = Disposable & { readonly path: string; readonly store: MemoryStore };

/** A new store with these entries in it. */
export function storeOf(entries: readonly Entry[]): SearchedStore {
  const dir = folder();
  const path = dir.at("memory.sqlite");
  const store = openMemory(path, "write");
  store.put(entries);
  return {
    path,
    store,
    [Symbol.dispose]: () => {
      store.close();
      dir[Symbol.dispose]();
    },
  };
}

export function embedderAt(url: string, name = STAND_IN_MODEL): Embedder {
  const reading = readBaseUrl(url);
  if (!reading.ok) throw new Error(reading.why);
  return openOllamaEmbedder({ name, baseUrl: reading.baseUrl, limits: { ...MODEL_LIMITS, totalSeconds: 20 } });
}

export const noIndex = (): KnowledgeBase => {
  throw new Failed({ code: "not-indexed", repo: "/r" });
};

export const never = (): AbortSignal => new AbortController().signal;

/** A searcher by words alone. */
export const byWords = (store: MemoryStore): Searcher =>
  storeSearcher({ store, knowledge: noIndex, entryVectors: null, indexVectors: null });

export type ByMeaning = { readonly searcher: Searcher; readonly failures: ModelFailure[] };

/** A searcher by meaning too, its model awake. */
export async function byMeaning(store: MemoryStore, embedder: Embedder, keeps = true): Promise<ByMeaning> {
  const failures: ModelFailure[] = [];
  const onFailure = (failure: ModelFailure): void => void failures.push(failure);
  const queries = openQueryVectors(embedder, onFailure);
  const entryVectors = openVectorSearch({ store, queries, keeps, textsMax: 1_000 });
  await entryVectors.prepare(never());
  return { searcher: storeSearcher({ store, knowledge: noIndex, entryVectors, indexVectors: null }), failures };
}
