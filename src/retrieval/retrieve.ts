/**
 * Runs a task: a request in, a context package out, events on the way.
 *
 * Runs the stages in order, packs what they selected into the budget, and records the round. The same index, task,
 * options and version give the same package, byte for byte.
 */
import type { KnowledgeBase } from "../db/curated/knowledge-base.ts";
import type { Notice } from "../notice.ts";
import { NO_REDACTION, type Redactor } from "../secrets/redactor.ts";
import type { TaskQuery } from "../task/query.ts";
import type { TokenCounter } from "../text/tokens/tokens.ts";
import { findAnchors } from "./anchors/anchors.ts";
import { conceptsOf } from "./anchors/concepts.ts";
import { indexNotices } from "./index-notices.ts";
import { judgeTask } from "./judging/judge-task.ts";
import { judgementMemory } from "./judging/judgement-cache.ts";
import { openRunJudge, type RunJudge } from "./judging/run-judge.ts";
import type { RoundShown } from "./model/changes.ts";
import type { PipelineEvent } from "./model/events.ts";
import type { AskedQuestion, OpenJudge } from "./model/judging.ts";
import { noticeEvent } from "./model/notice-event.ts";
import type { Weights } from "./model/scores.ts";
import { EMPTY_SELECTION, type Selection } from "./model/selection.ts";
import type { StageInput, StageRun } from "./model/stage.ts";
import { stopIfAborted } from "./model/steps.ts";
import { withKept } from "./packing/items/kept-items.ts";
import { isNarrowed, type PackedSelection, packSelection } from "./packing/pack-selection.ts";
import { weightsFrom } from "./ranking/weights.ts";
import { type RunLog, type RunRecorder, type RunSession, recordRun } from "./record/record-run.ts";
import { type SelectingOptions, storedSelectingOptions, taskId as taskIdOf } from "./record/task-id.ts";
import { beginRound, type Round, type RoundRequest } from "./refinement/begin-round.ts";
import { shownItems } from "./refinement/changes.ts";
import { withChanges } from "./refinement/refine-round.ts";
import { refineTargets } from "./refinement/refine-targets.ts";
import type { TextRenderer } from "./render/renderer.ts";
import { analyzeAsked } from "./requests/changes-task.ts";
import { constraintsInWords, NO_CONSTRAINTS } from "./requests/refinement.ts";
import { candidateFiles } from "./scope/candidates.ts";
import { searchFor } from "./scope/search-for.ts";
import { vaguenessOf } from "./scope/vague-task.ts";

/** `openSession` opens the session of a task id; `now` gives milliseconds since the epoch. */
export type RetrieveDeps = {
  readonly kb: KnowledgeBase;
  readonly log: RunLog;
  readonly openSession: (taskId: string) => RunSession;
  readonly counter: TokenCounter;
  readonly now: () => number;
  readonly craVersion: string;
  /** Called when the request wants a model. */
  readonly openJudge: OpenJudge | null;
};

export type RetrieveRequest = SelectingOptions &
  RoundRequest & {
    readonly command: string;
    readonly task: string;
    readonly redactor?: Redactor;
    /** The renderer of the format that is printed, if it has a size of its own. */
    readonly ownText?: TextRenderer;
    /** Notices of this run alone, such as a stale index: reported and logged, but no part of the package. */
    readonly notices: readonly Notice[];
  };

/**
 * `items`, `sources`, `scorer`, `packed` and `verdicts` (on every item) say what packing weighed; `trail` and `questions`
 * what the stages and the model were given, in order. A dry run starts from them (`dry-run.ts`).
 */
export type RetrieveResult = Omit<PackedSelection, "notices"> &
  Pick<Round, "taskId" | "round" | "constraints" | "notApplied"> & {
    readonly task: TaskQuery;
    readonly selection: Selection;
    readonly notices: readonly Notice[];
    readonly trail: readonly StageRun[];
    readonly questions: readonly AskedQuestion[];
    /** The round that a further one is compared with. */
    readonly since: RoundShown | null;
  };

/** Runs a task. Throws `budget-below-floor` when the budget is too small, `cancelled` when `signal` fires. */
export async function* retrieve(
  deps: RetrieveDeps,
  request: RetrieveRequest,
  signal: AbortSignal,
): AsyncGenerator<PipelineEvent, RetrieveResult> {
  const { kb, log, now, craVersion } = deps;
  const { command, budget } = request;
  const startedAt = now();
  const { contentHash } = kb.meta();
  // Constraints that join those of earlier rounds make no other task.
  const identified = request.standing === undefined ? request : { ...request, constraints: NO_CONSTRAINTS };
  const taskId =
    request.refines?.taskId ?? taskIdOf(contentHash, request.task, storedSelectingOptions(deps, identified));
  using closing = closable(deps.openSession(taskId));
  const session = closing.value;
  const begun = beginRound({ kb, log, session }, request, taskId, startedAt);
  const { round, constraints, notApplied, dropped, kept, refined } = begun;
  const notices: Notice[] = [...indexNotices(kb.meta())];
  const runNotices: Notice[] = [
    ...request.notices,
    ...(refined?.notices ?? []),
    ...(notApplied === null
      ? []
      : [{ code: "constraints-not-applied", asked: constraintsInWords(notApplied) } as const]),
  ];
  const task = request.task.toWellFormed();
  const selecting = storedSelectingOptions(deps, { ...request, constraints });
  const options = dropped ? { ...selecting, dropped } : selecting;
  const record = recordRun(
    { log, session, now },
    { taskId, round, command, task, options, budget, contentHash, craVersion, startedAt },
    () => [...runNotices, ...notices],
  );
  const run: Run = { deps, request, session, begun, record, notices, runNotices, signal, atEnd: [] };
  try {
    const analysis = yield* analyze(run);
    const { selection: staged, trail } = yield* runStages(run, analysis);
    // A narrower coverage keeps nothing of the round before.
    const isLess = kept !== null && isNarrowed(deps, { ...analysis, selection: staged, budget }, kept);
    const keeping = isLess ? null : kept;
    const selection = keeping === null ? staged : withKept(staged, keeping, { kb, ...analysis });
    const packing = yield* packPackage(run, analysis, selection, keeping);
    const { task: query, questions } = analysis;
    const result = { ...packing, notices, taskId, round, constraints, notApplied, task: query, selection };
    return { ...result, trail, questions, since: refined?.since ?? null };
  } catch (error) {
    record.failed(error);
    throw error;
  } finally {
    for (const end of run.atEnd) end();
  }
}

/** A run on its way through the steps. */
type Run = {
  readonly deps: RetrieveDeps;
  readonly request: RetrieveRequest;
  readonly session: RunSession;
  readonly begun: Round;
  readonly record: RunRecorder;
  /** Those in the package: they follow from the index, the task, the options and the model's answers alone. */
  readonly notices: Notice[];
  readonly runNotices: Notice[];
  readonly signal: AbortSignal;
  /** What to release when the run ends. */
  readonly atEnd: (() => void)[];
};

type Analysis = Pick<StageInput, "task" | "anchors" | "files" | "symbolRequests" | "vague" | "remaining"> & {
  readonly weights: Weights;
  readonly judge: RunJudge | null;
  readonly questions: readonly AskedQuestion[];
};

/** Analyses the task and finds the candidate files and what the task names in them. */
async function* analyze(run: Run): AsyncGenerator<PipelineEvent, Analysis> {
  const { request, record, notices, runNotices, signal } = run;
  const { kb } = run.deps;
  const { taskId, round, constraints } = run.begun;
  const concepts = conceptsOf(kb);
  const errors = constraints.error_signatures;
  const background = { given: request.given, concepts, errors };
  const analyzed = analyzeAsked(
    request.task,
    background,
    constraints.changed.length > 0 || request.review !== undefined,
  );
  await stopIfAborted(signal);
  yield {
    event: "run_started",
    schema_version: 1,
    task_id: taskId,
    round,
    task_type: analyzed.taskType,
    keywords: [...analyzed.keywords],
    stages: request.stages.map((stage) => stage.name),
    budget: request.budget.tokens,
  };
  const indexed = kb.files();
  const targets = refineTargets(constraints, kb, indexed, request.review?.patches);
  const files = candidateFiles(indexed, { ...request.scope, languages: request.given.languages }, targets);
  notices.push(...targets.notices);
  if (files.length === 0) notices.push({ code: "no-candidates", indexed: indexed.length });
  yield* [...runNotices, ...notices].map(noticeEvent);
  const questions: AskedQuestion[] = [];
  const judge = openRunJudge(
    {
      openJudge: run.deps.openJudge,
      judging: request.judging,
      openMemory: () => judgementMemory(run.session, round),
      onCall: record.modelCall,
      onSending: (notice) => void runNotices.push(notice),
      onAsked: (question) => void questions.push(question),
    },
    signal,
  );
  if (judge !== null) run.atEnd.push(judge.close);
  const assistOnly = request.judging?.assistOnly ?? false;
  const found = findAnchors(analyzed, kb, files);
  const before = vaguenessOf(analyzed, found, kb, files);
  const judging = { kb, files, task: analyzed, concepts, judge, assistOnly, isVague: before !== null };
  const { task, verdicts } = yield* judgeTask(judging);
  record.judged("analysis", verdicts);
  const named = task === analyzed ? found : findAnchors(task, kb, files);
  const anchors = [...targets.anchors, ...named];
  const remaining = request.review?.remaining ?? [];
  const isAsked = targets.anchors.length + remaining.length > 0 || targets.symbolRequests.bySymbol.size > 0;
  const vague = isAsked ? null : task === analyzed ? before : vaguenessOf(task, named, kb, files);
  await stopIfAborted(signal);
  const weights = weightsFrom(request.weights, task.taskType);
  return {
    ...searchFor(task, anchors, kb, files),
    files,
    symbolRequests: targets.symbolRequests,
    vague,
    remaining,
    weights,
    judge,
    questions,
  };
}

type Staged = Pick<RetrieveResult, "selection" | "trail">;

/** Runs the stages in order, each on what the ones before selected. */
async function* runStages(run: Run, { weights, judge, ...given }: Analysis): AsyncGenerator<PipelineEvent, Staged> {
  const { request, record, notices, signal } = run;
  const { kb, now } = run.deps;
  const options = { ...request.scope, weights };
  const stageJudge = request.judging?.assistOnly ? null : judge;
  const pause = (): Promise<void> => stopIfAborted(signal);
  let selection = EMPTY_SELECTION;
  const trail: StageRun[] = [];
  for (const stage of request.stages) {
    await pause();
    const since = now();
    yield { event: "stage_started", stage: stage.name };
    const input: StageInput = { ...given, kb, options, selection, judge: stageJudge, pause };
    const outcome = yield* stage.run(input);
    trail.push({ input, outcome, judgeKnown: stageJudge?.known() });
    selection = outcome.selection;
    notices.push(...outcome.notices);
    yield* outcome.notices.map(noticeEvent);
    const counts = record.stage(stage.name, since, outcome);
    yield { event: "stage_finished", stage: stage.name, counts };
  }
  judge?.close();
  const unjudged = judge?.failures() ?? [];
  notices.push(...unjudged);
  yield* unjudged.map(noticeEvent);
  return { selection, trail };
}

/** Packs the selection into the budget and ends the run's record. */
async function* packPackage(
  { deps, request, begun, record, notices, signal }: Run,
  { task, weights }: Analysis,
  selection: Selection,
  kept: RoundShown | null,
): AsyncGenerator<PipelineEvent, PackedSelection> {
  const { taskId, refined } = begun;
  await stopIfAborted(signal);
  const since = deps.now();
  yield { event: "stage_started", stage: "budget" };
  const packing = packSelection(deps, {
    ...request,
    taskId,
    task,
    weights,
    selection,
    kept,
    notices,
  });
  notices.push(...packing.notices);
  yield* packing.notices.map(noticeEvent);
  const counts = record.packing(since, packing.verdicts);
  const shown = shownItems(packing);
  const pkg = refined === null ? packing.pkg : withChanges(packing.pkg, refined.since, shown);
  const text = request.ownText?.(pkg);
  const tokens =
    text === undefined ? pkg.token_count : deps.counter.count((request.redactor ?? NO_REDACTION).text(text));
  record.finished({ pkg, tokens }, selection, begun, shown);
  yield { event: "stage_finished", stage: "budget", counts };
  yield { event: "package", package: pkg };
  return { ...packing, pkg };
}

const closable = <T extends { close(): void }>(value: T) => ({ value, [Symbol.dispose]: () => value.close() });
