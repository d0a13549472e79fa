/** The rounds of a task as the log has them, and going back to one. */
import type { LoggedRun } from "../../db/raw-log/raw-log.ts";
import { Failed } from "../../failure.ts";
import type { Coverage } from "../../retrieval/model/budget.ts";
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import { expandLoggedTaskId } from "../../retrieval/record/task-id-prefix.ts";
import { constraintsInWords, mergeConstraints, type RefinementRequest } from "../../retrieval/requests/refinement.ts";
import type { IndexNeeds } from "../indexing/ready-index.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { optionsOfRun, requestFrom } from "./refine.ts";
import { finishedRun } from "./reopen.ts";
import { type RetrieveResult, retrieve } from "./retrieve.ts";

/** A round of a task. `tokens` is null when it did not finish; `asked` says in words what it asked for, "" for nothing. */
export type TaskRound = {
  readonly round: number;
  readonly startedAt: string;
  readonly finished: boolean;
  readonly tokens: number | null;
  readonly budget: number | null;
  readonly asked: string;
};

/** `taskId` may be shortened to its beginning. A null `budget` or `coverage` is that of the round. */
export type ReturnRequest = IndexNeeds & {
  readonly taskId: string;
  readonly round: number;
  readonly request: RefinementRequest;
  readonly budget: number | null;
  readonly coverage: Coverage | null;
};

/** The rounds of a task, the newest first. Of a round that was run twice, the last run counts. */
export function taskRounds(workspace: Pick<Workspace, "log">, typed: string): readonly TaskRound[] {
  const byRound = new Map(runsOf(workspace, typed).map((run) => [run.round, run]));
  return [...byRound.values()].toSorted((a, b) => b.round - a.round).map(roundOf);
}

function roundOf(run: LoggedRun): TaskRound {
  const { settings, constraints } = optionsOfRun(run);
  return {
    round: run.round,
    startedAt: run.startedAt,
    finished: run.result?.status === "finished",
    tokens: run.result?.tokenCount ?? null,
    budget: settings.budget,
    asked: constraintsInWords(constraints),
  };
}

/**
 * Makes a new round that asks for what an earlier one did and for the request, and forgets what later ones asked for.
 * Throws `unknown-task`, and a usage failure for a round that did not finish.
 */
export async function* returnTo(
  workspace: Workspace,
  { taskId, round, request, budget, coverage, ...needs }: ReturnRequest,
  signal: AbortSignal,
): AsyncGenerator<PipelineEvent, RetrieveResult> {
  const runs = runsOf(workspace, taskId);
  const run = finishedRun(taskId, runs, round);
  const options = optionsOfRun(run);
  const settings = {
    ...options.settings,
    ...(budget === null ? {} : { budget }),
    ...(coverage === null ? {} : { coverage }),
  };
  const asked = requestFrom(run.task, { ...options, settings }, workspace.config);
  const again = {
    ...asked,
    settings: { ...asked.settings, context_window: null, reserved_tokens: null },
    constraints: mergeConstraints(options.constraints, request),
    refines: { taskId: run.taskId, request: {}, again: true },
    standing: "drop",
    keepShown: run.command === "refine" ? finishedBefore(runs, run) : options.keepShown,
    strict: false,
    ...needs,
  } as const;
  return yield* retrieve(workspace, again, signal);
}

/** The round before a run whose content it kept, as `--keep-shown` names it; null when there is none. */
function finishedBefore(runs: readonly LoggedRun[], { round, taskId }: LoggedRun): string | null {
  const before = runs.findLast((run) => run.round < round && run.result?.status === "finished");
  return before === undefined ? null : `${taskId}:${before.round}`;
}

function runsOf({ log }: Pick<Workspace, "log">, typed: string): readonly LoggedRun[] {
  const raw = log.read();
  if (raw === null) throw new Failed({ code: "unknown-task", taskId: typed });
  return raw.runs(expandLoggedTaskId(raw, typed));
}
