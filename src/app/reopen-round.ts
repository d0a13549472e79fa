/**
 * The newest finished round of a task, made again from what the log knows of it.
 *
 * Nothing is recorded: the log is not written, and the session is read only. On the index that the round was made with
 * the package is the same; on a newer one it is what that index gives. What was learned before is that of now, with a
 * notice where it was another.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/settings.ts";
import type { KnowledgeBase } from "../db/curated/knowledge-base.ts";
import type { DataPaths } from "../db/data-folder/paths.ts";
import type { LoggedRun, RawLog } from "../db/raw-log/raw-log.ts";
import { openSession } from "../db/session/session.ts";
import { Failed, type Notice } from "../failure.ts";
import { NO_LOG, type RunSession } from "../retrieval/record/run-log.ts";
import { storedOptions } from "../retrieval/record/stored-options.ts";
import { loggedTaskMeant } from "../retrieval/record/typed-task-id.ts";
import { templateText } from "../retrieval/render/prompt.ts";
import type { Redactor } from "../secrets/redactor.ts";
import type { Environment, Reopened, RetrieveRequest, RetrieveResult } from "./app-types.ts";
import { reproduction } from "./refine.ts";
import { planRetrieval, runRetrieval } from "./retrieve.ts";

/** `log` is null where nothing was ever logged. */
type ReopenWorld = {
  kb(): KnowledgeBase;
  /** The index that is open; null while it is written. */
  openIndex(): KnowledgeBase | null;
  readonly log: RawLog | null;
  readonly paths: DataPaths;
  readonly redactor: Redactor;
  readonly variables: Environment["variables"];
  readonly config: Config;
  readonly onNotice: (notice: Notice) => void;
};

/** Throws `unknown-task`, `not-indexed`, and an `io` failure when the log's row cannot be read. */
export async function reopen(world: ReopenWorld, typed: string, signal: AbortSignal): Promise<Reopened> {
  const { log } = world;
  if (log === null) throw new Failed({ code: "unknown-task", taskId: typed });
  const taskId = loggedTaskMeant(log, typed);
  const runs = log.runs(taskId);
  const newest = runs.at(-1);
  if (newest === undefined) throw new Failed({ code: "unknown-task", taskId: typed });
  const finished = runs.findLast(({ result }) => result?.status === "finished");
  const round = finished === undefined ? null : await again(world, finished, signal);
  return { taskId, task: newest.task, round };
}

async function again(world: ReopenWorld, run: LoggedRun, signal: AbortSignal): Promise<RetrieveResult> {
  const { paths, config, openIndex, redactor } = world;
  const options = storedOptions(run);
  if (options === null) {
    const message = `the options of task ${run.taskId} cannot be read from the log`;
    throw new Failed({ code: "io", message, where: "raw.sqlite", next: "retrieve the task again" });
  }
  const retrieve: RetrieveRequest = {
    task: run.task,
    settings: { ...config.settings, ...options.settings },
    hintPaths: options.hintPaths,
    hintSymbols: options.hintSymbols,
    only: options.only,
    template: { text: templateText(options.template), path: "the template of the run before" },
    constraints: options.constraints,
    refines: { taskId: run.taskId, request: {}, again: true },
    refresh: false,
    strict: false,
    onRefresh: () => {},
  };
  const { log } = world;
  const known = log === null ? {} : { runs: log.runs, decisions: log.decisions };
  let madeWith: LoggedRun["options"] = run.options;
  const appendTaskRun: typeof NO_LOG.appendTaskRun = ({ options }) => {
    madeWith = options;
    return 1;
  };
  const unrecorded = { ...NO_LOG, ...known, appendTaskRun };
  const records = { log: unrecorded, openSession: () => sessionAt(paths.sessions, run) };
  const runWorld = {
    kb: world.kb(),
    openIndex,
    paths,
    redactor,
    variables: world.variables,
    notices: [],
    inputsSkipped: null,
    onNotice: world.onNotice,
    records,
  };
  const pipeline = runRetrieval(runWorld, planRetrieval(retrieve), signal);
  let step = await pipeline.next();
  while (!step.done) step = await pipeline.next();
  if (memoryKey(madeWith) !== memoryKey(run.options)) world.onNotice({ code: "memory-changed", round: run.round });
  const before = { round: run.round, contentHash: run.contentHash };
  const result = step.value;
  return { ...result, reproduction: reproduction({ retrieve, options, before }, result.constraints, config) };
}

/** What names the memories that a run was made with; what it names is gone with them. */
const memoryKey = (options: LoggedRun["options"]): unknown =>
  typeof options === "object" && options !== null && "memory" in options ? options.memory : undefined;

/** The session as the run found it, to read; an empty one where it was archived or removed. */
function sessionAt(folder: string, { taskId, round }: LoggedRun): RunSession {
  const session = existsSync(join(folder, `${taskId}.sqlite`)) ? openSession(folder, taskId) : null;
  return {
    begin: () => ({ round, continued: true }),
    rounds: () => session?.rounds().filter((row) => row.round < round) ?? [],
    get: (of, key) => session?.get(of, key),
    getMember: (of, key, member) => session?.getMember(of, key, member),
    alike: (of, key) => session?.alike(of, key) ?? [],
    set: () => {},
    finish: () => {},
    close: () => session?.close(),
  };
}
