import { expect, test } from "bun:test";
import { exactnessOf } from "../../src/evaluation/exactness.ts";
import type { Scores } from "../../src/evaluation/model.ts";

const FOUND: Scores = { symbol_recall: 1, "any@1": 1 };
const asked = (group: string, level: number, tokens: number | null, scores: Scores = FOUND) => ({
  exactness: { group, level },
  metrics: { scores, amounts: tokens === null ? {} : { tokens } },
});

test("cases without a level are no groups", () => {
  expect(exactnessOf([])).toBeNull();
  expect(exactnessOf([{ exactness: null, metrics: { scores: FOUND, amounts: { tokens: 9 } } }])).toBeNull();
});

test("a group grows if any package has more tokens than one of a lower level, in whatever order they come", () => {
  const share = (...cases: readonly ReturnType<typeof asked>[]) => exactnessOf(cases)?.shares.not_growing;
  expect(share(asked("a", 3, 5), asked("a", 1, 9), asked("a", 2, 9))).toEqual({ mean: 1, n: 1 });
  expect(share(asked("a", 1, 9), asked("a", 2, 5), asked("a", 3, 6))).toEqual({ mean: 0, n: 1 });
  expect(share(asked("a", 1, 9), asked("a", 1, 3), asked("a", 2, 4))).toEqual({ mean: 0, n: 1 });
  expect(share(asked("a", 1, 9), asked("a", 2, 9), asked("b", 1, 1), asked("b", 4, 2))).toEqual({ mean: 0.5, n: 2 });
  // One level, or one with tokens, says nothing.
  expect(share(asked("a", 1, 9), asked("a", 1, 5), asked("b", 1, 1), asked("b", 2, null))).toBeUndefined();
});

test("the most exact form of each group counts for the median", () => {
  const cases = [asked("a", 1, 99), asked("a", 3, 10), asked("b", 2, 30), asked("b", 1, 80), asked("c", 9, 20)];
  expect(exactnessOf(cases)).toMatchObject({ groups: 3, tokens: { mean: 20, median: 20, n: 3 } });
});

test("the target of a group is found if it is in every form; each level has its own share", () => {
  const lost: Scores = { symbol_recall: 0.5, "any@1": 0 };
  const found = exactnessOf([
    asked("a", 1, 9, lost),
    asked("a", 2, 7),
    asked("b", 1, 5),
    asked("b", 2, 5),
    asked("c", 1, 5, {}),
  ]);
  expect(found?.shares).toMatchObject({ in_full: { mean: 0.5, n: 2 }, first: { mean: 0.5, n: 2 } });
  expect(found?.levels).toEqual([
    {
      level: 1,
      cases: 3,
      tokens: { mean: 19 / 3, median: 5, n: 3 },
      shares: { in_full: { mean: 0.5, n: 2 }, first: { mean: 0.5, n: 2 } },
    },
    {
      level: 2,
      cases: 2,
      tokens: { mean: 6, median: 5, n: 2 },
      shares: { in_full: { mean: 1, n: 2 }, first: { mean: 1, n: 2 } },
    },
  ]);
});
