/** Which of several repositories a task is about, and what that does to files of the others. */
import { expect, test } from "bun:test";
import { repositoryFactors } from "../../../src/retrieval/ranking/repository-factors.ts";

const scored = (rows: Readonly<Record<string, number>>) =>
  Object.entries(rows)
    .map(([path, total]) => ({ path, total }))
    .sort((a, b) => b.total - a.total);
const factorsOf = (rows: Readonly<Record<string, number>>): readonly number[] => [
  ...repositoryFactors(
    Object.keys(rows).map((path) => ({ path })),
    scored(rows),
  ),
];

test("the repository whose best three files are the strongest keeps its scores, however well one file of another does", () => {
  const rows = {
    "api/a.py": 2,
    "api/b.py": 1.8,
    "api/c.py": 1.6,
    "web/hooks.js": 2.4,
    "web/x.js": 0.2,
    "web/y.js": 0.1,
  };
  const factors = factorsOf(rows);
  expect(factors.slice(0, 3)).toEqual([1, 1, 1]);
  expect(factors.slice(3)).toEqual(Array.from({ length: 3 }, () => 0.25));
});

test("many weak files make no repository strong, and two that match alike keep their order", () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`big/${at}.py`, 0.5]));
  expect(factorsOf({ "small/a.py": 1, "small/b.py": 0.9, ...many }).slice(0, 2)).toEqual([1, 1]);
  expect(factorsOf({ "a/x.py": 1, "b/x.py": 1 })).toEqual([1, 1]);
});

test("without any score, and for a repository without one, nothing changes", () => {
  const files = [{ path: "a/x.py" }, { path: "b/x.py" }];
  expect([...repositoryFactors(files, [])]).toEqual([1, 1]);
  expect([...repositoryFactors(files, [{ path: "a/x.py", total: 1 }])]).toEqual([1, 1]);
});
