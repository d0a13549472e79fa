/**
 * Runs the hand-made cases of `tests/corpus/eval_cases.json` with the compiled binary on this repository and on a
 * Python project, and prints the gates and the reasons for misses.
 *
 * `bun scripts/bench/eval-cases.ts [options of cra evaluate]`, such as `--budget 4000`. Exits with 1 if file recall of
 * the scope or the package is not above its gate.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { type ReadCase, readCases } from "../../src/evaluation/cases.ts";
import type { MetricName } from "../../src/evaluation/metric-names.ts";
import type { CaseResult } from "../../src/evaluation/model.ts";
import { readResults } from "../../src/evaluation/report/document.ts";
import { meansOf } from "../../src/evaluation/summary.ts";
import { copyEvaluatedProject, EVALUATED_CASES, EVALUATED_PROJECTS } from "../../tests/support/evaluated-projects.ts";
import { freshBinary } from "../binary.ts";

/** The folders of the `repo_path`s of the cases. */
const FOLDER = join(import.meta.dir, "..", "..", "dist", "bench", "eval-cases");
const BUDGET_DEFAULT = 32_768;
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

type Gate = { readonly what: string; readonly name: MetricName; readonly above: number; readonly mustHold: boolean };
const GATES: readonly Gate[] = [
  { what: "file recall of the scope", name: "scope_recall", above: 0.8, mustHold: true },
  { what: "file recall of the package", name: "file_recall", above: 0.8, mustHold: true },
  { what: "file precision of the package", name: "file_precision", above: 0.5, mustHold: false },
  { what: "token efficiency of the package", name: "token_efficiency", above: 0.6, mustHold: false },
];

async function main(options: readonly string[]): Promise<number> {
  mkdirSync(FOLDER, { recursive: true });
  for (const project of EVALUATED_PROJECTS) copyEvaluatedProject(project, join(FOLDER, project));
  const cases = readCases(readFileSync(EVALUATED_CASES, "utf8"), EVALUATED_CASES);
  const gates = GATES.filter(({ mustHold }) => mustHold).map(({ name, above }) => `${name}=${above}`);
  const words = ["--cases", EVALUATED_CASES, "--work", join(FOLDER, "work"), "--gate", gates.join(","), "--json"];
  const child = Bun.spawn([await freshBinary(), "evaluate", ...words, ...options], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const results = readResults(await new Response(child.stdout).text(), "cra evaluate");
  const code = await child.exited;
  process.stdout.write(report(cases, results, budgetOf(options)));
  return code;
}

const budgetOf = (options: readonly string[]): number =>
  Number(options[options.indexOf("--budget") + 1] ?? BUDGET_DEFAULT) || BUDGET_DEFAULT;

function report(cases: readonly ReadCase[], results: readonly CaseResult[], budget: number): string {
  const means = meansOf(results);
  const gates = GATES.map(({ what, name, above, mustHold }) => {
    const mean = means[name]?.mean ?? 0;
    return [what, `> ${above}`, mean.toFixed(3), mean > above ? "holds" : mustHold ? "MISSED" : "missed"];
  });
  const rows = results.map((result) => rowOf(result, cases, budget));
  const atMost = rows.reduce((sum, { most }) => sum + most, 0) / rows.length;
  const packed = rows.reduce((sum, { files }) => sum + files, 0) / rows.length;
  const sought = rows.reduce((sum, { expected }) => sum + expected, 0) / rows.length;
  const small = means["token_efficiency@4k"]?.mean ?? 0;
  return [
    ...table([["", "gate", "mean", ""], ...gates]),
    "",
    ...table([
      ["case", "files", "packed", "recall", "precision", "efficiency", "at most", "at 4k"],
      ...rows.map(({ cells }) => cells),
    ]),
    "",
    "Why precision and efficiency are low:",
    `- A package uses its budget (${percent(means.budget_use?.mean ?? 0)} of ${budget} tokens), and the expected files are small:`,
    `  all of them would take at most ${percent(atMost)} of it ("at most"), and only parts of them are needed.`,
    `- The rest of the budget is filled by rank: ${packed.toFixed(1)} files where ${sought.toFixed(1)} are expected.`,
    `  At 4,000 tokens (\`--budget\`), the efficiency is ${percent(small)}.`,
    "- Files that help to understand the task but need no change count as wrong, so both figures are lower bounds.",
    "",
  ].join("\n");
}

type Row = {
  readonly cells: readonly string[];
  readonly expected: number;
  readonly files: number;
  /** The efficiency of a package with all expected files and a full budget. */
  readonly most: number;
};

function rowOf({ id, metrics: { scores } }: CaseResult, cases: readonly ReadCase[], budget: number): Row {
  const one = cases.find((own) => own.id === id);
  if (one === undefined) throw new Error(`${id} is not one of the cases`);
  const folder = resolve(dirname(EVALUATED_CASES), one.repoPath ?? "");
  const tokens = one.expectedFiles.map((path) => countTokens(readFileSync(join(folder, path), "utf8"), PLAIN_TEXT));
  const most = Math.min(1, tokens.reduce((sum, count) => sum + count, 0) / budget);
  const expected = one.expectedFiles.length;
  const { file_recall: recall = 0, file_precision: precision = 0 } = scores;
  const files = precision === 0 ? 0 : Math.round((recall * expected) / precision);
  const shares = [recall, precision, scores.token_efficiency ?? 0, most, scores["token_efficiency@4k"] ?? 0];
  return { cells: [id, String(expected), String(files), ...shares.map(percent)], expected, files, most };
}

const percent = (share: number): string => `${(share * 100).toFixed(0)}%`;

/** Columns of minimal width; the first is left-aligned, the others right-aligned. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

process.exitCode = await main(process.argv.slice(2));
