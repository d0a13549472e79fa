import { describe, expect, test } from "bun:test";
import { compare } from "../../src/evaluation/compare.ts";
import { curveOf } from "../../src/evaluation/curve.ts";
import type { CurveLabel } from "../../src/evaluation/curve-points.ts";
import { measure } from "../../src/evaluation/metrics.ts";
import { comparisonSections } from "../../src/evaluation/report/report-comparison.ts";
import { recallByTokens } from "../../src/evaluation/report/report-tokens.ts";
import { summarize } from "../../src/evaluation/summary.ts";
import { aCase, anAnswer, gold, packed, span } from "./answers.ts";
import { aResult } from "./results.ts";

/** A case whose packages have these tokens, and find this share of the symbols. */
type Points = Readonly<Partial<Record<CurveLabel, readonly [tokens: number, found: number]>>>;

function measured(points: Points) {
  const labels = Object.keys(points) as CurveLabel[];
  return {
    scores: Object.fromEntries(labels.map((label) => [`symbol_recall@${label}`, points[label]?.[1] ?? 0])),
    amounts: Object.fromEntries(labels.map((label) => [`tokens@${label}`, points[label]?.[0] ?? 0])),
    fileRanks: [1],
    ms: { index: 0, retrieve: 0 },
  };
}
const aCurveCase = (id: string, points: Points) => aResult(id, {}, { metrics: measured(points) });
const overFixed = (points: Points): number | null | undefined =>
  summarize([aCurveCase("a", points)]).curve.find(({ label }) => label === "coverage-auto")?.over_fixed;

describe("a level of coverage", () => {
  const FIXED: Points = { "fixed-4k": [4_000, 0.5], "fixed-8k": [8_000, 0.75], "fixed-16k": [16_000, 0.8] };

  test("is measured against a fixed budget of as many tokens", () => {
    expect(overFixed({ ...FIXED, "coverage-auto": [6_000, 0.75] })).toBeCloseTo(0.125, 9);
    expect(overFixed({ ...FIXED, "coverage-auto": [8_000, 0.7] })).toBeCloseTo(-0.05, 9);
    expect(overFixed({ ...FIXED, "coverage-auto": [16_000, 0.8] })).toBeCloseTo(0, 9);
  });

  test("has nothing to be measured against outside of the fixed budgets", () => {
    expect(overFixed({ ...FIXED, "coverage-auto": [3_000, 0.75] })).toBeNull();
    expect(overFixed({ ...FIXED, "coverage-auto": [20_000, 0.75] })).toBeNull();
    expect(overFixed({ "coverage-auto": [3_000, 0.75] })).toBeNull();
  });

  test("takes the means over all cases", () => {
    const [row] = summarize([
      aCurveCase("a", { "fixed-4k": [3_000, 1] }),
      aCurveCase("b", { "fixed-4k": [4_000, 0] }),
    ]).curve;
    expect(row).toEqual({
      label: "fixed-4k",
      tokens: 3_500,
      symbol_recall: 0.5,
      file_recall: null,
      test_recall: null,
      token_efficiency: null,
      over_fixed: null,
    });
  });
});

test("points without packages are left out", () => {
  expect(curveOf({ share: () => 1, tokens: (name) => (name === "tokens@coverage-50" ? 9 : undefined) })).toMatchObject([
    { label: "coverage-50", tokens: 9, symbol_recall: 1 },
  ]);
});

test("a point has the figures of its own package", () => {
  const [small, large] = [packed([span("a", 5, 9)]), packed([span("a", 5, 9), span("tests/a", 1, 9), span("b", 1, 9)])];
  const expected = aCase({
    expectedFiles: ["a", "b"],
    expectedTestFiles: ["tests/a"],
    expectedSymbols: [gold("a", "get", 5, 9)],
  });
  const { scores, amounts } = measure(
    expected,
    anAnswer({
      curve: [
        { ...small, label: "fixed-2k" },
        { ...large, label: "coverage-auto" },
      ],
    }),
  );
  expect(amounts).toMatchObject({ "tokens@fixed-2k": 10, "tokens@coverage-auto": 30 });
  expect(scores).toMatchObject({ "symbol_recall@fixed-2k": 1, "file_recall@fixed-2k": 0.5, "test_recall@fixed-2k": 0 });
  expect(scores).toMatchObject({ "file_recall@coverage-auto": 1, "test_recall@coverage-auto": 1 });
  expect(scores["token_efficiency@coverage-auto"]).toBeCloseTo(2 / 3, 9);
});

describe("tables", () => {
  const before = [
    aCurveCase("a", { "fixed-2k": [2_000, 0.4], "fixed-4k": [4_000, 0.6], "coverage-80": [3_000, 0.45] }),
  ];
  const after = [aCurveCase("a", { "fixed-2k": [2_000, 0.4], "fixed-4k": [4_000, 0.6], "coverage-80": [2_500, 0.5] })];

  test("show fixed budgets beside levels of coverage", () => {
    expect(recallByTokens(summarize(after)).rows).toEqual([
      ["fixed 2k", "2000", "40.0", "-", "-", "-", ""],
      ["fixed 4k", "4000", "60.0", "-", "-", "-", ""],
      ["coverage 80 %", "2500", "50.0", "-", "-", "-", "+5.0"],
    ]);
  });

  test("compare the curves of the common cases", () => {
    const own = aCurveCase("new", { "fixed-4k": [4_000, 0] });
    const { curve, ...rest } = compare([...after, own], before);
    const gains = [curve?.before, curve?.after].map((rows) => rows?.find(({ label }) => label === "coverage-80"));
    expect(gains.map((row) => row?.over_fixed?.toFixed(3))).toEqual(["-0.050", "0.050"]);
    const sections = comparisonSections({ ...rest, curve });
    expect(sections.find(({ title }) => title === "Recall against tokens, against the baseline")?.rows.at(-1)).toEqual([
      ...["coverage 80 %", "3000", "2500", "45.0", "50.0", "+5.0", "-5.0", "+5.0"],
    ]);
    // They have a table of their own, so they are not among the others.
    expect(JSON.stringify(sections.slice(0, -1))).not.toContain("coverage");
  });

  test("results without a curve have none", () => {
    const plain = [aResult("a", { mrr: 1 })];
    expect([summarize(plain).curve, compare(plain, after).curve]).toEqual([[], null]);
  });
});
