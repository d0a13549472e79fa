/**
 * Opens what recall searches: the memory store, the index, and their vectors where an embedding model is set.
 *
 * The store is opened for writing only when vectors are to be stored in it. Notices arrive while it opens and is used.
 */
import type { IndexTexts, KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import { noMemory, openMemory } from "../../db/memory/open-store.ts";
import type { MemoryStore, VectorStore } from "../../db/memory/store.ts";
import { openVectorCache, type VectorCache } from "../../db/vectors/vector-cache.ts";
import { Failed } from "../../failure.ts";
import type { Embedder } from "../../llm/embedder.ts";
import type { ModelFailure } from "../../llm/model.ts";
import type { Notice } from "../../notice.ts";
import { openIndexVectorSearch } from "../../recall/search/index-vector-search.ts";
import { openQueryVectors, type QueryVectors } from "../../recall/search/query-vectors.ts";
import type { Searcher } from "../../recall/search/searcher.ts";
import { storeSearcher } from "../../recall/search/store-searcher.ts";
import { openVectorSearch } from "../../recall/search/vector-search.ts";
import { embeddingFailureWords, openEmbedder, sendingNotice } from "../workspace/open-model.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { commitDetails } from "./commit-details.ts";

/** `path` of the memory store; null searches without one. */
export type SearchRequest = {
  readonly path: string | null;
  /** False writes nothing, and finds texts without a stored vector by words alone. */
  readonly storesVectors: boolean;
  /** Texts of the index that get vectors first, where they match. */
  readonly inIndex?: { readonly query: string; readonly kinds: readonly IndexTexts[] };
};

/** The caller closes it. */
type OpenedSearcher = { readonly searcher: Searcher; close(): void };

/** Memory texts embedded before a search at most: some seconds on a small machine. */
const TEXTS_BEFORE_SEARCH = 1_000;

/**
 * Opens a searcher. With an embedding model, wakes it and brings vectors up to date. Throws a usage failure for a server
 * that may not be asked, what the store throws, and the signal's reason.
 */
export async function openSearcher(
  workspace: Workspace,
  { path, storesVectors, inIndex }: SearchRequest,
  signal: AbortSignal,
): Promise<OpenedSearcher> {
  const { paths, config, onNotice } = workspace;
  const { settings } = config;
  const { embedding_model: name } = settings;
  const knowledge = workspace.index.open;
  const source = name === null ? null : await openEmbedder(workspace, name);
  let store = path === null ? noMemory() : openMemory(path, "read");
  let cache: VectorCache | null = null;
  const close = (): void => {
    cache?.close();
    store.close();
  };
  try {
    const { memories, experiences, values } = store.counts();
    const remembers = memories + experiences + values > 0;
    const index =
      source === null || inIndex === undefined || inIndex.kinds.length === 0 ? null : readableIndex(workspace);
    const details = commitDetails(workspace);
    const byWords = { store, knowledge, entryVectors: null, indexVectors: null, commitDetails: details };
    if (source === null || (!remembers && index === null)) return { searcher: storeSearcher(byWords), close };
    const sending = sendingNotice(settings, index === null ? "memory" : remembers ? "all" : "index");
    if (sending !== null) onNotice(sending);
    const embedder = await source.open(signal);
    const queries = openQueryVectors(embedder, (failure) => onNotice(embeddingFailure(failure, embedder)));
    if (!(await queries.wake(signal))) return { searcher: storeSearcher(byWords), close };
    const isDue = path !== null && storesVectors && remembers && isBehind(store, queries);
    let keeps = false;
    if (isDue) {
      store.close();
      ({ store, keeps } = openStore(path));
    }
    const entryVectors = remembers ? openVectorSearch({ store, queries, keeps, textsMax: TEXTS_BEFORE_SEARCH }) : null;
    const isAnswered = (await entryVectors?.prepare(signal)) ?? true;
    const left = isAnswered && isDue ? store.unembedded(embedder.storedAs, Number.MAX_SAFE_INTEGER).length : 0;
    if (left > 0) onNotice({ code: "embedding-partial", of: "memory", left });
    const opened = index === null || !isAnswered ? null : openVectors(paths.vectors, storesVectors);
    cache = opened?.cache ?? null;
    const indexVectors =
      index === null || opened === null
        ? null
        : openIndexVectorSearch({ index, vectors: opened.cache, queries, keeps: opened.keeps });
    const without = inIndex === undefined ? 0 : await indexVectors?.prepare(inIndex.query, inIndex.kinds, signal);
    if (without !== undefined && without > 0) onNotice({ code: "embedding-partial", of: "index", left: without });
    return { searcher: storeSearcher({ store, knowledge, entryVectors, indexVectors, commitDetails: details }), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Whether vectors are missing. Opening for writing reads the whole file, so it is done for that alone. */
function isBehind(store: VectorStore, { embedder: { storedAs }, unrelated }: QueryVectors): boolean {
  const stored = store.dimensions(storedAs);
  return (stored !== null && stored !== unrelated()?.length) || store.unembedded(storedAs, 1).length > 0;
}

/** The index; null if there is none that can be read. */
export function readableIndex({ index }: Workspace): KnowledgeBase | null {
  try {
    return index.open();
  } catch (error) {
    if (error instanceof Failed) return null;
    throw error;
  }
}

/** The notice for an embedding model that failed. */
export const embeddingFailure = (failure: ModelFailure, embedder: Embedder): Notice => ({
  code: "embedding-failed",
  ...embeddingFailureWords(failure, embedder),
});

/** A store that cannot be written now can still be read. */
const openStore = (path: string): { readonly store: MemoryStore; readonly keeps: boolean } =>
  openOr<ReturnType<typeof openStore>>(
    () => ({ store: openMemory(path, "write"), keeps: true }),
    () => ({ store: openMemory(path, "read"), keeps: false }),
  );

/** The same for vectors of the index; null if they cannot be read either, because search works without them. */
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

/** `open`, or `otherwise` if the disk or another process prevents it. */
function openOr<T>(open: () => T, otherwise: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof Failed) || !["io", "locked"].includes(error.failure.code)) throw error;
    return otherwise();
  }
}
