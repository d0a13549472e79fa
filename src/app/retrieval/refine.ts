/** Another round of a task: turns the log's record of the last one into a request. */
import { z } from "zod";
import type { Config } from "../../config/settings.ts";
import type { LoggedRun, LogReader } from "../../db/raw-log/raw-log.ts";
import { readSession } from "../../db/session/session.ts";
import { Failed } from "../../failure.ts";
import { readBaseUrl } from "../../llm/base-url.ts";
import type { Coverage } from "../../retrieval/model/budget.ts";
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import { type StoredOptions, storedOptions } from "../../retrieval/record/stored-options.ts";
import { expandLoggedTaskId } from "../../retrieval/record/task-id-prefix.ts";
import { isUnfinished } from "../../retrieval/refinement/refine-round.ts";
import { templateText } from "../../retrieval/render/prompt.ts";
import {
  asksNothing,
  NO_CONSTRAINTS,
  type RefinementRequest,
  type StandingChoice,
} from "../../retrieval/requests/refinement.ts";
import type { Redactor } from "../../secrets/redactor.ts";
import type { DiffOptions } from "../../source/revisions/work-tree-diff.ts";
import type { IndexNeeds } from "../indexing/ready-index.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { reproductionOfRound, type StoredRound } from "./reproduction.ts";
import { type RetrieveResult, retrieveFresh } from "./retrieve.ts";
import { type RetrieveRequest, withoutSecrets } from "./retrieve-request.ts";

/** `taskId` may be shortened to its beginning. A null `budget` or `coverage` is that of the round before, as are other settings. */
export type RefineRequest = IndexNeeds & {
  readonly taskId: string;
  readonly request: RefinementRequest;
  /** A text with the stack frames of a failure: files and symbols in them count as missing. */
  readonly trace?: string;
  /** Changes to look up when the round begins, and to add to its request. */
  readonly changes?: DiffOptions;
  /** What to do with what rounds before the newest one asked for. */
  readonly standing?: StandingChoice;
  readonly budget: number | null;
  readonly coverage?: Coverage | null;
  /** A model that fails ends the round; off by default. */
  readonly strict?: boolean;
};

/** Runs `cra refine`. */
export async function* refine(
  workspace: Workspace,
  request: RefineRequest,
  signal: AbortSignal,
): AsyncGenerator<PipelineEvent, RetrieveResult> {
  const { redactor } = workspace;
  const hidden = { ...request, request: withoutSecretErrors(request.request, redactor) };
  const { retrieve: asked, options, before } = planRefinement(workspace, hidden);
  const retrieve = withoutSecrets(asked, redactor);
  const result = yield* retrieveFresh(workspace, retrieve, before, signal);
  return { ...result, reproduction: reproductionOfRound({ retrieve, options }, result, workspace) };
}

/** Lines of errors are redacted as one text, while they are in order: a secret may go on in the next line. */
function withoutSecretErrors(request: RefinementRequest, { text }: Redactor): RefinementRequest {
  const { error_signatures: lines } = request;
  if (lines === undefined) return request;
  const left = text(lines.join("\n")).split("\n");
  return { ...request, error_signatures: left.filter((line) => line.trim() !== "") };
}

/**
 * Finds the task and the options of its newest run. Throws `unknown-task`, a usage failure when nothing is asked for
 * and no round was left unfinished, and an `io` failure when the log's row cannot be read.
 */
function planRefinement(
  { log, paths, config }: Workspace,
  {
    taskId: typed,
    request,
    trace,
    changes,
    standing,
    budget,
    coverage = null,
    refresh,
    quick = false,
    strict = false,
    onRefresh,
  }: RefineRequest,
): StoredRound & { readonly before: { readonly round: number; readonly contentHash: string } } {
  const raw = log.read();
  if (raw === null) throw new Failed({ code: "unknown-task", taskId: typed });
  const taskId = expandLoggedTaskId(raw, typed);
  const run = raw.latestRun(taskId);
  if (run === null) throw new Failed({ code: "unknown-task", taskId: typed });
  const stored = optionsOfRun(run);
  const isAsked = [trace, changes, standing].some((given) => given !== undefined);
  if (asksNothing(request) && budget === null && coverage === null && !isAsked)
    demandUnfinished(paths.sessions, taskId);
  const budgeted = budgetedRun(raw, run, stored);
  const settings = {
    ...stored.settings,
    budget: budget ?? optionsOfRun(budgeted).settings.budget,
    ...(coverage === null ? {} : { coverage }),
    ...typedModelSettings(config, stored.settings.model),
  };
  const options = { ...stored, settings };
  return {
    options,
    before: { round: run.round, contentHash: run.contentHash },
    retrieve: {
      ...requestFrom(run.task, options, config),
      settings: {
        ...config.settings,
        ...settings,
        ...(budget === null ? windowOf(budgeted) : {}),
        base_url: serverAddress(raw, taskId, config),
      },
      ...(changes === undefined ? {} : { changes }),
      ...(standing === undefined ? {} : { standing }),
      constraints: NO_CONSTRAINTS,
      refines: { taskId, request, ...(trace === undefined ? {} : { trace }) },
      refresh,
      quick,
      strict,
      onRefresh,
    },
  };
}

/** The newest run whose budget was not refused: of one that is too small, packing is the only step that did not end. */
function budgetedRun(log: LogReader, run: LoggedRun, { settings }: Pick<StoredOptions, "settings">): LoggedRun {
  const ended = new Set(log.stages(run.taskId, run.round).map(({ stage }) => stage));
  const isRefused =
    run.result?.status === "failed" && !ended.has("budget") && settings.stages.every((name) => ended.has(name));
  if (!isRefused) return run;
  return log.runs(run.taskId).findLast(({ result }) => result?.status !== "failed") ?? run;
}

const StoredWindow = z.looseObject({ context_window: z.int().positive(), reserved_tokens: z.int().nonnegative() });

/** The context window that a run's budget was the rest of; empty when the budget was given in tokens. */
function windowOf({ budget }: LoggedRun): Partial<z.infer<typeof StoredWindow>> {
  const { data } = StoredWindow.safeParse(budget);
  return data === undefined ? {} : { context_window: data.context_window, reserved_tokens: data.reserved_tokens };
}

/** The options that a run was made with. Throws an `io` failure when the log's row cannot be read. */
export function optionsOfRun(run: LoggedRun): StoredOptions {
  const options = storedOptions(run);
  if (options !== null) return options;
  throw new Failed({
    code: "io",
    message: `the options of task ${run.taskId} cannot be read from the log`,
    where: "raw.sqlite",
    next: "retrieve the task again",
  });
}

/** The request that such options make, without a refresh. */
export const requestFrom = (task: string, options: StoredOptions, { settings }: Config): RetrieveRequest => ({
  task,
  settings: { ...settings, ...options.settings },
  hintPaths: options.hintPaths,
  hintSymbols: options.hintSymbols,
  former: options.former,
  only: options.only,
  ...(options.reviewed === undefined ? {} : { reviewed: options.reviewed }),
  template: { text: templateText(options.template), path: "the template of the run before" },
  refresh: false,
  strict: false,
  onRefresh: () => {},
});

/** The model server: as configured, else where the task last asked one. Whether it is allowed is checked later. */
function serverAddress(log: LogReader, taskId: string, { settings, explained }: Config): string {
  const isSet = explained.some(({ key, kind }) => key === "base_url" && kind !== "default");
  const last = isSet ? undefined : log.modelCalls(taskId).at(-1)?.baseUrl;
  return last !== undefined && readBaseUrl(last).ok ? last : settings.base_url;
}

/** A model typed now replaces that of the run, with the context window that is configured now. */
function typedModelSettings(
  { settings, explained }: Config,
  before: string | null,
): Partial<StoredOptions["settings"]> {
  const isTyped = (name: string): boolean => explained.some(({ key, kind }) => key === name && kind === "flag");
  return {
    ...(isTyped("model") ? { model: settings.model } : {}),
    ...(isTyped("model") || before === null ? { "llm.context_window": settings["llm.context_window"] } : {}),
    ...(isTyped("llm_assist") ? { llm_assist: settings.llm_assist } : {}),
  };
}

function demandUnfinished(sessions: string, taskId: string): void {
  const session = readSession(sessions, taskId);
  try {
    if (session !== null && isUnfinished(session)) return;
  } finally {
    session?.close();
  }
  throw new Failed({
    code: "usage",
    message: "nothing is asked for, and no round of this task was left unfinished",
    next: "say what to change: --request, --accept, --reject, --missing-file, --missing-symbol, --missing-test, --error, --body, --signature, --leave-out, --changed, --keep-constraints, --drop-constraints, --diff, --since, --handoff, --trace, --budget or --coverage",
  });
}
