/**
 * How much each of several repositories counts for a task, as a factor for the scores that its files have when it is asked alone.
 *
 * - A score of a repository asked alone is relative to its own best file, so it does not say how good that file is. Scores by the
 *   statistics of all repositories together do. The factor makes the best files of each repository score as they do together.
 * - Files of another repository use the same words for other things. One of them often scores like the files that are meant, three
 *   hardly ever do. So a repository also counts by the strength of its three best files.
 * - The more files a repository has, the better its best file matches by accident, so a very large one counts less.
 */
import type { FileScore } from "../model/scores.ts";

/** A repository is as strong as this many of its best files together. */
const FILES = 3;
const POWER = 3;
/** How much stronger it is when the task names it. */
const NAMED = 1.25;
/** How the best scores of a repository that is not meant grow with its number of files, beyond the first thousand. */
const GROWTH = 0.3;
const FEW_FILES = 1_000;

type Score = Pick<FileScore, "fileId" | "total">;

/** A repository: its scores when it is asked alone, the best first, how many files it has, and whether the task names it. */
type Apart = { readonly scores: readonly Score[]; readonly fileCount: number; readonly isNamed: boolean };

/** A factor in 0..1 for each repository. `together` are the scores of all files as if they were of one repository, the best first. */
export function repositoryWeights(together: readonly Score[], apart: readonly Apart[]): readonly number[] {
  const repositoryOf = new Map(apart.flatMap(({ scores }, at) => scores.map(({ fileId }) => [fileId, at] as const)));
  const byRepository = Map.groupBy(together, ({ fileId }) => repositoryOf.get(fileId));
  const matches = apart.map(
    ({ fileCount }, at) => bestOf(byRepository.get(at) ?? []) / (FEW_FILES + fileCount) ** GROWTH,
  );
  const strengths = apart.map(({ isNamed }, at) => (matches[at] ?? 0) * (isNamed ? NAMED : 1));
  const strongest = Math.max(...strengths);
  if (strongest === 0) return apart.map(() => 1);
  const factors = apart.map(({ scores }, at) => {
    const match = matches[at] ?? 0;
    return match === 0 ? 0 : ((strengths[at] ?? 0) / strongest) ** POWER * (match / bestOf(scores));
  });
  const largest = Math.max(...factors);
  return factors.map((factor) => factor / largest);
}

const bestOf = (scores: readonly Score[]): number => scores.slice(0, FILES).reduce((sum, { total }) => sum + total, 0);

/** Whether a text names a repository, by the last part of its name: `acme/chart.js` by "chart" too. */
export function isNamed(repository: string, text: string): boolean {
  const name = repository.slice(repository.lastIndexOf("/") + 1);
  const said = wordsOf(text);
  return [name, name.replace(/\.\w+$/, "")].some((form) => said.includes(wordsOf(form)));
}

/** The words in lower case, each between spaces. */
const wordsOf = (text: string): string =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  } `;
