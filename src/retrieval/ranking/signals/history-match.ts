/**
 * Whether commits with messages like the task changed the file, because similar work often recurs in the same place.
 *
 * The commits that contain most of the task's keywords count, each by the fourth power of its match relative to the best,
 * divided by the square root of the number of files it changed. The value is the square root of a file's sum, at most 1, so
 * one good match counts nearly as much as three. In the two halves of the development cases it gains .9 and 2.1 points of
 * the mean of all file measures; on 3,320 tasks from the repositories' histories 1.5 and 2.8. Powers of 1 to 4, 10 to 50
 * commits and weights of .4 to .6 give similar results; searching by the title alone gives half.
 */

import type { FoundCommitRow, KnowledgeBase } from "../../../db/curated/knowledge-base.ts";
import type { TaskQuery } from "../../../task/query.ts";
import { columnOf } from "../column.ts";
import type { Signal } from "./signal.ts";

/** The number of commits that count. */
const COMMITS_MAX = 20;

/** The commits with messages most like the task, best first; null without history. */
export function likeCommits(
  kb: Pick<KnowledgeBase, "commitRange" | "findCommits">,
  { keywords }: Pick<TaskQuery, "keywords">,
): readonly FoundCommitRow[] | null {
  const words = keywords.join(" ");
  const known = newest.get(kb);
  if (known?.words === words) return known.commits;
  const commits = kb.commitRange() === null ? null : kb.findCommits(words, COMMITS_MAX);
  newest.set(kb, { words, commits });
  return commits;
}

type Like = { readonly words: string; readonly commits: readonly FoundCommitRow[] | null };
/** Of each open index, the last answer: a run asks twice, for the scores and for the reasons. */
const newest = new WeakMap<object, Like>();

export const historyMatch: Signal = ({ kb, files, task }) => {
  const commits = likeCommits(kb, task);
  if (commits === null) return null;
  const best = commits[0]?.rank ?? 0;
  const given = new Map<string, number>();
  if (best > 0)
    for (const { rank, paths } of commits) {
      const share = (rank / best) ** 4 / Math.sqrt(paths.length);
      for (const path of paths) given.set(path, (given.get(path) ?? 0) + share);
    }
  return columnOf(files, ({ path }) => Math.sqrt(Math.min(1, given.get(path) ?? 0)));
};
