/**
 * Writes the curve of recall against tokens into the documentation: `docs/curve.svg` and the table in `docs/evaluation.md`.
 *
 * `bun scripts/bench/curve.ts REPORT`, where REPORT is what `cra evaluate --json` printed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pointName } from "../../src/evaluation/report/report-tokens.ts";
import { CurveReport, curvePlot, type PlottedRow } from "./curve-plot.ts";

const DOCS = join(import.meta.dir, "..", "..", "docs");
const PAGE = join(DOCS, "evaluation.md");
const PLOT = join(DOCS, "curve.svg");

/** The table stands between these lines of the page. */
const [BEGIN, END] = ["<!-- curve: bun scripts/bench/curve.ts -->", "<!-- end of curve -->"];

function main(path: string | undefined): number {
  if (path === undefined) {
    process.stderr.write("usage: bun scripts/bench/curve.ts REPORT\n");
    return 2;
  }
  const { curve } = CurveReport.parse(JSON.parse(readFileSync(resolve(path), "utf8"))).summary;
  const page = readFileSync(PAGE, "utf8");
  writeFileSync(PAGE, withTable(page, curve));
  writeFileSync(PLOT, curvePlot(curve));
  return 0;
}

function withTable(page: string, curve: readonly PlottedRow[]): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has no place for the table: ${BEGIN} … ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n${tableOf(curve)}\n${page.slice(end)}`;
}

function tableOf(curve: readonly PlottedRow[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(["", "tokens", "definitions", "files", "tests", "efficiency", "over a fixed budget"]),
    line(["---", "--:", "--:", "--:", "--:", "--:", "--:"]),
    ...curve.map(({ label, tokens, symbol_recall, file_recall, test_recall, token_efficiency, over_fixed }) =>
      line([
        pointName(label),
        tokens.toFixed(0),
        ...[symbol_recall, file_recall, test_recall, token_efficiency].map(percent),
        over_fixed === null ? "" : `${over_fixed >= 0.0005 ? "+" : ""}${percent(over_fixed)}`,
      ]),
    ),
  ].join("\n");
}

const percent = (share: number | null): string => (share === null ? "" : (100 * share).toFixed(1));

process.exitCode = main(process.argv[2]);
