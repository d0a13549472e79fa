/** Runs the jobs of `protocol.ts` with an app. Keeps the newest finished round for later jobs about it. */

import type { App } from "../../app/app.ts";
import type { RetrieveResult } from "../../app/retrieval/retrieve.ts";
import type { RetrieveRequest } from "../../app/retrieval/retrieve-request.ts";
import type { AppRequest } from "../../app/workspace/environment.ts";
import { Failed } from "../../failure.ts";
import { modelStatusWords } from "../../present/model-check-report.ts";
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import { readRefinement } from "../../retrieval/requests/read-refinement.ts";
import { mergeConstraints, NO_CONSTRAINTS } from "../../retrieval/requests/refinement.ts";
import { shownEntry } from "../../store/stored-entries.ts";
import type { Round } from "../state/review-state.ts";
import { grouped } from "../styling/numbers.ts";
import { previewChange } from "./dry-run.ts";
import { fileHandlers } from "./file-jobs.ts";
import { roundOf } from "./finished-round.ts";
import { type HandlerContext, withStoredIndex } from "./handler-context.ts";
import type { JobHandlers, KnownIndex, OpenHandlers, RunProgress, WorkerSetup } from "./protocol.ts";
import { sessionHandlers, sessionsOf } from "./sessions.ts";

const HISTORY_MAX = 500;
/** Events are sent in batches, one per frame. */
const BATCH_MS = 16;
/** Pause before the index is written again that another process is writing. */
const LOCKED_MS = 250;

const REQUEST_SOURCE = { typed: false, file: "the request" } as const;

/**
 * `open` opens the app, is called again after it failed, and opens another one to index behind a first answer. `taskId` is the task whose
 * newest round serves jobs before any round has finished here; null for none.
 */
export function openHandlers(
  setup: WorkerSetup,
  open: (request: AppRequest) => Promise<App>,
  taskId: string | null,
): OpenHandlers {
  let opening: Promise<App> | null = null;
  const openOnce = (): Promise<App> => {
    opening ??= open(setup.request).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  const openOther = () => open(setup.request);
  const context: HandlerContext = { openApp: openOnce, openOther, newest: null, names: null, taskId };
  return {
    handlers: {
      ...indexHandlers(context),
      ...roundHandlers(context, setup),
      ...sessionHandlers(context.openApp),
      ...fileHandlers(context),
    },
    async close() {
      if (opening !== null) (await opening).close();
    },
  };
}

function indexHandlers(context: HandlerContext): Pick<JobHandlers, "home" | "knownIndex" | "index"> {
  return {
    async home(_input, _onProgress, signal) {
      const app = await context.openApp();
      const home = { sessions: await sessionsOf(app), history: app.earlierTasks(HISTORY_MAX) };
      const model = await app.modelStatus({ asks: false }, signal);
      return model === null ? home : { ...home, model: modelStatusWords(model) };
    },
    async knownIndex(_input, _onProgress, signal) {
      return await withStoredIndex(context, (app) => indexOf(app, "unknown", signal));
    },
    async index(_input, onProgress, signal) {
      return await withStoredIndex(context, async (app) => {
        await unlocked(() => app.index({ failFast: false, rebuild: false, onProgress }, signal));
        context.names = null;
        return await indexOf(app, "ready", signal);
      });
    },
  };
}

/** Repeats what another process keeps from writing, until that one is done. */
async function unlocked(write: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await write();
      return;
    } catch (error) {
      if (!(error instanceof Failed) || error.failure.code !== "locked") throw error;
      await new Promise((resume) => setTimeout(resume, LOCKED_MS));
    }
  }
}

type RoundJob = "retrieve" | "refine" | "returnTo" | "resume" | "dryRun" | "rememberTask" | "render";

function roundHandlers(context: HandlerContext, setup: WorkerSetup): Pick<JobHandlers, RoundJob> {
  const { openApp, taskId: firstTask } = context;
  const toRound = async (result: RetrieveResult): Promise<Round> => {
    context.newest = result;
    return await roundOf(result, await openApp(), setup.locationFlags);
  };
  const newestRound = async (signal: AbortSignal): Promise<RetrieveResult | null> => {
    if (context.newest === null && firstTask !== null)
      context.newest = (await (await openApp()).reopen(firstTask, signal)).round;
    return context.newest;
  };
  return {
    async retrieve({ task, request, budget, coverage }, onProgress, signal) {
      const app = await openApp();
      const onRefresh: RetrieveRequest["onRefresh"] = (step) => onProgress({ step });
      context.names = null;
      const settings = {
        ...app.config.settings,
        ...(budget === null ? {} : { budget, context_window: null, reserved_tokens: null }),
        ...(coverage === null ? {} : { coverage }),
      };
      const constraints = mergeConstraints(NO_CONSTRAINTS, readRefinement(request, REQUEST_SOURCE));
      const options = { ...setup.taskOptions, task, settings, hintPaths: [], hintSymbols: [], constraints };
      return await toRound(
        await runPipeline(
          app.retrieve({ ...options, quick: "if-large", strict: false, onRefresh }, signal),
          app,
          onProgress,
          signal,
        ),
      );
    },
    async refine({ taskId, request, budget, coverage, standing }, onProgress, signal) {
      const app = await openApp();
      context.names = null;
      const { refresh } = setup.taskOptions;
      const options = {
        taskId,
        request: readRefinement(request, REQUEST_SOURCE),
        budget,
        coverage,
        refresh,
        ...(standing === undefined ? {} : { standing }),
      };
      const onRefresh: RetrieveRequest["onRefresh"] = (step) => onProgress({ step });
      return await toRound(
        await runPipeline(app.refine({ ...options, quick: "if-large", onRefresh }, signal), app, onProgress, signal),
      );
    },
    async returnTo({ taskId, round, request, budget, coverage }, onProgress, signal) {
      const app = await openApp();
      const { refresh } = setup.taskOptions;
      const asked = { taskId, round, request: readRefinement(request, REQUEST_SOURCE), budget, coverage, refresh };
      const onRefresh: RetrieveRequest["onRefresh"] = (step) => onProgress({ step });
      return await toRound(
        await runPipeline(app.returnTo({ ...asked, quick: "if-large", onRefresh }, signal), app, onProgress, signal),
      );
    },
    async resume({ taskId: typed, round: wanted }, _onProgress, signal) {
      const { taskId, task, round } = await (await openApp()).reopen(typed, signal, wanted);
      return { taskId, task, round: round === null ? null : await toRound(round) };
    },
    async dryRun({ rejecting, request, budget, coverage }, _onProgress, signal) {
      const round = await newestRound(signal);
      return round === null ? null : await previewChange(round, { request, budget, coverage }, rejecting, signal);
    },
    async rememberTask({ taskId, hypothesis }) {
      const { memory } = await openApp();
      const draft = { type: "experience" as const, iterations: [{ hypothesis }] };
      const { entry, status } = await memory.rememberTask(taskId, draft);
      return { id: entry.id, status };
    },
    render: async (format, _onProgress, signal) => (await (await newestRound(signal))?.render(format)) ?? null,
  };
}

/** Runs a pipeline to its end and sends its events in batches, and what the model's server is, if the pipeline asked it. */
async function runPipeline(
  pipeline: AsyncGenerator<PipelineEvent, RetrieveResult>,
  app: App,
  onProgress: (progress: RunProgress) => void,
  signal: AbortSignal,
): Promise<RetrieveResult> {
  let batch: PipelineEvent[] = [];
  let since = app.nowMs();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let hasAsked = false;
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (batch.length > 0) onProgress({ events: batch });
    batch = [];
    since = app.nowMs();
  };
  // A hint is for those who do not know yet; later it would be noise.
  const isFirstRun = app.earlierTasks(1).length === 0;
  try {
    let step = await pipeline.next();
    while (!step.done) {
      hasAsked ||= step.value.event === "judgement_started";
      const isHint = step.value.event === "notice" && step.value.code === "enrichment-missing";
      // The package is part of the result.
      if (step.value.event !== "package" && (isFirstRun || !isHint)) batch.push(step.value);
      // The next event after the start of a stage, or while a model answers, may take a while.
      if (step.value.event.startsWith("stage_") || app.nowMs() - since >= BATCH_MS) flush();
      else timer ??= setTimeout(flush, BATCH_MS);
      step = await pipeline.next();
    }
    const model = hasAsked ? await app.modelStatus({ asks: true }, signal) : null;
    if (model !== null) onProgress({ model: modelStatusWords(model) });
    return step.value;
  } finally {
    flush();
  }
}

const MISSING: KnownIndex = { status: "missing", files: null, headline: "not built yet; the first run builds it" };

/** `several` is the state where several repositories are asked, each of which has an index of its own. */
async function indexOf(app: App, several: KnownIndex["status"], signal: AbortSignal): Promise<KnownIndex> {
  const repos = app.config.settings["workspace.repos"];
  if (repos.length > 0) {
    const headline = `of ${repos.map(shownEntry).join(", ")}; each run brings them up to date`;
    return { status: several, files: null, headline };
  }
  if (!app.isIndexed()) return MISSING;
  const { index, stale } = await app.status(signal);
  if (index === null) return MISSING;
  const { files, symbols } = index.counts;
  const age = stale === null ? "up to date" : `the next run updates it: ${stale}`;
  return { status: "ready", files, headline: `${grouped(symbols)} symbols, ${age}` };
}
