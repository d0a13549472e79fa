/** The report as people see it, as a file to be read. `UPDATE_GOLDEN=1 bun test evaluation/report` writes it anew. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sectionsText } from "../../../src/cli/evaluation/run-evaluation.ts";
import { compare } from "../../../src/evaluation/compare.ts";
import { resultOf } from "../../../src/evaluation/metrics.ts";
import type { CaseResult } from "../../../src/evaluation/model.ts";
import { reportSections } from "../../../src/evaluation/report/report.ts";
import { caseSections } from "../../../src/evaluation/report/report-cases.ts";
import { ablationSection, comparisonSections } from "../../../src/evaluation/report/report-comparison.ts";
import { summarize } from "../../../src/evaluation/summary.ts";
import { aCase, anAnswer, everywhere, gold, onCurve, packed, span } from "../answers.ts";
import { aResult } from "../results.ts";

const GOLDEN = join(import.meta.dir, "..", "..", "golden", "evaluation", "report.txt");
const WIDTH_MAX = 100;
const LANGUAGES = ["python", "typescript", "go"];
const SOURCES = ["swe-bench-multilingual", "history"];

/** Thirty cases; the expected file is at rank 1, 1 + step, 1 + 2 × step … of 40. */
const results = (step: number): readonly CaseResult[] =>
  Array.from({ length: 30 }, (_, at) => {
    const path = `src/f${(at * step) % 40}.ts`;
    const files = Array.from({ length: 40 }, (_, rank) => ({ path: `src/f${rank}.ts`, isTest: rank % 7 === 1 }));
    const main = packed([span(path, 1, 20 + (at % 4), "body", 300), span("src/f3.ts", 1, 9, "signature", 90)], {
      tokens: 700 + at,
      taskTokens: 50,
    });
    const evaluated = aCase({
      id: `owner__name-${1000 + at}`,
      language: LANGUAGES[at % 3] ?? null,
      source: SOURCES[at % 2] ?? null,
      expectedFiles: at % 5 === 0 ? [path, "src/new.ts", "src/old.ts"].slice(0, at % 10 === 0 ? 3 : 2) : [path],
      expectedTestFiles: at % 3 === 0 ? ["src/f3.ts", "tests/f4.ts"] : [],
      expectedSymbols: at % 4 === 0 ? [] : [gold(path, "get", 3, 22)],
      expectedLines: [{ path, start: 4, end: 23 }],
      answerLeak: { path: at % 6 === 0, basename: false, symbol: at % 4 === 1 },
      exactness: at % 4 === 0 ? null : { group: `get ${at % 7}`, level: 1 + (at % 3) },
    });
    return resultOf(evaluated, {
      ...anAnswer({ rankedFiles: files, scopeFiles: ["src/f0.ts", "src/f7.ts"], main, packages: everywhere(main) }),
      curve: onCurve(main).map((one, point) => ({
        ...one,
        tokens: one.tokens + 400 * (point % 7) - at,
        spans: point % 7 < at % 5 ? [] : one.spans,
      })),
      tierTokens: { primary: 300 + 10 * (at % 4), tests: 90, supporting: 60, type_context: 0, rationale: 4 },
      rankedSymbols: files.map((file) => ({ path: file.path, name: "get", qualified: "m.get", start: 1, end: 20 })),
      ms: { index: 1000 - at, retrieve: 40 + at },
    });
  });

const text = (): string => {
  const [now, before] = [results(7), results(11).slice(2)];
  return sectionsText([
    ...reportSections(now, summarize(now), [{ id: "owner__name-9", why: "its commit is not in the repository" }]),
    ...comparisonSections(compare(now, before)),
    ablationSection([
      { without: "anchors", comparison: compare(before, now) },
      { without: "shingles", comparison: compare(now, now) },
    ]),
  ]);
};

test("the report equals the golden file", () => {
  if (process.env.UPDATE_GOLDEN === "1" || !existsSync(GOLDEN)) {
    mkdirSync(dirname(GOLDEN), { recursive: true });
    writeFileSync(GOLDEN, text());
  }
  expect(text()).toBe(readFileSync(GOLDEN, "utf8"));
});

test("it is at most as wide as a terminal", () => {
  for (const line of text().split("\n")) expect([line, line.length <= WIDTH_MAX]).toEqual([line, true]);
});

test("an empty report is empty", () => expect(sectionsText(reportSections([], summarize([])))).toBe(""));

test("few cases are shown one by one, and all on request", () => {
  const scores = {
    file_recall: 1,
    file_precision: 0.75,
    symbol_recall: 0.5,
    symbol_precision: 0.375,
    token_efficiency: 0.525,
  };
  const one = aResult("one", scores);
  const two = aResult("two", { file_recall: 0, file_precision: 0 });
  const withTokens = [{ ...one, metrics: { ...one.metrics, amounts: { tokens: 546 } } }, two];
  expect(sectionsText(caseSections(withTokens, { all: false }))).toBe(
    [
      "Each case, at the configured budget",
      "case  files  precision  symbols  precision  efficiency  tokens",
      "one   100.0       75.0     50.0       37.5        52.5     546",
      "two     0.0        0.0        -          -           -       -",
      "files, symbols: recall of the package, each before its precision",
      "",
    ].join("\n"),
  );
  const many = results(7);
  expect(caseSections(many, { all: false })).toEqual([]);
  expect(caseSections(many, { all: true })[0]?.rows.map(([id]) => id)).toEqual(many.map(({ id }) => id));
  expect(caseSections([], { all: true })).toEqual([]);
});

test("names from a case file are escaped", () => {
  const hostile = "\u001b]0;owned\u0007";
  const all = [aResult(hostile, { mrr: 0 }, { language: hostile }), aResult("b", { mrr: 1 })].map((one, at) => ({
    ...one,
    metrics: { ...one.metrics, fileRanks: [at === 0 ? null : 1] },
  }));
  const shown = sectionsText(reportSections(all, summarize(all), [{ id: hostile, why: hostile }]));
  expect(shown).toContain("\\x1b]0;owned\\x07");
  expect(shown).not.toContain("\u001b");
});
