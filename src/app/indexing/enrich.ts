/**
 * Asks a model about files that it has not described yet, and copies its answers from the log into the index.
 *
 * The index is opened for a moment at a time: a run takes hours on a large repository, and an open reader would keep an
 * index run from writing its checksum.
 */

import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import { openKnowledgeBase } from "../../db/curated/open-knowledge-base.ts";
import { redactedIndex } from "../../db/curated/redacted.ts";
import { type Promoted, promoteInto } from "../../db/curated/write/file-metadata.ts";
import { openRawLog } from "../../db/raw-log/open-raw-log.ts";
import type { LogReader, LogWriter } from "../../db/raw-log/raw-log.ts";
import { redactedLog } from "../../db/raw-log/redacted.ts";
import { type IndexLock, takeIndexLock } from "../../db/sqlite/lock.ts";
import { fewestFailuresFirst, inAskingOrder } from "../../enrichment/choose-files.ts";
import { type EnrichStep, enrichFiles, STAGE } from "../../enrichment/enrich-files.ts";
import { loggedAnswers } from "../../enrichment/logged-answers.ts";
import { type Content, materialsOf } from "../../enrichment/material.ts";
import { Failed, type Failure } from "../../failure.ts";
import { openFence } from "../../judgement/fence.ts";
import type { Model, ModelSource } from "../../llm/model.ts";
import { type ModelFailureWords, modelFailureSentence, modelFailureWords } from "../../llm/model-failure.ts";
import type { Notice } from "../../notice.ts";
import { openTokenCounter } from "../../text/tokens/tokens.ts";
import { lockHolder, type OnProgress } from "../workspace/environment.ts";
import { fenceTokens } from "../workspace/fence-secret.ts";
import { openModel, sendingNotice } from "../workspace/open-model.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { LOCK_WAIT_MS } from "./indexing-deps.ts";
import { refresh } from "./refresh-index.ts";

/** The model is that of the settings; without one nothing is asked. `limit` bounds the files asked about; null for all. */
export type EnrichRequest = {
  readonly promote: boolean;
  readonly limit: number | null;
  readonly onNotice: (notice: Notice) => void;
  readonly onRefresh: OnProgress;
};

/** One file is done; `why` it failed is null when it was answered. */
export type EnrichProgress = {
  readonly path: string;
  readonly done: number;
  readonly total: number;
  readonly why: string | null;
};

/** Counts of files: `files` are those a model is asked about at all, `left` those without an answer yet. */
export type EnrichSummary = {
  readonly model: string | null;
  readonly files: number;
  readonly answeredBefore: number;
  readonly answered: number;
  readonly failed: readonly { readonly path: string; readonly why: string }[];
  /** Changed or removed during the run. */
  readonly gone: number;
  readonly left: number;
  /** Null without `promote`. */
  readonly promoted: Promoted | null;
};

/** A run's workspace, with the model to ask (null: none) and the notice to show before anything is sent. */
type Run = Workspace & { readonly model: ModelSource | null; readonly sending: Notice | null };

/**
 * Refreshes the index, asks about files whose content the model has not described, then promotes if requested. Throws
 * `model-failed` when the server or the model is gone (answers are kept, and promoted), `locked`, and `cancelled`, which
 * says what is kept.
 */
export async function* enrich(
  workspace: Workspace,
  request: EnrichRequest,
  signal: AbortSignal,
): AsyncGenerator<EnrichProgress, EnrichSummary> {
  const { onNotice, onRefresh } = request;
  const { settings } = workspace.config;
  const model = settings.model === null ? null : await openModel(workspace, settings.model);
  const sending = model === null ? null : sendingNotice(settings);
  const { notices } = await refresh(workspace, onRefresh, signal);
  for (const notice of notices) onNotice(notice);
  workspace.index.close();
  return yield* askAndPromote({ ...workspace, model, sending, onNotice }, request, signal);
}

async function* askAndPromote(
  run: Run,
  { limit, promote: promotes }: EnrichRequest,
  signal: AbortSignal,
): AsyncGenerator<EnrichProgress, EnrichSummary> {
  const { paths, model } = run;
  // Two at once would ask the same questions.
  const lock = model === null ? null : await takeAskingLock(run, signal);
  const log = redactedLog(openRawLog(paths.raw, run.onNotice), run.redactor);
  try {
    const files = withIndex(run, (kb) => inAskingOrder(kb.storedFiles(), kb.importerCounts()));
    const logged = loggedAnswers(log.enrichments());
    const isAnswered = (file: Content): boolean =>
      model === null ? logged.record(file) !== null : logged.isAnswered(file, model.name);
    const due = fewestFailuresFirst(
      files.filter((file) => !isAnswered(file)),
      (file) => (model === null ? 0 : logged.failures(file, model.name)),
    );
    const asked = due.slice(0, limit ?? due.length).map(({ path, contentHash }) => ({ path, contentHash }));
    const { stoppedBy, ...outcome } = model === null ? NOTHING_ASKED : yield* askAbout(run, model, log, asked, signal);
    const left = due.length - outcome.answered - outcome.gone;
    const promoted = promotes ? await promote(run, log, signal).catch(withKept(outcome.answered)) : null;
    if (stoppedBy !== null) throw new Failed(stopped(stoppedBy, { answered: outcome.answered, left, promoted }));
    return {
      model: model?.name ?? null,
      files: files.length,
      answeredBefore: files.length - due.length,
      ...outcome,
      left,
      promoted,
    };
  } finally {
    log.close();
    lock?.release();
  }
}

/** Throws `locked` while another cra asks a model about these files. */
async function takeAskingLock({ paths, environment }: Run, signal: AbortSignal): Promise<IndexLock> {
  try {
    return await takeIndexLock(paths.enriching, lockHolder(environment), 0, signal);
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.code !== "locked") throw error;
    throw new Failed({ ...error.failure, doing: "is asking a model about these files" }, { cause: error });
  }
}

type Asked = Pick<EnrichSummary, "answered" | "failed" | "gone"> & { readonly stoppedBy: ModelFailureWords | null };
const NOTHING_ASKED: Asked = { answered: 0, failed: [], gone: 0, stoppedBy: null };

async function* askAbout(
  run: Run,
  source: ModelSource,
  log: LogWriter,
  contents: readonly Content[],
  signal: AbortSignal,
): AsyncGenerator<EnrichProgress, Asked> {
  if (contents.length === 0) return NOTHING_ASKED;
  if (run.sending !== null) run.onNotice(run.sending);
  const opened = await source.open(signal);
  if (!opened.ok) return { ...NOTHING_ASKED, stoppedBy: modelFailureWords(opened.failure, source) };
  const { model } = opened;
  const counter = await openTokenCounter("o200k_base", { margin: 0, remember: false });
  let kept = 0;
  const append = ({ path, contentHash }: Content, output: string): void =>
    log.appendEnrichment({ path, contentHash, model: model.name, output, createdAt: new Date().toISOString() });
  const asking = enrichFiles(
    contents,
    {
      model,
      counter,
      fence: openFence(fenceTokens(run.environment.variables)(STAGE)),
      read: (group) => withIndex(run, (kb) => materialsOf(kb, group)),
      keep(content, output) {
        append(content, output);
        kept += 1;
      },
      keepFailure: append,
      onCall: (record) => log.appendModelCall(null, record),
      nowMs: () => performance.now(),
      nowIso: () => new Date().toISOString(),
    },
    signal,
  );
  const next = () => asking.next().catch((error: unknown) => withKept(kept)(error));
  let step = await next();
  while (!step.done) {
    yield progressOf(step.value, model);
    step = await next();
  }
  const { answered, failed, gone, stoppedBy } = step.value;
  return {
    answered,
    gone,
    failed: failed.map(({ path, failure }) => ({ path, why: modelFailureSentence(failure, model) })),
    stoppedBy: stoppedBy === null ? null : modelFailureWords(stoppedBy, model),
  };
}

/** Rethrows an error; the failure of a cancelled run says how much is kept. */
const withKept =
  (answers: number) =>
  (error: unknown): never => {
    if (answers === 0 || !(error instanceof Failed) || error.failure.code !== "cancelled") throw error;
    throw new Failed({ ...error.failure, kept: areKept(answers) }, { cause: error });
  };

const areKept = (answers: number): string => (answers === 1 ? "1 answer is kept" : `${answers} answers are kept`);

const progressOf = (step: EnrichStep, model: Model): EnrichProgress => ({
  path: step.path,
  done: step.done,
  total: step.total,
  why: step.kind === "failed" ? modelFailureSentence(step.failure, model) : null,
});

/** Promotes the newest record of every file that has one. */
async function promote({ paths, environment }: Run, log: LogReader, signal: AbortSignal): Promise<Promoted> {
  const logged = loggedAnswers(log.enrichments());
  const lock = await takeIndexLock(paths.lock, lockHolder(environment), LOCK_WAIT_MS, signal);
  try {
    return promoteInto(paths.curated, (file) => logged.record(file));
  } finally {
    lock.release();
  }
}

function withIndex<T>({ root, paths, redactor }: Run, use: (kb: KnowledgeBase) => T): T {
  const kb = redactedIndex(openKnowledgeBase(paths.curated, root), redactor);
  try {
    return use(kb);
  } finally {
    kb.close();
  }
}

const areFiles = (count: number): string => (count === 1 ? "1 file is" : `${count} files are`);

/** Why a run ended early, and what is kept. */
function stopped(
  { why, next }: ModelFailureWords,
  { answered, left, promoted }: Pick<EnrichSummary, "answered" | "left" | "promoted">,
): Failure {
  const parts = [
    ...(answered === 0 ? [] : [`${areKept(answered)}, ${areFiles(left)} left`]),
    ...(promoted === null || promoted.files === 0
      ? []
      : [`${areFiles(promoted.files)} promoted, ${promoted.changed} of them new`]),
  ];
  return { code: "model-failed", stage: STAGE, why: [why, ...parts].join("; "), next };
}
