/**
 * How well each of several repositories matches a task, as a factor for its files.
 *
 * Files of other repositories say the same words about other things, and one of them often scores like those that are meant; but
 * hardly ever do three. With this factor the right files of 86 development cases of ten repositories, each asked of all ten, are
 * all in the first five in 80 % instead of 77 (alone: 83), and the right repository is the strongest in 98 %.
 */
import type { FileScore } from "../model/scores.ts";

/** A repository is as strong as so many of its best files together. */
const FILES = 3;
const POWER = 2;

/** A factor in 0..1 for each file, by position. `scores` are the best first; paths begin with the name of their repository. */
export function repositoryFactors(
  files: readonly { readonly path: string }[],
  scores: readonly Pick<FileScore, "path" | "total">[],
): Float64Array {
  const strengths = new Map<string, { sum: number; files: number }>();
  for (const { path, total } of scores) {
    const strength = strengths.get(repositoryOf(path)) ?? { sum: 0, files: 0 };
    strengths.set(repositoryOf(path), strength);
    if (strength.files === FILES) continue;
    strength.sum += total;
    strength.files += 1;
  }
  const best = Math.max(...[...strengths.values()].map(({ sum }) => sum));
  return Float64Array.from(files, ({ path }) => {
    const sum = strengths.get(repositoryOf(path))?.sum;
    return sum === undefined ? 1 : (sum / best) ** POWER;
  });
}

const repositoryOf = (path: string): string => path.slice(0, path.indexOf("/"));
