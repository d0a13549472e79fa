/** The repositories that the newest round of a task was asked of. */
import type { LogReader } from "../../db/raw-log/raw-log.ts";
import { storedOptions } from "../../retrieval/record/stored-options.ts";
import { expandLoggedTaskId } from "../../retrieval/record/task-id-prefix.ts";
import { type Member, membersOf } from "../workspace/members.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Relative to the root, or of a store; empty for a task that was asked of the repository itself, and for an unknown one. */
export function taskRepos(log: LogReader, typedId: string): readonly string[] {
  const run = log.latestRun(expandLoggedTaskId(log, typedId));
  return (run && storedOptions(run)?.settings["workspace.repos"]) ?? [];
}

/** Those of this machine. Throws `no-repository` for one that is gone, and a usage failure when `typedId` begins several ids. */
export function taskMembers({ root, log }: Pick<Workspace, "root" | "log">, typedId: string): readonly Member[] {
  const read = log.read();
  return read === null ? [] : membersOf(root, taskRepos(read, typedId));
}
