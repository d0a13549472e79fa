/**
 * Gives all that recall looks through its vectors: what is remembered, definitions and commits.
 *
 * Searches do the same for what matters to them, some texts each time; this does the rest. What was made is kept when it
 * is stopped, and the next run goes on there. Not here: which text gets a vector (`recall/search/embed.ts`,
 * `recall/search/embed.ts`).
 */
import { existsSync } from "node:fs";
import type { IndexTexts } from "../db/curated/knowledge-base.ts";
import { openMemory } from "../db/memory/open-store.ts";
import { openVectorCache } from "../db/vectors/vector-cache.ts";
import { Failed, type Notice } from "../failure.ts";
import type { Embedder } from "../llm/embedder.ts";
import type { ModelFailure } from "../llm/model.ts";
import { modelFailureWords } from "../llm/model-failure.ts";
import {
  dropOtherDimensions,
  type Embedded,
  embedIndexed,
  embedMissing,
  type IndexEmbedding,
  missingTexts,
  shrinkVectors,
} from "../recall/search/embed.ts";
import { openQueryVectors } from "../recall/search/query-vectors.ts";
import { openEmbedder, sendingNotice } from "./open-model.ts";
import type { SearchingWorld } from "./open-searcher.ts";
import { guardedEmbedder } from "./redaction.ts";

export type EmbedRequest = {
  readonly onNotice: (notice: Notice) => void;
  readonly onProgress: (step: { readonly phase: string; readonly done: number; readonly total: number | null }) => void;
};

/** How many texts got a vector, by what they are; null for definitions and commits where there is no index. */
export type EmbedSummary = {
  readonly model: string;
  readonly memory: number;
  readonly index: Readonly<Record<IndexTexts, number>> | null;
};

type EmbeddingWorld = Pick<SearchingWorld, "path" | "vectors" | "settings" | "redactor"> & {
  /** Null where there is no index. */
  readonly index: IndexEmbedding["index"] | null;
};

/**
 * Embeds with the model that is called `name`. Throws a usage failure for a server that may not be asked, `model-failed`
 * when it does not answer, what the stores throw, and the signal's reason.
 */
export async function embedAll(
  world: EmbeddingWorld,
  name: string,
  { onNotice, onProgress }: EmbedRequest,
  signal: AbortSignal,
): Promise<EmbedSummary> {
  const { path, settings, redactor, index } = world;
  const embedder = guardedEmbedder(await openEmbedder(name, settings), redactor);
  const remembers = existsSync(path);
  const sending = sendingNotice(settings, index === null ? "memory" : remembers ? "all" : "index");
  if (sending !== null) onNotice(sending);
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
  return {
    model: embedder.name,
    memory: remembers ? await embedMemory(path, embedding, signal) : 0,
    index: index === null ? null : await embedIndex({ index, path: world.vectors }, embedding, signal),
  };
}

type Embedding = {
  readonly embedder: Embedder;
  /** A vector as the model gives them now. */
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
    dropOtherDimensions(store, embedder.name, probe ?? undefined);
    const total = store.unembedded(embedder.name, Number.MAX_SAFE_INTEGER).length;
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
    const stored = vectors.dimensions(embedder.name);
    if (stored !== null && probe !== null && stored !== probe.length) vectors.drop(embedder.name);
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

const failed = (failure: ModelFailure, { name, baseUrl }: Embedder): Failed =>
  new Failed({
    code: "model-failed",
    stage: "embedding",
    ...modelFailureWords(failure, { name, baseUrl, flag: "--embedding-model" }),
  });
