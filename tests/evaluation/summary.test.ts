import { expect, test } from "bun:test";
import fc from "fast-check";
import type { CaseResult } from "../../src/evaluation/model.ts";
import { meansOf, summarize } from "../../src/evaluation/summary.ts";
import { aResult } from "./results.ts";

const timed = (retrieve: number): CaseResult => {
  const result = aResult(`case ${retrieve}`, {});
  return { ...result, metrics: { ...result.metrics, ms: { index: 1, retrieve } } };
};

test("a mean includes the cases that have the metric", () => {
  const results = [aResult("a", { mrr: 1, symbol_recall: 0.5 }), aResult("b", { mrr: 0.5 })];
  expect(meansOf(results)).toEqual({ mrr: { mean: 0.75, n: 2 }, symbol_recall: { mean: 0.5, n: 1 } });
});

test("latency percentiles use the nearest rank", () => {
  const { latency } = summarize([10, 3, 7, 1, 9, 2, 8, 4, 6, 5].map(timed));
  expect(latency.retrieve).toEqual({ median: 5, p90: 9, max: 10 });
  expect(summarize([]).latency.retrieve).toBeNull();
});

test("an amount has a mean and a median", () => {
  const sized = (tokens: number): CaseResult => {
    const result = aResult(`case ${tokens}`, {});
    return {
      ...result,
      metrics: { ...result.metrics, amounts: { tokens, ...(tokens > 20 ? { "tokens@4k": 1 } : {}) } },
    };
  };
  expect(summarize([10, 30, 20].map(sized)).amounts).toEqual({
    tokens: { mean: 20, median: 20, n: 3 },
    "tokens@4k": { mean: 1, median: 1, n: 1 },
  });
});

test("groups are told apart by one, two, and three or more expected files", () => {
  const expecting = (files: number): CaseResult => {
    const result = aResult(`case ${files}`, { symbol_recall: 1 / (files + 1) });
    return { ...result, metrics: { ...result.metrics, fileRanks: Array.from({ length: files }, () => null) } };
  };
  const groups = summarize([0, 1, 2, 3, 4].map(expecting)).groups.filter(({ by }) => by === "expected_files");
  expect(groups.map(({ name, cases }) => [name, cases])).toEqual([
    ["three or more", 2],
    ["none", 1],
    ["one", 1],
    ["two", 1],
  ]);
});

test("groups are ordered by size, and unknown is its own group", () => {
  const results = [
    aResult("a", { mrr: 1 }, { language: "go", answerLeak: { path: false, basename: true, symbol: true } }),
    aResult("b", { mrr: 0 }, { answerLeak: { path: false, basename: false, symbol: true } }),
    aResult("c", { mrr: 0.5 }, { source: null, answerLeak: null }),
  ];
  const names = (by: string) =>
    summarize(results)
      .groups.filter((group) => group.by === by)
      .map(({ name, cases, means }) => [name, cases, means.mrr?.mean]);
  expect(names("language")).toEqual([
    ["python", 2, 0.25],
    ["go", 1, 1],
  ]);
  expect(names("source")).toEqual([
    ["history", 2, 0.5],
    ["unknown", 1, 0.5],
  ]);
  expect(names("gives_away").map(([name]) => name)).toEqual(["a definition", "a file", "unknown"]);
  expect(names("expected_files")).toEqual([["one", 3, 0.5]]);
});

test("every case is in one group per grouping, and weighted group means equal the total", () => {
  const language = fc.constantFrom("go", "rust", null);
  const results = fc
    .array(fc.tuple(language, fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 1 })
    .map((rows) => rows.map(([of, mrr], at) => aResult(`case ${at}`, { mrr }, { language: of })));
  fc.assert(
    fc.property(results, (all) => {
      const { groups, means } = summarize(all);
      const own = groups.filter(({ by }) => by === "language");
      expect(own.reduce((sum, { cases }) => sum + cases, 0)).toBe(all.length);
      const weighted = own.reduce((sum, group) => sum + (group.means.mrr?.mean ?? 0) * group.cases, 0);
      expect(weighted / all.length).toBeCloseTo(means.mrr?.mean ?? -1, 9);
    }),
  );
});
