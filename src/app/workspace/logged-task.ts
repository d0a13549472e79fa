/** Looks up a task in the log by the beginning of its id. */
import type { LogReader } from "../../db/raw-log/raw-log.ts";
import { Failed } from "../../failure.ts";
import { expandLoggedTaskId } from "../../retrieval/record/task-id-prefix.ts";

/** `runs` are all attempts, oldest first. Throws `unknown-task`, and a usage failure when `typed` begins several ids. */
export function loggedTask(log: LogReader | null, typed: string) {
  const taskId = log === null ? typed : expandLoggedTaskId(log, typed);
  const runs = log?.runs(taskId) ?? [];
  const newest = runs.at(-1);
  if (log === null || newest === undefined) throw new Failed({ code: "unknown-task", taskId: typed });
  return { log, taskId, runs, newest };
}
