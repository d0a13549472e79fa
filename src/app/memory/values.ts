/** Recomputes the values of all experiences: clusters them, has the model label the clusters, and stores the result. */
import { existsSync } from "node:fs";
import { nextTurn } from "../../concurrency/next-turn.ts";
import { openMemory } from "../../db/memory/open-store.ts";
import type { EntrySearch } from "../../db/memory/store.ts";
import { openRawLog } from "../../db/raw-log/open-raw-log.ts";
import { redactedLog } from "../../db/raw-log/redacted.ts";
import { openFence } from "../../judgement/fence.ts";
import type { ModelSource } from "../../llm/model.ts";
import { modelFailureWords } from "../../llm/model-failure.ts";
import type { Value } from "../../memory/experience.ts";
import { embedValues, findValues } from "../../recall/values/find-values.ts";
import { labelValues } from "../../recall/values/label-clusters.ts";
import { openTokenCounter } from "../../text/tokens/tokens.ts";
import type { Reporting } from "../workspace/environment.ts";
import { openEmbedder, openModel, sendingNotice } from "../workspace/open-model.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { embeddingFailure } from "./open-searcher.ts";

/** `experiences` have an outcome; `vectorsBy` is the embedding model, null for words; the model labelled `worded`. */
export type ValuesSummary = {
  readonly values: readonly Value[];
  readonly experiences: number;
  readonly vectorsBy: string | null;
  readonly worded: number;
};

/** Stores nothing where there is no memory. Throws a usage failure for a server that may not be asked. */
export async function rebuildValues(
  workspace: Workspace,
  { onNotice, onProgress }: Reporting,
  signal: AbortSignal,
): Promise<ValuesSummary> {
  const { paths, config } = workspace;
  const { embedding_model, model: modelName } = config.settings;
  const source = embedding_model === null ? null : await openEmbedder(workspace, embedding_model);
  const model = modelName === null ? null : await openModel(workspace, modelName);
  if (!existsSync(paths.memory)) return { values: [], experiences: 0, vectorsBy: null, worded: 0 };
  const sending = source === null && model === null ? null : sendingNotice(config.settings, "memory");
  const store = openMemory(paths.memory, "write");
  try {
    if (sending !== null && store.counts().experiences > 0) onNotice(sending);
    const embedder = source === null || store.counts().experiences === 0 ? null : await source.open(signal);
    const found = await findValues(
      {
        store,
        embedder,
        pause: () => nextTurn(),
        onProgress: (phase, done, total) => onProgress({ phase, done, total }),
      },
      signal,
    );
    if (embedder !== null && found.failure !== null) onNotice(embeddingFailure(found.failure, embedder));
    const { values, worded } =
      model === null
        ? { values: found.values, worded: 0 }
        : await labelWith(model, found.values, { ...workspace, store, onNotice, onProgress }, signal);
    store.replaceValues(values);
    if (embedder !== null && found.failure === null) {
      const embedded = await embedValues(store, embedder, signal);
      if (!embedded.ok) onNotice(embeddingFailure(embedded.failure, embedder));
    }
    return {
      values: store.values(),
      experiences: found.experiences,
      vectorsBy: found.failure === null ? (source?.name ?? null) : null,
      worded,
    };
  } finally {
    store.close();
  }
}

type LabelDeps = Reporting & Pick<Workspace, "paths" | "redactor"> & { readonly store: EntrySearch };

async function labelWith(
  source: ModelSource,
  values: readonly Value[],
  { store, paths, redactor, onNotice, onProgress }: LabelDeps,
  signal: AbortSignal,
): Promise<{ readonly values: readonly Value[]; readonly worded: number }> {
  if (values.length === 0) return { values, worded: 0 };
  const opened = await source.open(signal);
  if (!opened.ok) {
    const words = modelFailureWords(opened.failure, source);
    onNotice({ code: "values-unworded", values: values.length, ...words });
    return { values, worded: 0 };
  }
  const { model } = opened;
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
