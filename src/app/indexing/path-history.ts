/**
 * Finds what became of paths that no file has, from the commits of the index.
 *
 * Their paths are in the parse cache; what it lacks is read from git again, so the answer does not depend on it.
 */
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import { readCachedCommits } from "../../db/parse-cache/commit-cache.ts";
import { gitStateInFiles } from "../../source/git/git-state.ts";
import type { CommitRecord } from "../../source/history/history.ts";
import { openHistory } from "../../source/history/open-history.ts";
import { formerPath } from "../../source/revisions/former-path.ts";
import { openRevisions } from "../../source/revisions/open-revisions.ts";
import type { NamedFormerly } from "../../task/query.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** What became of paths that no file has. An index without history knows nothing of it. */
export async function formerPathsNamed(
  { root, environment, config, paths, index }: Workspace,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly NamedFormerly[]> {
  const kb = index.open();
  const { head, historyProblem, provisional } = kb.meta();
  if (head === null || historyProblem !== null || provisional !== undefined) return [];
  const reader = openRevisions(environment.variables);
  const present = await reader.files(root, head, signal);
  if (present.kind !== "found") return [];
  const commits = await commitsOf({ root, environment, config, paths }, kb, signal);
  const history = { reader, root, commits, present: present.value };
  const found: NamedFormerly[] = [];
  for (const named of names) {
    const former = await formerPath(history, named.replaceAll("\\", "/"), signal);
    if (former !== null) found.push({ named, ...former });
  }
  return found;
}

/** The commits of the index, newest first. */
async function commitsOf(
  { root, environment, config, paths }: Pick<Workspace, "root" | "environment" | "config" | "paths">,
  kb: Pick<KnowledgeBase, "commitHashes">,
  signal: AbortSignal,
): Promise<readonly CommitRecord[]> {
  const hashes = kb.commitHashes();
  const known = readCachedCommits(paths.parseCache, hashes);
  if (known.size === hashes.length) return hashes.flatMap((hash) => known.get(hash) ?? []);
  const history = openHistory(environment.variables);
  const commitsMax = config.settings["index.commits_max"];
  const options = { commitsMax, known, head: gitStateInFiles(root)?.head, signal };
  return (await history.readHistory(root, options)).commits;
}
