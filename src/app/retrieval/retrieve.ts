/** Retrieves a package: brings the index up to date, runs the pipeline on it, and renders the result. */
import { budgetSource, budgetTokens, type Config } from "../../config/settings.ts";
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { LogReader } from "../../db/raw-log/raw-log.ts";
import { Failed } from "../../failure.ts";
import { type Notice, unrecordedNotice } from "../../notice.ts";
import { type DryRun, openDryRun } from "../../retrieval/dry-run.ts";
import { unreadInputs } from "../../retrieval/index-notices.ts";
import type { RoundShown } from "../../retrieval/model/changes.ts";
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import type { ContextPackage, LearnedJson } from "../../retrieval/model/package-schema.ts";
import { expandLoggedTaskId } from "../../retrieval/record/task-id-prefix.ts";
import { shownInLog } from "../../retrieval/refinement/refine-round.ts";
import type { Reproduction } from "../../retrieval/refinement/reproduction.ts";
import { bundleLinks } from "../../retrieval/render/bundle.ts";
import { FORMATS, type Format } from "../../retrieval/render/formats.ts";
import { documentText } from "../../retrieval/render/json.ts";
import type { Template } from "../../retrieval/render/prompt.ts";
import type { RenderSource, TextRenderer } from "../../retrieval/render/renderer.ts";
import type { Constraints } from "../../retrieval/requests/refinement.ts";
import { type RetrieveResult as PipelineResult, retrieve as runPipeline } from "../../retrieval/retrieve.ts";
import type { Redactor } from "../../secrets/redactor.ts";
import { taskSentence } from "../../task/task-sentence.ts";
import type { TokenCounter } from "../../text/tokens/tokens.ts";
import { VERSION } from "../../version.ts";
import { readyIndex } from "../indexing/ready-index.ts";
import type { Refreshed } from "../indexing/refresh-index.ts";
import { judgeOpener } from "../workspace/open-model.ts";
import { createIfWritable, type Workspace } from "../workspace/workspace.ts";
import type { AgentAnswers } from "./answer-text.ts";
import { firstRequest } from "./first-request.ts";
import { withFormerPaths } from "./former-paths.ts";
import { openRecords, type Records, steadyClock } from "./records.ts";
import { reproductionOfRequest } from "./reproduction.ts";
import {
  hasChanges,
  pipelineRequest,
  planRetrieval,
  type RetrievalPlan,
  type RetrieveRequest,
  withoutSecrets,
} from "./retrieve-request.ts";
import { type ScoreRow, type ShownRow, scoreRows, shownRows } from "./table-rows.ts";

export type RetrieveResult = {
  readonly package: ContextPackage;
  /** The package in the format of the settings. */
  readonly rendered: string;
  /** Of that text; of the package's own text where it is JSON. */
  readonly tokens: number;
  /** The files in scope, by rank. */
  readonly scores: readonly ScoreRow[];
  /** By rank of the file, then by line. */
  readonly shown: readonly ShownRow[];
  /** How many inputs the index could not read. */
  readonly inputsSkipped: number;
  /** The log has no earlier run of any task. */
  readonly isFirstRun: boolean;
  /** Why the round could not be recorded; null unless that was wanted. */
  readonly unrecorded: string | null;
  readonly round: number;
  /** The constraints in force: those of all rounds of the task together. */
  readonly constraints: Constraints;
  /** What earlier rounds asked for and this one does not apply; null when there is nothing. */
  readonly notApplied: Constraints | null;
  readonly reproduction: Reproduction;
  /** Renders the package in any format. The bundle reads the index, so it must not have been written since. */
  render(format: Format): Promise<string>;
  readonly answers: AgentAnswers;
  /** Dry runs of another round, as long as the app is open. */
  readonly dryRun: DryRun;
};

/** Runs `cra retrieve`. */
export async function* retrieve(
  workspace: Workspace,
  asked: RetrieveRequest,
  signal: AbortSignal,
): AsyncGenerator<PipelineEvent, RetrieveResult> {
  const { redactor, config } = workspace;
  const request = withoutSecrets(asked, redactor);
  try {
    const result = yield* retrieveFresh(workspace, request, null, signal);
    // An empty task now has words from the changes.
    const { task_query, review } = result.package;
    const made = {
      ...request,
      task: task_query.raw_description,
      ...(review === undefined ? {} : { reviewed: review }),
    };
    return { ...result, reproduction: reproductionOfRequest(made, result.constraints, workspace) };
  } catch (error) {
    throw withBudgetSource(error, config);
  }
}

/** A budget that is too small and was not typed is hard to find, so the failure says where it was set. */
function withBudgetSource(error: unknown, config: Config): unknown {
  if (!(error instanceof Failed) || error.failure.code !== "budget-below-floor") return error;
  const where = budgetSource(config, error.failure.unit);
  return where === null ? error : new Failed({ ...error.failure, where }, { cause: error });
}

/** A result without the command that reproduces it. */
export type Retrieved = Omit<RetrieveResult, "reproduction">;

/** Runs a request, on an updated index where it asks for that. `before` is the round that it follows. */
export async function* retrieveFresh(
  workspace: Workspace,
  request: RetrieveRequest,
  before: { readonly round: number; readonly contentHash: string } | null,
  signal: AbortSignal,
): AsyncGenerator<PipelineEvent, Retrieved> {
  const plan = planRetrieval(request);
  const repos = request.settings["workspace.repos"];
  if (repos.length > 0 && (request.changes !== undefined || request.reviewed !== undefined))
    throw new Failed({
      code: "usage",
      message: ASKED_OF_SEVERAL,
      next: "leave out --diff and --since, or ask in that repository without --repos",
    });
  const refreshed = await readyIndex(
    workspace,
    { ...request, repos },
    () => firstRequest(workspace, request, signal),
    signal,
  );
  createIfWritable(workspace);
  const kb = workspace.index.open();
  const changed = hasChanges(request)
    ? await (await import("./diff.ts")).withChanges(workspace, request, signal)
    : { request, notices: request.worded === undefined ? [] : [REVIEW_UNREAD] };
  const { contentHash, provisional } = kb.meta();
  const newIndex: readonly Notice[] =
    before !== null && before.contentHash !== contentHash
      ? [{ code: "index-changed", round: before.round, provisional: provisional !== undefined }]
      : [];
  const asked = await withFormerPaths(workspace, changed.request, signal);
  const notices = [...refreshed.notices, ...newIndex, ...changed.notices, ...asked.notices];
  return yield* runRetrieval(workspace, { ...plan, request: asked.request }, { ...refreshed, notices }, signal);
}

/** Why no changes are read. */
const ASKED_OF_SEVERAL = "changes are compared in one repository, and the question is asked of several";
/** For a task that asks for a review only in its words: it then runs like any other. */
const REVIEW_UNREAD: Notice = { code: "review-unread", why: ASKED_OF_SEVERAL };

/** Runs the pipeline on an open index. `records` replaces the log and the session that the run is recorded in. */
export async function* runRetrieval(
  workspace: Workspace,
  plan: RetrievalPlan,
  refreshed: Refreshed,
  signal: AbortSignal,
  records?: Records,
): AsyncGenerator<PipelineEvent, Retrieved> {
  const { index, redactor, onNotice } = workspace;
  const kb = index.open();
  const { settings } = plan.request;
  const damage: Notice[] = [];
  const { why, ...kept } = openRecords(workspace, (notice) => damage.push(notice));
  const { log } = kept;
  const unrecorded = records === undefined ? why : null;
  const notices = [...refreshed.notices, ...damage.splice(0), ...unrecordedNotice(unrecorded)];
  const isFirstRun = log.latestRun() === null;
  // A further round may have other settings than the workspace.
  const ofRun: Workspace = { ...workspace, config: { ...workspace.config, settings } };
  const { judging } = plan;
  try {
    const counter = await plan.counter;
    const openJudge = judging === null ? null : await judgeOpener(ofRun, judging.model, counter);
    const learned = settings.with_memory
      ? { learned: await learnedFrom(ofRun, plan.request, (notice) => notices.push(notice), signal) }
      : {};
    const { keepShown } = plan.request;
    const keeps = keepShown === undefined ? {} : { keeps: keepShown === null ? null : namedRound(log, keepShown) };
    const own = await ownTextOf(settings.format);
    const request = { ...pipelineRequest(plan, notices), judging, redactor, ...learned, ...keeps, ...own };
    const result = yield* runPipeline(
      {
        kb,
        ...(records ?? kept),
        counter,
        now: steadyClock(),
        craVersion: VERSION.version,
        openJudge,
      },
      request,
      signal,
    );
    const { round, constraints, notApplied, pkg, selection } = result;
    const how = { template: plan.template, counter, redactor };
    const render = (format: Format) => rendered(kb, result, format, how);
    const text = await render(settings.format);
    return {
      round,
      constraints,
      notApplied,
      package: pkg,
      rendered: text,
      tokens: FORMATS[settings.format].extension === ".json" ? pkg.token_count : counter.count(text),
      render,
      answers: {
        next: async (shows) => (await import("./answer-text.ts")).answerText(result, shows, how),
        beside: async (given) => (await import("./answer-text.ts")).answerBeside(result, given, how),
      },
      scores: scoreRows(selection),
      shown: shownRows(result),
      inputsSkipped: refreshed.inputsSkipped ?? unreadInputs(kb.meta()),
      isFirstRun,
      unrecorded,
      dryRun: openDryRun({ kb: index.opened, counter, craVersion: VERSION.version }, request, result),
    };
  } finally {
    log.close();
    for (const notice of damage) onNotice(notice);
  }
}

/** What a round named as `task:round` showed, from the log. Throws `unknown-task`, and a usage failure for another name. */
function namedRound(log: LogReader, typed: string): RoundShown & { readonly from: string } {
  const [, prefix = "", number = ""] = /^([0-9a-f]+):([1-9]\d{0,8})$/i.exec(typed) ?? [];
  const taskId = expandLoggedTaskId(log, prefix);
  const shown = shownInLog(log, taskId, Number(number) + 1);
  if (shown?.round === Number(number)) return { ...shown, from: `${taskId}:${number}` };
  throw new Failed({
    code: "usage",
    message: `--keep-shown: the log has no finished round ${JSON.stringify(typed)}`,
    next: "name a task and its round, such as 1f3a:2; see: cra sessions",
  });
}

/** What was learned before that fits the task. */
async function learnedFrom(
  workspace: Workspace,
  { task, settings }: RetrieveRequest,
  onNotice: (notice: Notice) => void,
  signal: AbortSignal,
): Promise<LearnedJson[]> {
  const { learnedFor } = await import("../memory/recall.ts");
  return learnedFor({ ...workspace, onNotice }, task, budgetTokens(settings), signal);
}

/** What packing counts beside Markdown and prompt. */
async function ownTextOf(format: Format): Promise<{ readonly ownText?: TextRenderer }> {
  const row = FORMATS[format];
  return row.hasOwnSize ? { ownText: await row.load() } : {};
}

type Rendering = { readonly template: Template; readonly counter: TokenCounter; readonly redactor: Redactor };

async function rendered(kb: KnowledgeBase, result: PipelineResult, format: Format, how: Rendering): Promise<string> {
  const { text, value } = how.redactor;
  const row = FORMATS[format];
  if (row.hasOwnSize) {
    const render = await row.load();
    return text(render(result.packedFor(render)));
  }
  const render = await row.load();
  const source: RenderSource = {
    template: how.template,
    intent: taskSentence(result.task),
    links: () => bundleLinks(result.packed.fit.shown, kb),
  };
  const output = render(result.pkg, source);
  return typeof output === "string" ? text(output) : documentText(value(output), how.counter);
}
