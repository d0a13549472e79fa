/** Answers are kept, and all of them are dropped when there are too many. */
import { expect, test } from "bun:test";
import { answerCache } from "../../../src/indexing/imports/answer-cache.ts";

test("a question is asked once, until the cache is full", () => {
  const asked: string[] = [];
  const answers = answerCache<string | null>(2);
  const ask = (question: string): string | null =>
    answers(question, () => {
      asked.push(question);
      return question === "none" ? null : question.toUpperCase();
    });
  expect(["a", "none", "a", "none"].map(ask)).toEqual(["A", null, "A", null]);
  expect(asked).toEqual(["a", "none"]);
  expect(["c", "c", "a", "c"].map(ask)).toEqual(["C", "C", "A", "C"]);
  expect(asked).toEqual(["a", "none", "c", "a"]);
});

test("an answer that needs other answers", () => {
  const answers = answerCache<number>(2);
  const depth = (path: string): number =>
    answers(path, () => (path.includes("/") ? depth(path.slice(0, path.lastIndexOf("/"))) + 1 : 0));
  expect([depth("a/b/c/d"), depth("a/b")]).toEqual([3, 1]);
});
