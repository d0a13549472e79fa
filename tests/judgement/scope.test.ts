import { expect, test } from "bun:test";
import { FILES_ASKED_MAX, scopeQuestion } from "../../src/judgement/scope.ts";

test("the description of a file for a model", () => {
  const { candidates, lists, rest, stage, task } = scopeQuestion("Fix it", [
    {
      path: "src/a.ts",
      summary: ["Parses\nURLs.", "", "function parse(text: string): Url", "y".repeat(50), "x".repeat(500)],
    },
  ]);
  expect({ stage, task, lists: [...lists], rest }).toEqual({
    stage: "scope",
    task: "Fix it",
    lists: ["relevant"],
    rest: "irrelevant",
  });
  expect(candidates).toEqual([
    {
      key: "src/a.ts",
      text: `src/a.ts\nParses URLs.\nfunction parse(text: string): Url\n${"y".repeat(50)}\n${"x".repeat(89)}…`,
    },
  ]);
});

test("only the best files are asked about, and nothing says which is best", () => {
  const files = Array.from({ length: 60 }, (_, at) => ({ path: `f${at}`, summary: [] }));
  const { candidates } = scopeQuestion("Fix it", files);
  expect(candidates.map(({ key }) => key)).toEqual(files.slice(0, FILES_ASKED_MAX).map(({ path }) => path));
  expect(candidates.map(({ text }) => text)).toEqual(candidates.map(({ key }) => key));
});
