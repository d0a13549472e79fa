/** The coverages to step through, on stops made by hand. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Coverage } from "../../../../src/retrieval/model/budget.ts";
import { type Item, PLAIN_ITEM } from "../../../../src/retrieval/packing/items/items.ts";
import { coverageLevels, isNarrower } from "../../../../src/retrieval/packing/worth/coverage-levels.ts";

const item = (bodyTokens: number): Item => ({
  ...PLAIN_ITEM,
  key: "a.ts#1",
  fileId: 1,
  path: "a.ts",
  label: "one",
  why: "",
  tier: "primary",
  floor: false,
  rank: 1,
  score: 1,
  ranges: [{ startLine: 1, endLine: 2 }],
  bodyTokens,
});

/** A stop that gives these tokens for `auto`, and a share of the total for a share. */
const stopOf = (auto: number, total: number) => (coverage: Coverage) => ({
  relevant: [item(coverage === "auto" ? auto : Math.floor(coverage * total))],
});

test("a task's levels go from the narrowest to the one that fills the budget, with auto where its tokens put it", () => {
  const levels = coverageLevels(stopOf(750, 1_000), "auto", 10_000);
  expect(levels.map(({ coverage }) => coverage)).toEqual([0.3, 0.5, 0.7, "auto", 0.8, 0.9, 0.95, 1]);
  expect(levels.map(({ tokens }) => tokens)).toEqual([300, 500, 700, 750, 800, 900, 950, 1_000]);
});

test("a share that the budget has no room for, or that gives what another level gives, is no level", () => {
  expect(coverageLevels(stopOf(700, 1_000), "auto", 850).map(({ coverage }) => coverage)).toEqual([
    0.3,
    0.5,
    "auto",
    0.8,
    1,
  ]);
  // Of 3, a share of .7 and .8 gives 2.
  expect(coverageLevels(stopOf(0, 3), 0.3, 10).map(({ coverage }) => coverage)).toEqual([0.3, "auto", 0.5, 0.95, 1]);
  const same = () => ({ relevant: [item(252)] });
  expect(coverageLevels(same, "auto", 1_000).map(({ coverage }) => coverage)).toEqual(["auto", 1]);
});

test("the current coverage is a level of its own", () => {
  expect(coverageLevels(stopOf(750, 1_000), 0.85, 800).map(({ coverage }) => coverage)).toEqual([
    0.3,
    0.5,
    0.7,
    "auto",
    0.8,
    0.85,
    1,
  ]);
});

test("property: tokens never fall from one level to the next, and no coverage occurs twice", () => {
  fc.assert(
    fc.property(fc.nat(2_000), fc.nat(2_000), fc.nat(2_500), (auto, total, budget) => {
      const levels = coverageLevels(stopOf(auto, total), "auto", budget);
      const tokens = levels.map((level) => level.tokens);
      expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
      expect(new Set(levels.map(({ coverage }) => coverage)).size).toBe(levels.length);
      expect(levels.map(({ coverage }) => coverage)).toEqual(expect.arrayContaining(["auto", 1]));
    }),
  );
});

test("auto is narrower than a share when less is relevant at it", () => {
  const stopAt = stopOf(750, 1_000);
  expect([isNarrower(stopAt, "auto", 0.8), isNarrower(stopAt, 0.7, "auto")]).toEqual([true, true]);
  expect([isNarrower(stopAt, 0.8, "auto"), isNarrower(stopAt, "auto", "auto")]).toEqual([false, false]);
});
