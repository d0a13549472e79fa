/**
 * The runner: a task in, a context package out, events on the way.
 *
 * Runs the stages in order, fits what they chose into the budget, and records every round in the raw
 * log and the session. These records are the only effects in this folder. Invariant: the same index,
 * task, options and version give the same package, byte for byte.
 */

import type { KnowledgeBase } from "../db/curated/knowledge-base.ts";
import { Failed, type Notice } from "../failure.ts";
import type { Redactor } from "../secrets/redactor.ts";
import { analyzeTask } from "../task/analyze.ts";
import type { TaskQuery } from "../task/query.ts";
import type { TokenCounter } from "../text/tokens/tokens.ts";
import { findAnchors } from "./anchors/anchors.ts";
import { indexNotices } from "./index-notices.ts";
import { judgeIntent } from "./judging/judge-task.ts";
import { judgementMemory } from "./judging/judgement-cache.ts";
import { stageJudge } from "./judging/run-judge.ts";
import { budgetRow } from "./model/budget.ts";
import type { Decision } from "./model/decision.ts";
import { noticed, type PipelineEvent, told } from "./model/events.ts";
import type { AskedQuestion, OpenJudge } from "./model/judging.ts";
import type { ContextPackage } from "./model/package-schema.ts";
import { type Constraints, isConstrained, keptConstraints } from "./model/refinement.ts";
import { EMPTY_SELECTION, type Selection } from "./model/selection.ts";
import type { StageInput, StageRun } from "./model/stage.ts";
import { stopIfAborted } from "./model/steps.ts";
import { type PackedSelection, packSelection } from "./packing/pack-selection.ts";
import { conceptsOf } from "./ranking/concepts.ts";
import { weightsFrom } from "./ranking/weights.ts";
import { countsOf, logged } from "./record/decision-rows.ts";
import { judgementOf } from "./record/model-verdicts.ts";
import type { RunLog, RunSession } from "./record/run-log.ts";
import { type SelectingOptions, storedSelectingOptions } from "./record/selecting-options.ts";
import { selectionJson } from "./record/selection-json.ts";
import { taskId } from "./record/task-id.ts";
import { shownItems } from "./refinement/changes.ts";
import { type Refinement, refinedRound, standingConstraints, withChanges } from "./refinement/refine-round.ts";
import { refineTargets } from "./refinement/refine-targets.ts";
import { candidateFiles } from "./scope/candidates.ts";

/** What a run is given. `openSession` opens the session of a task id; `now` gives milliseconds since the epoch. */
export type RetrieveWorld = {
  readonly kb: KnowledgeBase;
  readonly log: RunLog;
  readonly openSession: (taskId: string) => RunSession;
  readonly counter: TokenCounter;
  readonly now: () => number;
  readonly craVersion: string;
  /** AskedQuestion for when the request wants a model. */
  readonly openJudge: OpenJudge | null;
};

export type RetrieveRequest = SelectingOptions & {
  readonly command: string;
  readonly task: string;
  readonly redactor?: Redactor;
  /** Makes this a further round of the task that it names; null otherwise. */
  readonly refines: Refinement | null;
  /** What only this run met, such as a stale index: told and logged, but no part of the package. */
  readonly notices: readonly Notice[];
};

/**
 * `items`, `sources`, `scorer`, `packed` and `verdicts` (on every item) say what was weighed; `trail` and `asked` what
 * the stages and the model were given, in order. `packed` may be made again from them (`dry-run.ts`).
 */
export type RetrieveResult = Omit<PackedSelection, "pkg" | "notices"> & {
  readonly taskId: string;
  readonly round: number;
  readonly pkg: ContextPackage;
  readonly task: TaskQuery;
  readonly selection: Selection;
  readonly notices: readonly Notice[];
  /** Those that held: of a further round, all that the task has been asked for. */
  readonly constraints: Constraints;
  /** Those that a further round adds to: a plain run of a task takes back nothing that earlier rounds asked for. */
  readonly standing: Constraints;
  readonly trail: readonly StageRun[];
  readonly asked: readonly AskedQuestion[];
};

/** Runs a task. Throws `budget-below-floor` when the budget is too small, `cancelled` when `signal` fires. */
export async function* retrieve(
  world: RetrieveWorld,
  request: RetrieveRequest,
  signal: AbortSignal,
): AsyncGenerator<PipelineEvent, RetrieveResult> {
  const { kb, log, now } = world;
  const started = now();
  const meta = kb.meta();
  const { refines } = request;
  const id = refines?.taskId ?? taskId(meta.contentHash, request.task, storedSelectingOptions(world, request));
  using closing = closable(world.openSession(id));
  const session = closing.value;
  const { round } = session.begin(iso(started), log.lastRound(id));
  const rounds = { session, log, kb, taskId: id, only: request.scope.only };
  const before = standingConstraints(rounds, round) ?? request.constraints;
  const from = refines?.again === true ? request.constraints : before;
  const refined = refines === null ? null : refinedRound(rounds, round, refines, from);
  const constraints = refined?.constraints ?? request.constraints;
  const runId = log.appendTaskRun({
    taskId: id,
    round,
    command: request.command,
    task: request.task.toWellFormed(),
    options: storedSelectingOptions(world, { ...request, constraints }),
    budget: budgetRow(request.budget),
    contentHash: meta.contentHash,
    craVersion: world.craVersion,
    startedAt: iso(started),
  });
  // These are in the package too, so they follow from the index, the task, the options and the model's answers alone.
  const notices: Notice[] = [...indexNotices(meta)];
  const runNotices: Notice[] = [...request.notices, ...(refined?.notices ?? [])];
  const decided = (stage: string, decisions: readonly Decision[]): void =>
    log.appendDecisions(
      runId,
      decisions.map((decision) => logged(stage, decision)),
    );
  const finish = (status: "finished" | "cancelled" | "failed", pkg: ContextPackage | null): void =>
    log.appendTaskResult(runId, {
      status,
      tokenCount: pkg?.token_count ?? null,
      files: pkg?.files.length ?? null,
      notices: [...runNotices, ...notices].map(told),
      ms: now() - started,
      finishedAt: iso(now()),
    });
  try {
    const concepts = conceptsOf(kb);
    const errors = constraints.error_signatures;
    const analyzed = analyzeTask(request.task, { given: request.given, concepts, errors });
    const pause = (): Promise<void> => stopIfAborted(signal);
    await pause();
    yield {
      event: "run_started",
      schema_version: 1,
      task_id: id,
      round,
      task_type: analyzed.taskType,
      keywords: [...analyzed.keywords],
      stages: request.stages.map((stage) => stage.name),
      budget: request.budget.tokens,
    };
    const indexed = kb.files();
    const targets = refineTargets(constraints, kb, indexed);
    const files = candidateFiles(indexed, { ...request.scope, languages: request.given.languages }, targets);
    notices.push(...targets.notices);
    if (files.length === 0) notices.push({ code: "no-candidates", indexed: indexed.length });
    for (const notice of [...runNotices, ...notices]) yield noticed(notice);
    const asked: AskedQuestion[] = [];
    const judge = stageJudge(
      {
        openJudge: world.openJudge,
        judging: request.judging,
        openMemory: () => judgementMemory(session, round),
        onCall: (call) => log.appendModelCall(runId, call),
        onSending: (notice) => void runNotices.push(notice),
        onAsked: (question) => void asked.push(question),
        stopIfAborted: pause,
      },
      signal,
    );
    const assistOnly = request.judging?.assistOnly ?? false;
    const intent = yield* judgeIntent({ kb, files, task: analyzed, concepts, judge, assistOnly });
    const { task } = intent;
    decided(judgementOf("analysis"), intent.verdicts);
    const anchors = [...targets.anchors, ...findAnchors(task, kb, files)];
    await pause();
    const weights = weightsFrom(request.weights, task.taskType);
    const scope = { ...request.scope, weights };
    let selection = EMPTY_SELECTION;
    const trail: StageRun[] = [];
    const outputs: Record<string, unknown> = {};
    const progress: { stage: string; status: "finished" }[] = [];
    for (const stage of request.stages) {
      await stopIfAborted(signal);
      const stageStarted = now();
      yield { event: "stage_started", stage: stage.name };
      const input: StageInput = {
        kb,
        task,
        anchors,
        files,
        options: scope,
        symbolRequests: targets.symbolRequests,
        selection,
        judge: assistOnly ? null : judge,
        pause,
      };
      const outcome = yield* stage.run(input);
      trail.push({ input, outcome });
      selection = outcome.selection;
      notices.push(...outcome.notices);
      for (const notice of outcome.notices) yield noticed(notice);
      const { decisions, judgement } = outcome;
      const counts = countsOf(judgement?.decisions ?? decisions);
      decided(stage.name, decisions);
      decided(judgementOf(stage.name), judgement?.verdicts ?? []);
      log.appendStage(runId, { stage: stage.name, ms: now() - stageStarted, counts });
      outputs[stage.name] = selectionJson(selection);
      progress.push({ stage: stage.name, status: "finished" });
      session.set(round, "stage_outputs", outputs);
      session.set(round, "stage_progress", progress);
      yield { event: "stage_finished", stage: stage.name, counts };
    }
    const unjudged = judge?.failures() ?? [];
    notices.push(...unjudged);
    yield* unjudged.map(noticed);
    await stopIfAborted(signal);
    const stageStarted = now();
    yield { event: "stage_started", stage: "budget" };
    const packing = packSelection(world, { ...request, taskId: id, task, weights, selection, notices });
    const { items, sources, scorer, packed, packedFor, verdicts, notices: said } = packing;
    notices.push(...said);
    for (const notice of said) yield noticed(notice);
    const counts = countsOf(verdicts);
    decided("budget", verdicts);
    log.appendStage(runId, { stage: "budget", ms: now() - stageStarted, counts });
    const shown = shownItems(packed.fit.shown);
    const pkg = refined === null ? packing.pkg : withChanges(packing.pkg, refined.since, shown);
    const kept = { token_count: pkg.token_count, constraints: keptConstraints(constraints), shown };
    session.set(round, "final_context", { ...selectionJson(selection), ...kept });
    session.finish(round, iso(now()));
    finish("finished", pkg);
    yield { event: "stage_finished", stage: "budget", counts };
    yield { event: "package", package: pkg };
    return {
      taskId: id,
      round,
      pkg,
      task,
      selection,
      items,
      sources,
      scorer,
      packed,
      packedFor,
      verdicts,
      notices,
      constraints,
      standing: isConstrained(constraints) ? constraints : before,
      trail,
      asked,
    };
  } catch (error) {
    try {
      finish(error instanceof Failed && error.failure.code === "cancelled" ? "cancelled" : "failed", null);
    } catch {
      // A log that takes nothing any more must not hide what went wrong first.
    }
    throw error;
  }
}

const closable = <T extends { close(): void }>(value: T) => ({ value, [Symbol.dispose]: () => value.close() });
const iso = (ms: number): string => new Date(ms).toISOString();
