/**
 * Whether commits with messages like the task changed the file, because similar work often recurs in the same place.
 *
 * The commits that contain most of the task's keywords count, each by the fourth power of its match relative to the best,
 * divided by the square root of the number of files it changed. The value is the square root of a file's sum, at most 1, so
 * one good match counts nearly as much as three. In the two halves of the development cases it gains .9 and 2.1 points of
 * the mean of all file measures; on 3,320 tasks from the repositories' histories 1.5 and 2.8. Powers of 1 to 4, 10 to 50
 * commits and weights of .4 to .6 give similar results; searching by the title alone gives half.
 */
import type { Signal } from "./signal.ts";

/** The number of commits that count. */
const COMMITS_MAX = 20;

export const historyMatch: Signal = ({ kb, files, task }) => {
  if (kb.commitRange() === null) return null;
  const commits = kb.findCommits(task.keywords.join(" "), COMMITS_MAX);
  const best = commits[0]?.rank ?? 0;
  const given = new Map<string, number>();
  if (best > 0)
    for (const { rank, paths } of commits) {
      const share = (rank / best) ** 4 / Math.sqrt(paths.length);
      for (const path of paths) given.set(path, (given.get(path) ?? 0) + share);
    }
  return Float64Array.from(files, ({ path }) => Math.sqrt(Math.min(1, given.get(path) ?? 0)));
};
