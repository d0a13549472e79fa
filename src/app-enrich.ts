/**
 * Hands enrichment its edges: the index, the log, the model; and promotes what is in the log.
 *
 * The index is opened for a moment at a time, never for the whole run: a run takes hours on a large repository, and an
 * open reader would keep an index run from sealing what it wrote.
 */
import type { Environment } from "./app-types.ts";
import type { KnowledgeBase } from "./db/curated.ts";
import { type Promoted, promoteInto } from "./db/curated-metadata.ts";
import { openKnowledgeBase } from "./db/knowledge-base.ts";
import { takeIndexLock } from "./db/lock.ts";
import type { DataPaths } from "./db/paths.ts";
import { openRawLog, type RawLog } from "./db/raw-log.ts";
import type { Content } from "./enrichment/contents.ts";
import { type EnrichStep, enrichFiles, STAGE } from "./enrichment/enrich-files.ts";
import { knownFrom } from "./enrichment/known.ts";
import { materialsOf } from "./enrichment/material.ts";
import { inAskingOrder } from "./enrichment/which-files.ts";
import { Failed, type Failure, type Notice } from "./failure.ts";
import { openFence } from "./judgement/fence.ts";
import type { Model, ModelFailure } from "./model/model.ts";
import { modelFailureSentence, modelFailureWords } from "./model/model-failure.ts";
import { openTokenCounter } from "./text/tokens.ts";

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
  readonly environment: Environment;
  readonly onNotice: (notice: Notice) => void;
};

/** Another cra that indexes is waited for this long before promoting. */
const LOCK_WAIT_MS = 10_000;

/**
 * Asks about files whose content the model has not answered on, then promotes when told to. Throws `model-failed` when
 * the server or the model is gone (what was answered is kept), `locked`, and the signal's reason.
 */
export async function* runEnrichment(
  world: EnrichingWorld,
  wish: EnrichWish,
  signal: AbortSignal,
): AsyncGenerator<EnrichProgress, EnrichSummary> {
  const { paths, model } = world;
  const log = openRawLog(paths.raw, world.onNotice);
  try {
    const files = withIndex(world, (kb) => inAskingOrder(kb.files(), kb.importerCounts()));
    const known = knownFrom(log.enrichments());
    const isAnswered = (file: Content): boolean =>
      model === null ? known.record(file) !== null : known.isAnswered(file, model.name);
    const due = files.filter((file) => !isAnswered(file));
    const asked = due.slice(0, wish.limit ?? due.length).map(({ path, contentHash }) => ({ path, contentHash }));
    const outcome = model === null ? NOTHING_ASKED : yield* askAbout(world, model, log, asked, signal);
    return {
      model: model?.name ?? null,
      files: files.length,
      answeredBefore: files.length - due.length,
      ...outcome,
      left: due.length - outcome.answered - outcome.gone,
      promoted: wish.promote ? await promote(world, log, signal) : null,
    };
  } finally {
    log.close();
  }
}

type Asked = Pick<EnrichSummary, "answered" | "failed" | "gone">;
const NOTHING_ASKED: Asked = { answered: 0, failed: [], gone: 0 };

async function* askAbout(
  world: EnrichingWorld,
  model: Model,
  log: RawLog,
  contents: readonly Content[],
  signal: AbortSignal,
): AsyncGenerator<EnrichProgress, Asked> {
  const counter = await openTokenCounter("o200k_base", { margin: 0, remember: false });
  const asking = enrichFiles(
    contents,
    {
      model,
      counter,
      fence: openFence(crypto.randomUUID()),
      read: (group) => withIndex(world, (kb) => materialsOf(kb, group)),
      keep: ({ path, contentHash }, output) =>
        log.appendEnrichment({
          path,
          contentHash,
          model: model.name,
          output,
          createdAt: new Date().toISOString(),
        }),
      onCall: (record) => log.appendModelCall(null, record),
      nowMs: () => performance.now(),
      nowIso: () => new Date().toISOString(),
    },
    signal,
  );
  let step = await asking.next();
  while (!step.done) {
    yield progressOf(step.value, model);
    step = await asking.next();
  }
  const { answered, failed, gone, stoppedBy } = step.value;
  if (stoppedBy !== null) throw new Failed(stopped(stoppedBy, answered, contents.length - answered, model));
  return { answered, gone, failed: failed.map(({ path, failure }) => ({ path, why: said(failure, model) })) };
}

const progressOf = (step: EnrichStep, model: Model): EnrichProgress => ({
  path: step.path,
  done: step.done,
  total: step.total,
  why: step.kind === "failed" ? said(step.failure, model) : null,
});

/** Promotes the newest record of every file that has one. */
async function promote({ paths, environment }: EnrichingWorld, log: RawLog, signal: AbortSignal): Promise<Promoted> {
  const known = knownFrom(log.enrichments());
  const holder = { pid: environment.pid, host: environment.host, startedAt: new Date().toISOString() };
  const lock = await takeIndexLock(paths.lock, holder, LOCK_WAIT_MS, signal);
  try {
    return promoteInto(paths.curated, (file) => known.record(file));
  } finally {
    lock.release();
  }
}

function withIndex<T>({ root, paths }: EnrichingWorld, use: (kb: KnowledgeBase) => T): T {
  const kb = openKnowledgeBase(paths.curated, root);
  try {
    return use(kb);
  } finally {
    kb.close();
  }
}

const said = (failure: ModelFailure, model: Model): string => modelFailureSentence(failure, model);

/** Why a run ended before all was asked, and that nothing is lost. */
function stopped(failure: ModelFailure, answered: number, left: number, model: Model): Failure {
  const { why, next } = modelFailureWords(failure, model);
  const kept = answered === 0 ? "" : `; ${answered} answers are kept, ${left} files are left for the next run`;
  return { code: "model-failed", stage: STAGE, why: `${why}${kept}`, next };
}
