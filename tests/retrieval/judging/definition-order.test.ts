import { expect, test } from "bun:test";
import { reordered } from "../../../src/retrieval/judging/definition-order.ts";
import type { DefinitionScore } from "../../../src/retrieval/model/scores.ts";

/** Forty definitions of as many files, whose scores are as close as those of a ranking. */
const DEFINITIONS: readonly DefinitionScore[] = Array.from({ length: 40 }, (_, at) => ({
  symbolId: at,
  fileId: at,
  score: 10 * 0.98 ** at,
}));
const placesOf = (factorOf: (fileId: number) => number): readonly number[] =>
  reordered(DEFINITIONS, ({ fileId }) => factorOf(fileId)).map(({ symbolId }) => symbolId);

test("a verdict that triples the probability of a late definition does not bring it among the first five", () => {
  for (const judged of [20, 30, 39])
    expect(placesOf((id) => (id === judged ? 3 : 1)).indexOf(judged)).toBeGreaterThan(4);
});

test("a verdict brings a definition forward, a verdict against one puts it back, and places keep their scores", () => {
  expect(placesOf((id) => (id === 6 ? 10 : 1)).indexOf(6)).toBeLessThan(2);
  expect(placesOf((id) => (id === 0 ? 0.1 : 1)).indexOf(0)).toBeGreaterThan(2);
  const after = reordered(DEFINITIONS, ({ fileId }) => (fileId % 3 === 0 ? 0.2 : 2));
  expect(after.map(({ score }) => score)).toEqual(DEFINITIONS.map(({ score }) => score));
});

test("without verdicts the order stays, also without definitions", () => {
  expect(reordered(DEFINITIONS, () => 1)).toEqual(DEFINITIONS);
  expect(reordered([], () => 2)).toEqual([]);
});
