import { expect, test } from "bun:test";
import { isTestPath } from "../../../src/languages/file-role.ts";
import { languageOf } from "../../../src/languages/languages.ts";
import { pathFactors } from "../../../src/retrieval/ranking/path-penalty.ts";
import type { TaskType } from "../../../src/task/query.ts";
import { taskOf } from "../../support/task.ts";

const factor = (path: string, title = "Login fails", taskType: TaskType = "bug_fix"): number | undefined =>
  pathFactors(taskOf([["title", title]], { taskType }), [
    { path, language: languageOf(path), isTest: isTestPath(path) },
  ])[0];

test.each([
  ["src/login.ts", 1],
  ["src/contest.py", 1],
  ["tests/login.test.ts", 0.2],
  ["examples/login.ts", 0.4],
  ["src/types.d.ts", 0.8],
  ["vite.config.ts", 0.7],
  ["docs/login.md", 0.25],
  ["CHANGELOG.rst", 0.25],
  ["package.json", 0.25],
  ["data/users.yaml", 0.25],
])("%s keeps %d of its score", (path, expected) => {
  expect(factor(path)).toBe(expected);
});

test("a task about writing tests is about tests; one that mentions them is not", () => {
  expect(factor("tests/a.test.ts", "Add tests for the login flow", "test")).toBe(1);
  expect(factor("tests/a.test.ts", "Improve coverage of the parser", "test")).toBe(1);
  expect(factor("tests/a.test.ts", "tearDown runs on skipped tests when running --pdb", "test")).toBe(0.2);
  expect(factor("tests/a.test.ts", "Add tests for the login flow", "feature")).toBe(0.2);
});

test("a title about docs or examples removes their penalty", () => {
  expect(factor("docs/login.md", "Fix typo in the documentation")).toBe(1);
  expect(factor("examples/login.ts", "The login example crashes")).toBe(1);
  expect(factor("tests/login.test.ts", "Fix typo in the documentation")).toBe(0.2);
});
