/**
 * Hands enrichment its edges: the index, the log, the model; and promotes what is in the log.
 *
 * The index is opened for a moment at a time, never for the whole run: a run takes hours on a large repository, and an
 * open reader would keep an index run from sealing what it wrote.
 */

import { type Promoted, promoteInto } from "../db/curated/file-metadata.ts";
import type { KnowledgeBase } from "../db/curated/knowledge-base.ts";
import { openKnowledgeBase } from "../db/curated/open-knowledge-base.ts";
import { redactedIndex } from "../db/curated/redacted.ts";
import type { DataPaths } from "../db/data-folder/paths.ts";
import { openRawLog } from "../db/raw-log/open-raw-log.ts";
import type { RawLog } from "../db/raw-log/raw-log.ts";
import { redactedLog } from "../db/raw-log/redacted.ts";
import { type IndexLock, takeIndexLock } from "../db/sqlite/lock.ts";
import { fewestFailuresFirst, inAskingOrder } from "../enrichment/choose-files.ts";
import type { Content } from "../enrichment/contents.ts";
import { type EnrichStep, enrichFiles, STAGE } from "../enrichment/enrich-files.ts";
import { knownFrom } from "../enrichment/known.ts";
import { materialsOf } from "../enrichment/material.ts";
import { Failed, type Failure, type Notice } from "../failure.ts";
import { openFence } from "../judgement/fence.ts";
import type { Model, ModelFailure } from "../llm/model.ts";
import { type ModelFailureWords, modelFailureSentence, modelFailureWords } from "../llm/model-failure.ts";
import type { Redactor } from "../secrets/redactor.ts";
import { openTokenCounter } from "../text/tokens/tokens.ts";
import type { Environment } from "./app-types.ts";

/** What to do. `limit`: the most files to ask about; null for all. */
export type EnrichWish = { readonly promote: boolean; readonly limit: number | null };

/** What became of one file; `why` it failed is null when it did not. */
export type EnrichProgress = {
  readonly path: string;
  readonly done: number;
  readonly total: number;
  readonly why: string | null;
};

/** What a run did. Counts of files: `files` those a model is asked about at all, `left` those without an answer yet. */
export type EnrichSummary = {
  readonly model: string | null;
  readonly files: number;
  readonly answeredBefore: number;
  readonly answered: number;
  readonly failed: readonly { readonly path: string; readonly why: string }[];
  /** Changed or removed while others were asked about. */
  readonly gone: number;
  readonly left: number;
  /** Null when nothing was to be promoted. */
  readonly promoted: Promoted | null;
};

type EnrichingWorld = {
  readonly root: string;
  readonly paths: DataPaths;
  /** Null: nothing is asked. */
  readonly model: Model | null;
  /** What to tell before anything is sent. */
  readonly sending: Notice | null;
  readonly redactor: Redactor;
  readonly environment: Environment;
  readonly onNotice: (notice: Notice) => void;
};

/** Another cra that indexes is waited for this long before promoting. */
const LOCK_WAIT_MS = 10_000;

/**
 * Asks about files whose content the model has not answered on, then promotes when told to. Throws `model-failed` when
 * the server or the model is gone (what was answered is kept, and promoted), `locked`, and `cancelled`, which says what
 * is kept.
 */
export async function* runEnrichment(
  world: EnrichingWorld,
  wish: EnrichWish,
  signal: AbortSignal,
): AsyncGenerator<EnrichProgress, EnrichSummary> {
  const { paths, model } = world;
  // Two at once would ask the same questions.
  const lock = model === null ? null : await takeAskingLock(world, signal);
  const log = redactedLog(openRawLog(paths.raw, world.onNotice), world.redactor);
  try {
    const files = withIndex(world, (kb) => inAskingOrder(kb.files(), kb.importerCounts()));
    const known = knownFrom(log.enrichments());
    const isAnswered = (file: Content): boolean =>
      model === null ? known.record(file) !== null : known.isAnswered(file, model.name);
    const due = fewestFailuresFirst(
      files.filter((file) => !isAnswered(file)),
      (file) => (model === null ? 0 : known.failures(file, model.name)),
    );
    const asked = due.slice(0, wish.limit ?? due.length).map(({ path, contentHash }) => ({ path, contentHash }));
    const { stoppedBy, ...outcome } =
      model === null ? NOTHING_ASKED : yield* askAbout(world, model, log, asked, signal);
    const left = due.length - outcome.answered - outcome.gone;
    const promoted = wish.promote ? await promote(world, log, signal).catch(saying(outcome.answered)) : null;
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

/** Takes the right to ask about these files. Throws `locked`. */
async function takeAskingLock({ paths, environment }: EnrichingWorld, signal: AbortSignal): Promise<IndexLock> {
  try {
    return await takeIndexLock(paths.enriching, holderIn(environment), 0, signal);
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.code !== "locked") throw error;
    throw new Failed({ ...error.failure, doing: "is asking a model about these files" }, { cause: error });
  }
}

const holderIn = ({ pid, host }: Environment) => ({ pid, host, startedAt: new Date().toISOString() });

type Asked = Pick<EnrichSummary, "answered" | "failed" | "gone"> & { readonly stoppedBy: ModelFailureWords | null };
const NOTHING_ASKED: Asked = { answered: 0, failed: [], gone: 0, stoppedBy: null };

async function* askAbout(
  world: EnrichingWorld,
  model: Model,
  log: RawLog,
  contents: readonly Content[],
  signal: AbortSignal,
): AsyncGenerator<EnrichProgress, Asked> {
  const counter = await openTokenCounter("o200k_base", { margin: 0, remember: false });
  let kept = 0;
  const append = ({ path, contentHash }: Content, output: string): void =>
    log.appendEnrichment({ path, contentHash, model: model.name, output, createdAt: new Date().toISOString() });
  const asking = enrichFiles(
    contents,
    {
      model,
      counter,
      fence: openFence(crypto.randomUUID()),
      read: (group) => withIndex(world, (kb) => materialsOf(kb, group)),
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
  const next = () => asking.next().catch((error: unknown) => saying(kept)(error));
  let isSaid = world.sending === null;
  let step = await next();
  while (!step.done) {
    if (!isSaid && world.sending !== null && step.value.kind === "asking") {
      world.onNotice(world.sending);
      isSaid = true;
    }
    yield progressOf(step.value, model);
    step = await next();
  }
  const { answered, failed, gone, stoppedBy } = step.value;
  return {
    answered,
    gone,
    failed: failed.map(({ path, failure }) => ({ path, why: said(failure, model) })),
    stoppedBy: stoppedBy === null ? null : modelFailureWords(stoppedBy, model),
  };
}

/** Throws the error on; that of a run that was stopped says how much is kept. */
const saying =
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
  why: step.kind === "failed" ? said(step.failure, model) : null,
});

/** Promotes the newest record of every file that has one. */
async function promote({ paths, environment }: EnrichingWorld, log: RawLog, signal: AbortSignal): Promise<Promoted> {
  const known = knownFrom(log.enrichments());
  const lock = await takeIndexLock(paths.lock, holderIn(environment), LOCK_WAIT_MS, signal);
  try {
    return promoteInto(paths.curated, (file) => known.record(file));
  } finally {
    lock.release();
  }
}

function withIndex<T>({ root, paths, redactor }: EnrichingWorld, use: (kb: KnowledgeBase) => T): T {
  const kb = redactedIndex(openKnowledgeBase(paths.curated, root), redactor);
  try {
    return use(kb);
  } finally {
    kb.close();
  }
}

const said = (failure: ModelFailure, model: Model): string => modelFailureSentence(failure, model);

const areFiles = (count: number): string => (count === 1 ? "1 file is" : `${count} files are`);

/** Why a run ended before all was asked, and that nothing is lost. */
function stopped({ why, next }: ModelFailureWords, { answered, left, promoted }: Done): Failure {
  const parts = [
    ...(answered === 0 ? [] : [`${areKept(answered)}, ${areFiles(left)} left`]),
    ...(promoted === null || promoted.files === 0
      ? []
      : [`${areFiles(promoted.files)} promoted, ${promoted.changed} of them new`]),
  ];
  return { code: "model-failed", stage: STAGE, why: [why, ...parts].join("; "), next };
}

type Done = Pick<EnrichSummary, "answered" | "left" | "promoted">;
