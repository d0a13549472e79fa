/**
 * Computes all vectors that recall searches: of memory, definitions and commits.
 *
 * Searches compute some of them each time; this computes the rest. A run that is stopped keeps its vectors, and the next
 * one continues.
 */
import { existsSync } from "node:fs";
import type { IndexTexts } from "../../db/curated/knowledge-base.ts";
import { openMemory } from "../../db/memory/open-store.ts";
import { openVectorCache } from "../../db/vectors/vector-cache.ts";
import { Failed } from "../../failure.ts";
import type { Embedder } from "../../llm/embedder.ts";
import type { ModelFailure } from "../../llm/model.ts";
import {
  dropOtherModels,
  type Embedded,
  embedIndexed,
  embedMissing,
  type IndexEmbedding,
  missingTexts,
  shrinkVectors,
} from "../../recall/search/embed.ts";
import { openQueryVectors } from "../../recall/search/query-vectors.ts";
import { withAskedIndex } from "../indexing/several-indexes.ts";
import type { Reporting } from "../workspace/environment.ts";
import { embeddingFailureWords, openEmbedder, sendingNotice } from "../workspace/open-model.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Number of texts that got a vector; `index` is null if there is no index. */
export type EmbedSummary = {
  readonly model: string;
  readonly memory: number;
  readonly index: Readonly<Record<IndexTexts, number>> | null;
};

/**
 * Embeds with the model of that name. Throws a usage failure for a server that may not be asked, `model-failed` when it
 * does not answer, what the stores throw, and the signal's reason.
 */
export async function embedAll(
  opened: Workspace,
  name: string,
  { onNotice, onProgress }: Reporting,
  signal: AbortSignal,
): Promise<EmbedSummary> {
  const workspace = await withAskedIndex(opened, opened.config.settings["workspace.repos"], signal);
  const { paths, config } = workspace;
  const index = workspace.index.opened() ?? (workspace.index.exists() ? workspace.index.open() : null);
  const source = await openEmbedder(workspace, name);
  const hasMemory = existsSync(paths.memory);
  const sending = sendingNotice(config.settings, index === null ? "memory" : hasMemory ? "all" : "index");
  if (sending !== null) onNotice(sending);
  const embedder = await source.open(signal);
  const queries = openQueryVectors(embedder, (failure) => {
    throw failed(failure, embedder);
  });
  await queries.wake(signal);
  const probe = queries.unrelated();
  const progressOf = (phase: string, total: number) => {
    onProgress({ phase, done: 0, total });
    return (done: number): void => onProgress({ phase, done, total });
  };
  const embedding: Embedding = { embedder, probe, progressOf };
  // One that asks others may have none yet.
  if (index !== null) workspace.createDataFolder();
  return {
    model: embedder.name,
    memory: hasMemory ? await embedMemory(paths.memory, embedding, signal) : 0,
    index: index === null ? null : await embedIndex({ index, path: paths.vectors }, embedding, signal),
  };
}

type Embedding = {
  readonly embedder: Embedder;
  /** A vector of the model, which shows its present length. */
  readonly probe: Float32Array | null;
  readonly progressOf: (phase: string, total: number) => (done: number) => void;
};

async function embedMemory(
  path: string,
  { embedder, probe, progressOf }: Embedding,
  signal: AbortSignal,
): Promise<number> {
  const store = openMemory(path, "write");
  try {
    dropOtherModels(store, embedder, probe ?? undefined);
    const total = store.unembedded(embedder.storedAs, Number.MAX_SAFE_INTEGER).length;
    if (total === 0) return 0;
    const onDone = progressOf("embed what is remembered", total);
    check(await embedMissing(store, embedder, total, signal, onDone), embedder);
    return total;
  } finally {
    store.close();
  }
}

async function embedIndex(
  { index, path }: { readonly index: IndexEmbedding["index"]; readonly path: string },
  { embedder, probe, progressOf }: Embedding,
  signal: AbortSignal,
): Promise<Record<IndexTexts, number>> {
  const vectors = openVectorCache(path, "write");
  try {
    vectors.mend();
    dropOtherModels(vectors, embedder, probe ?? undefined);
    const edges = { index, vectors, embedder };
    const embed = async (of: IndexTexts): Promise<number> => {
      const { ids } = missingTexts(edges, of);
      if (ids.length === 0) return 0;
      check(await embedIndexed(edges, of, ids, signal, progressOf(`embed ${of}`, ids.length)), embedder);
      return ids.length;
    };
    const done = { definitions: await embed("definitions"), commits: await embed("commits") };
    shrinkVectors(edges);
    return done;
  } finally {
    vectors.close();
  }
}

function check(embedded: Embedded, embedder: Embedder): void {
  if (!embedded.ok) throw failed(embedded.failure, embedder);
}

const failed = (failure: ModelFailure, embedder: Embedder): Failed =>
  new Failed({ code: "model-failed", stage: "embedding", ...embeddingFailureWords(failure, embedder) });
