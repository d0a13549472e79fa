/** The plot of the curve: well-formed, from the figures of a report, and readable without anything from elsewhere. */
import { expect, test } from "bun:test";
import { CurveReport, curvePlot, type PlottedRow } from "../../scripts/bench/curve-plot.ts";
import { measure } from "../../src/evaluation/metrics.ts";
import { resultsDocument } from "../../src/evaluation/report/document.ts";
import { summarize } from "../../src/evaluation/summary.ts";
import { parsedXml } from "../support/xml.ts";
import { aCase, anAnswer, gold, packed, span } from "./answers.ts";
import { aResult } from "./results.ts";

const row = (label: PlottedRow["label"], tokens: number, found: number): PlottedRow => ({
  label,
  tokens,
  symbol_recall: found,
  file_recall: found,
  test_recall: null,
  token_efficiency: null,
  over_fixed: null,
});
const ROWS = [
  row("fixed-4k", 4_000, 0.5),
  row("fixed-8k", 8_000, 0.7),
  row("coverage-50", 5_000, 0.4),
  row("coverage-90", 7_000, 0.6),
  row("coverage-auto", 6_000, 0.66),
];

/** The points of the panels, which stand below the legend. */
const circles = (svg: string, kind: string) =>
  [...svg.matchAll(/<circle class="(\w+)" cx="([\d.]+)" cy="([\d.]+)" r="(\d)"/g)]
    .map(([, of, x, y, radius]) => ({ of, x: Number(x), y: Number(y), radius }))
    .filter(({ of, y }) => of === kind && y > 40);

test("it is well-formed, and names its panels and its lines", () => {
  const texts = parsedXml(curvePlot(ROWS)).flatMap(({ name, text }) => (name === "text" ? [text] : []));
  expect(texts).toContain("changed definitions, shown whole, %");
  expect(texts).toContain("fixed budgets, filled");
  expect(texts).toContain("the default");
});

test("it refers to nothing outside, and has colours for light and dark", () => {
  const svg = curvePlot(ROWS).replace('xmlns="http://www.w3.org/2000/svg"', "");
  expect(svg).not.toMatch(/https?:|url\(|@import|@font-face|href/);
  expect(svg).toContain("prefers-color-scheme: dark");
});

test("more tokens are further right, and more recall is higher", () => {
  const [few, more] = circles(curvePlot(ROWS), "fixed");
  expect(more?.x).toBeGreaterThan(few?.x ?? Number.POSITIVE_INFINITY);
  expect(more?.y).toBeLessThan(few?.y ?? Number.NEGATIVE_INFINITY);
});

test("points without a value are left out, and the default is on no line", () => {
  const svg = curvePlot(ROWS);
  // Two panels have values: tests have none.
  expect([circles(svg, "fixed").length, circles(svg, "coverage").length]).toEqual([4, 6]);
  const [standard] = circles(svg, "coverage").filter(({ radius }) => radius === "5");
  expect(standard).toBeDefined();
  for (const [, points = ""] of svg.matchAll(/<polyline class="coverage" points="([^"]*)"/g))
    expect(points.split(" ")).not.toContain(`${standard?.x},${standard?.y}`);
});

test("it reads what an evaluation reports", () => {
  const expected = aCase({ expectedFiles: ["a"], expectedSymbols: [gold("a", "get", 5, 9)] });
  const curve = [{ ...packed([span("a", 5, 9)]), label: "fixed-4k" as const }];
  const results = [aResult("a", {}, { metrics: measure(expected, anAnswer({ curve })) })];
  const document = resultsDocument(results, {
    about: {},
    summary: summarize(results),
    comparison: null,
    failed: [],
  });
  const read = CurveReport.parse(JSON.parse(JSON.stringify(document)));
  expect(read.summary.curve).toMatchObject([{ label: "fixed-4k", tokens: 10, symbol_recall: 1, test_recall: null }]);
});
