/** Which of several repositories a task is about, and what that does to files of the others. */
import { expect, test } from "bun:test";
import { isNamed, repositoryWeights } from "../../../src/retrieval/ranking/repository-weights.ts";

/** Scores of the files of a repository, the best first. */
const scored = (first: number, totals: readonly number[]) => totals.map((total, at) => ({ fileId: first + at, total }));
const unnamed = (scores: ReturnType<typeof scored>) => ({ scores, fileCount: 100, isNamed: false });
const weightsOf = (...repositories: readonly (readonly number[])[]): readonly number[] => {
  const apart = repositories.map((totals, at) => scored(1000 * at, totals));
  return repositoryWeights(
    apart.flat().sort((a, b) => b.total - a.total),
    apart.map(unnamed),
  );
};

test("the repository whose best three files are the strongest keeps its scores, however well one file of another does", () => {
  expect(weightsOf([2, 1.8, 1.6], [2.4, 0.2, 0.1])).toEqual([1, 0.5 ** 3]);
});

test("many weak files make no repository strong, and two that match alike keep their scores", () => {
  const many = Array.from({ length: 50 }, () => 0.5);
  expect(weightsOf([1, 0.9], many)).toEqual([1, expect.closeTo((1.5 / 1.9) ** 3, 12)]);
  expect(weightsOf([1], [1])).toEqual([1, 1]);
});

test("the best file of a weak repository is no better than together with all others", () => {
  const together = [...scored(0, [2, 1.8]), ...scored(1000, [0.2, 0.18])];
  const [right, other = 0] = repositoryWeights(together, [scored(0, [2, 1.8]), scored(1000, [2, 1.8])].map(unnamed));
  expect(right).toBe(1);
  expect(other).toBeCloseTo(0.1 ** 4, 12);
});

test("of two that match alike a very large one counts less, but hardly one of hundreds beside one of three files", () => {
  const [small, large] = [scored(0, [1]), scored(1000, [1])];
  const largeIs = (fewFiles: number, manyFiles: number): number | undefined =>
    repositoryWeights(
      [...small, ...large],
      [
        { ...unnamed(small), fileCount: fewFiles },
        { ...unnamed(large), fileCount: manyFiles },
      ],
    )[1];
  expect(largeIs(100, 5_000)).toBeCloseTo((1_100 / 6_000) ** (4 * 0.3), 12);
  expect(largeIs(3, 300)).toBeGreaterThan(0.7);
});

test("a repository that the task names is preferred to one that matches a little better", () => {
  const [web, api] = [scored(0, [1.1]), scored(1000, [1])];
  expect(repositoryWeights([...web, ...api], [unnamed(web), { ...unnamed(api), isNamed: true }])).toEqual([
    expect.closeTo((1.1 / 1.25) ** 3),
    1,
  ]);
  for (const text of ["Chart.js draws nothing", "in chart", "(CHART)"])
    expect(isNamed("acme/Chart.js", text)).toBe(true);
  for (const text of ["charts", "my_chartjs", ""]) expect(isNamed("acme/Chart.js", text)).toBe(false);
  expect(isNamed("github.com/acme/readme-stats", "A card of Readme Stats")).toBe(true);
  expect(isNamed("github.com/acme/readme-stats", "acme")).toBe(false);
});

test("without any score nothing changes, and a repository without one gets nothing", () => {
  expect(repositoryWeights([], [[], []].map(unnamed))).toEqual([1, 1]);
  expect(weightsOf([1], [])).toEqual([1, 0]);
});
