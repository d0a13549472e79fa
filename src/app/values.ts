/**
 * Hands the making of values its edges: the store, the models where they are set, the log of their calls, chance.
 *
 * Invariant: where nothing is remembered, nothing is made. Not here: which values there are (`recall/values/find-values.ts`).
 */
import { existsSync } from "node:fs";
import type { Settings } from "../config/keys.ts";
import type { DataPaths } from "../db/data-folder/paths.ts";
import { openMemory } from "../db/memory/open-store.ts";
import type { MemoryStore } from "../db/memory/store.ts";
import { openRawLog } from "../db/raw-log/open-raw-log.ts";
import { redactedLog } from "../db/raw-log/redacted.ts";
import type { Notice } from "../failure.ts";
import { openFence } from "../judgement/fence.ts";
import type { Model } from "../llm/model.ts";
import { modelFailureWords } from "../llm/model-failure.ts";
import type { Value } from "../memory/experience.ts";
import { embedValues, findValues } from "../recall/values/find-values.ts";
import { labelValues } from "../recall/values/label-clusters.ts";
import type { Redactor } from "../secrets/redactor.ts";
import { openTokenCounter } from "../text/tokens/tokens.ts";
import type { Environment } from "./app-types.ts";
import { openEmbedder, openModel, sendingNotice } from "./open-model.ts";
import { embeddingFailure } from "./open-searcher.ts";
import { guardedEmbedder, guardedModel } from "./redaction.ts";

export type ValuesRequest = {
  readonly onNotice: (notice: Notice) => void;
  readonly onProgress: (step: { readonly phase: string; readonly done: number; readonly total: number | null }) => void;
};

/** `experiences` that have ended, `vectorsBy` the model that gave the vectors, null for the words; `worded` by the model. */
export type ValuesSummary = {
  readonly values: readonly Value[];
  readonly experiences: number;
  readonly vectorsBy: string | null;
  readonly worded: number;
};

type ValuesWorld = {
  readonly paths: DataPaths;
  readonly settings: Settings;
  readonly redactor: Redactor;
  readonly variables: Environment["variables"];
};

/** Makes all values anew and stores them. Throws a usage failure for a server that may not be asked. */
export async function rebuildValues(
  { paths, settings, redactor, variables }: ValuesWorld,
  { onNotice, onProgress }: ValuesRequest,
  signal: AbortSignal,
): Promise<ValuesSummary> {
  const { embedding_model, model: named } = settings;
  const embedder =
    embedding_model === null ? null : guardedEmbedder(await openEmbedder(embedding_model, settings), redactor);
  const model = named === null ? null : guardedModel(await openModel(named, settings, variables), redactor);
  if (!existsSync(paths.memory)) return { values: [], experiences: 0, vectorsBy: null, worded: 0 };
  const sending = embedder === null && model === null ? null : sendingNotice(settings, "memory");
  const store = openMemory(paths.memory, "write");
  try {
    if (sending !== null && store.counts().experiences > 0) onNotice(sending);
    const found = await findValues(
      {
        store,
        embedder,
        pause: () => new Promise((resolve) => setImmediate(resolve)),
        onProgress: (phase, done, total) => onProgress({ phase, done, total }),
      },
      signal,
    );
    if (embedder !== null && found.failure !== null) onNotice(embeddingFailure(found.failure, embedder));
    const { values, worded } =
      model === null
        ? { values: found.values, worded: 0 }
        : await inWordsOf(model, found.values, { store, paths, redactor, onNotice, onProgress }, signal);
    store.replaceValues(values);
    const isByModel = embedder !== null && found.failure === null;
    if (isByModel) {
      const embedded = await embedValues(store, embedder, signal);
      if (!embedded.ok) onNotice(embeddingFailure(embedded.failure, embedder));
    }
    return {
      values: store.values(),
      experiences: found.experiences,
      vectorsBy: isByModel ? embedder.name : null,
      worded,
    };
  } finally {
    store.close();
  }
}

type Wording = ValuesRequest & Omit<ValuesWorld, "settings" | "variables"> & { readonly store: MemoryStore };

async function inWordsOf(
  model: Model,
  values: readonly Value[],
  { store, paths, redactor, onNotice, onProgress }: Wording,
  signal: AbortSignal,
): Promise<{ readonly values: readonly Value[]; readonly worded: number }> {
  if (values.length === 0) return { values, worded: 0 };
  const counter = await openTokenCounter("o200k_base", { margin: 0, remember: false });
  const log = redactedLog(openRawLog(paths.raw, onNotice), redactor);
  try {
    const result = await labelValues(
      values,
      {
        model,
        counter,
        fence: openFence(crypto.randomUUID()),
        experiencesById: (ids) => store.experiencesById(ids),
        onCall: (record) => log.appendModelCall(null, record),
        onProgress: (done, total) => onProgress({ phase: "word", done, total }),
        nowMs: () => performance.now(),
        nowIso: () => new Date().toISOString(),
      },
      signal,
    );
    const { unworded, failure } = result;
    if (failure !== null) onNotice({ code: "values-unworded", values: unworded, ...modelFailureWords(failure, model) });
    return result;
  } finally {
    log.close();
  }
}
