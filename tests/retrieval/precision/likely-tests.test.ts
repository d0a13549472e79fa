/** Which test files in scope are likely to belong to a task, on files and links made by hand. */
import { expect, test } from "bun:test";
import type { FileRow, TestSourceRow } from "../../../src/db/curated/knowledge-base.ts";
import type { ScopedFile } from "../../../src/retrieval/model/selection.ts";
import { likelyTests } from "../../../src/retrieval/precision/likely-tests.ts";

const file = (id: number, path: string, isTest: boolean): FileRow => ({
  ...{ id, path, isTest, language: "python", lineCount: 100, tokenCount: 1_000 },
  ...{ contentHash: "", sizeBytes: 4_000, modifiedAt: null },
});

const scoped = (id: number, path: string): ScopedFile => ({
  file: file(id, path, path.startsWith("tests/")),
  tier: "ranked",
  relation: "",
  match: [],
  rank: id,
  score: { fileId: id, path, total: path.startsWith("tests/") ? 0 : 1, terms: [] },
});

const links = (scores: readonly number[]): readonly TestSourceRow[] =>
  scores.map((score, at) => ({ test: 11 + at, source: 1, score, by: "name,reference" }));

const likely = (scores: readonly number[]): readonly number[] => {
  const files = [scoped(1, "a.py"), ...scores.map((_, at) => scoped(11 + at, `tests/test_${at}.py`))];
  return likelyTests(files, links(scores)).map(({ fileId }) => fileId);
};

test("the likeliest come first", () => {
  expect(likely([0.6, 0.9, 0.8])).toEqual([12, 13, 11]);
});

test("the second is at least half as likely as the first, and each further one a tenth more", () => {
  expect(likely([1, 0.51])).toEqual([11, 12]);
  expect(likely([1, 0.49])).toEqual([11]);
  expect(likely([1, 0.59, 0.58])).toEqual([11, 12]);
  expect(likely([1, 0.8, 0.61])).toEqual([11, 12, 13]);
  expect(likely([1, 1, 1, 0.71, 0.71])).toEqual([11, 12, 13, 14]);
});

test("a test that neither covers a good file nor matches the task is not likely", () => {
  expect(likely([0.2])).toEqual([]);
});
