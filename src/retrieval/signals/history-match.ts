/**
 * Whether commits whose messages are like the task changed the file: what was done before in like words is done again
 * nearby.
 *
 * Of the commits that hold most of the task's keywords each counts by the square of its match against the best one's,
 * shared among the files it changed by the root of their number. The root of what a file gets, at most 1: one good
 * match says nearly as much as three. On real issues it gains .8 and 1.6 points of the mean of all measures of files in the
 * two halves of the development repositories, on 3,320 tasks that are commit messages 1.4 and 2.4; subjects alone, or each
 * commit's match as it is, give less.
 */
import type { Signal } from "./signal.ts";

/** Commits that count. */
const COMMITS_MAX = 20;

export const historyMatch: Signal = {
  why: "commits with like messages changed the file",
  score: ({ kb, files, task }) => {
    if (kb.commitRange() === null) return null;
    const commits = kb.findCommits(task.keywords.join(" "), COMMITS_MAX);
    const best = commits[0]?.rank ?? 0;
    const given = new Map<string, number>();
    if (best > 0)
      for (const { rank, paths } of commits) {
        const share = (rank / best) ** 2 / Math.sqrt(paths.length);
        for (const path of paths) given.set(path, (given.get(path) ?? 0) + share);
      }
    return Float64Array.from(files, ({ path }) => Math.sqrt(Math.min(1, given.get(path) ?? 0)));
  },
};
