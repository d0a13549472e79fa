/**
 * Rebuilds the newest finished round of a task from the log, and records nothing: the session is only read.
 *
 * On the index that the round was made with, the package is the same. Where there is none, one is made as for the round itself.
 * What was learned is as of now, with a notice when it has changed.
 */
import { resultOf } from "../../concurrency/result-of.ts";
import type { LoggedRun } from "../../db/raw-log/raw-log.ts";
import { readSession } from "../../db/session/session.ts";
import { Failed } from "../../failure.ts";
import { NO_LOG, type RunSession } from "../../retrieval/record/record-run.ts";
import { readyIndex } from "../indexing/ready-index.ts";
import { NOT_REFRESHED } from "../indexing/refresh-index.ts";
import { loggedTask } from "../workspace/logged-task.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { firstRequest } from "./first-request.ts";
import { optionsOfRun, requestFrom } from "./refine.ts";
import { reproductionOfRound } from "./reproduction.ts";
import { type RetrieveResult, runRetrieval } from "./retrieve.ts";
import { planRetrieval, type RetrieveRequest } from "./retrieve-request.ts";

/** `round` is null when no round has finished. */
export type Reopened = { readonly taskId: string; readonly task: string; readonly round: RetrieveResult | null };

/**
 * The newest finished round, or one by its number. Throws `unknown-task`, a usage failure for a number without a
 * finished round, and an `io` failure when the log's row cannot be read.
 */
export async function reopen(
  workspace: Workspace,
  typed: string,
  signal: AbortSignal,
  wanted: number | null = null,
): Promise<Reopened> {
  const { taskId, runs, newest } = loggedTask(workspace.log.read(), typed);
  const finished = wanted === null ? runs.findLast(isFinished) : finishedRun(taskId, runs, wanted);
  const round = finished === undefined ? null : await rebuild(workspace, finished, signal);
  return { taskId, task: newest.task, round };
}

const isFinished = ({ result }: LoggedRun): boolean => result?.status === "finished";

/** The newest finished run of a round of a task. Throws a usage failure when there is none. */
export function finishedRun(taskId: string, runs: readonly LoggedRun[], round: number): LoggedRun {
  const run = runs.findLast((one) => one.round === round && isFinished(one));
  if (run !== undefined) return run;
  throw new Failed({
    code: "usage",
    message: `round ${round} of this task has not finished`,
    next: `see its rounds: cra log ${taskId}`,
  });
}

async function rebuild(workspace: Workspace, run: LoggedRun, signal: AbortSignal): Promise<RetrieveResult> {
  const { paths, config, log } = workspace;
  const options = optionsOfRun(run);
  const asked = {
    ...requestFrom(run.task, options, config),
    constraints: options.constraints,
    refines: { taskId: run.taskId, request: {}, again: true },
    ...(run.command === "refine" ? {} : { keepShown: options.keepShown }),
  } as const;
  const { index } = workspace;
  const repos = asked.settings["workspace.repos"];
  // A first answer may be all that there is of an index, and one that is open may be of another task.
  if (repos.length > 0 || index.isProvisional() || !index.exists()) {
    const needs = { ...asked, repos, quick: "if-large" } as const;
    await readyIndex(workspace, needs, () => firstRequest(workspace, asked, signal), signal);
  }
  const { review, notices } = await reviewAgain(workspace, asked, signal);
  const retrieve = review === undefined ? asked : { ...asked, review };
  for (const notice of notices) workspace.onNotice(notice);
  const raw = log.read();
  let madeWith: LoggedRun["options"] = run.options;
  const records = {
    log: {
      ...NO_LOG,
      ...(raw === null ? {} : { runs: raw.runs, decisions: raw.decisions }),
      appendTaskRun: ({ options: used }: { readonly options: LoggedRun["options"] }) => {
        madeWith = used;
        return 1;
      },
    },
    openSession: () => readOnlySession(paths.sessions, run),
  };
  const pipeline = runRetrieval(workspace, planRetrieval(retrieve), NOT_REFRESHED, signal, records);
  const result = await resultOf(pipeline);
  if (memoryKey(madeWith) !== memoryKey(run.options)) workspace.onNotice({ code: "memory-changed", round: run.round });
  return { ...result, reproduction: reproductionOfRound({ retrieve, options }, result, workspace) };
}

/** The diff of a review, against the same commit. */
async function reviewAgain(workspace: Workspace, asked: RetrieveRequest, signal: AbortSignal) {
  if (asked.reviewed === undefined) return { notices: [] };
  const { request, notices } = await (await import("./diff.ts")).withChanges(workspace, asked, signal);
  return { review: request.review, notices };
}

/** The key of the memories that a run was made with; the memories themselves may be gone. */
const memoryKey = (options: LoggedRun["options"]): unknown =>
  typeof options === "object" && options !== null && "memory" in options ? options.memory : undefined;

/** The session as the run found it; an empty one where it was archived or removed. */
function readOnlySession(folder: string, { taskId, round }: LoggedRun): RunSession {
  const session = readSession(folder, taskId);
  return {
    begin: () => ({ round, continued: true }),
    rounds: () => session?.rounds().filter((row) => row.round < round) ?? [],
    get: (of, key) => session?.get(of, key),
    alike: (of, key) => session?.alike(of, key) ?? [],
    set: () => {},
    finish: () => {},
    close: () => session?.close(),
  };
}
