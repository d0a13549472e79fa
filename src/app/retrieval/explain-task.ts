/** Explains a task's newest run from the log, and from the index that there is of what it asked. */
import { realpathSync } from "node:fs";
import { sep } from "node:path";
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import { Failed } from "../../failure.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import { type Explanation, explain } from "../../retrieval/explain/explain.ts";
import { partAmong } from "../../source/files/path-among.ts";
import { withAskedIndex } from "../indexing/several-indexes.ts";
import { type Member, membersOf } from "../workspace/members.ts";
import { type Workspace, withOwnIndex } from "../workspace/workspace.ts";
import { taskRepos } from "./task-members.ts";

/** A path starts from the working folder or from the root. Throws as `explain` does. */
export async function explainTask(workspace: Workspace, typedId: string, what: string | null): Promise<Explanation> {
  const { root, environment } = workspace;
  const log = workspace.log.read();
  if (log === null) throw new Failed({ code: "unknown-task", taskId: typedId });
  const repos = taskRepos(log, typedId);
  const cwd = realpathSync(environment.cwd);
  const named = (typed: string): string | null =>
    repos.length === 0 ? null : partAmong(present(root, repos), typed, [cwd, root]);
  const bases = { root: withSlashes(root), folder: withSlashes(cwd), named };
  const explainWith = (kb: KnowledgeBase | null, target = what): Promise<Explanation> =>
    explain(log, kb, typedId, target, bases);
  const { index } = workspace;
  if (repos.length === 0 && !index.exists()) return await explainWith(null);
  if (repos.length === 0)
    return what === null ? await explainWith(index.open()) : await explainFormerly(workspace, what, explainWith);
  // Later questions of this process may be asked of others.
  const own = withOwnIndex(workspace);
  try {
    await withAskedIndex(own, repos, new AbortController().signal);
    return await explainWith(own.index.opened());
  } finally {
    own.index.close();
  }
}

/** Of a path that a commit renamed, explains the file of today, or the same part of it. Throws `no-match` with the commit that deleted it. */
async function explainFormerly(
  workspace: Workspace,
  what: string,
  explainWith: (kb: KnowledgeBase, target: string) => Promise<Explanation>,
): Promise<Explanation> {
  const kb = workspace.index.open();
  try {
    return await explainWith(kb, what);
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.code !== "no-match") throw error;
    const { formerNotice, formerPathsNamed, pathsTyped } = await import("../indexing/former-names.ts");
    const typed = pathsTyped(what);
    const [former] = await formerPathsNamed(workspace, typed.paths, new AbortController().signal);
    if (former === undefined) throw error;
    if (former.now !== null) return { ...(await explainWith(kb, typed.withPath(former, former.now))), target: what };
    throw new Failed({ code: "no-match", message: noticeSentence(formerNotice(former)) }, { cause: error });
  }
}

/** Those of the repositories that are there: the log tells of the others. */
const present = (root: string, repos: readonly string[]): readonly Member[] => {
  try {
    return membersOf(root, repos);
  } catch (error) {
    if (error instanceof Failed) return [];
    throw error;
  }
};

const withSlashes = (path: string): string => path.replaceAll(sep, "/");
