/** Explains a task's newest run from the log, and from the index that there is of what it asked. */
import { realpathSync } from "node:fs";
import { sep } from "node:path";
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import { Failed } from "../../failure.ts";
import { type Explanation, explain } from "../../retrieval/explain/explain.ts";
import { storedOptions } from "../../retrieval/record/stored-options.ts";
import { expandLoggedTaskId } from "../../retrieval/record/task-id-prefix.ts";
import { withAskedIndex } from "../indexing/several-indexes.ts";
import { type Workspace, withOwnIndex } from "../workspace/workspace.ts";

/** A path starts from the working folder or from the root. Throws as `explain` does. */
export async function explainTask(workspace: Workspace, typedId: string, what: string | null): Promise<Explanation> {
  const { root, environment } = workspace;
  const log = workspace.log.read();
  if (log === null) throw new Failed({ code: "unknown-task", taskId: typedId });
  const run = log.latestRun(expandLoggedTaskId(log, typedId));
  const repos = (run && storedOptions(run)?.settings["workspace.repos"]) ?? [];
  const folders = { root: withSlashes(root), folder: withSlashes(realpathSync(environment.cwd)) };
  const explainWith = (kb: KnowledgeBase | null): Promise<Explanation> => explain(log, kb, typedId, what, folders);
  const { index } = workspace;
  if (repos.length === 0) return await explainWith(index.exists() ? index.open() : null);
  // Later questions of this process may be asked of others.
  const own = withOwnIndex(workspace);
  try {
    await withAskedIndex(own, repos, new AbortController().signal);
    return await explainWith(own.index.opened());
  } finally {
    own.index.close();
  }
}

const withSlashes = (path: string): string => path.replaceAll(sep, "/");
