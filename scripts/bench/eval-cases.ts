/**
 * Runs the hand-made cases of `tests/corpus/eval_cases.json` with the compiled binary at the default settings, and checks the gates.
 *
 * `bun scripts/bench/eval-cases.ts [--repos FOLDER] [--write] [options of cra evaluate]`. The cases of this project and of gyp
 * always run; those of public repositories run with `--repos`, a folder of clones as `cra evaluate` takes it. `--write` stores
 * the report as `results/eval-cases.md`. Exits with 1 if a gate is missed.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { caseLine, type ReadCase, readCases } from "../../src/evaluation/cases.ts";
import type { MetricName } from "../../src/evaluation/metric-names.ts";
import type { CaseResult } from "../../src/evaluation/model.ts";
import { readResults } from "../../src/evaluation/report/document.ts";
import { meansOf } from "../../src/evaluation/summary.ts";
import { copyEvaluatedProject, EVALUATED_CASES, EVALUATED_PROJECTS } from "../../tests/support/evaluated-projects.ts";
import { freshBinary } from "../binary.ts";

/** The folders of the `repo_path`s of the cases. */
const FOLDER = join(import.meta.dir, "..", "..", "dist", "bench", "eval-cases");
const RESULTS = join(import.meta.dir, "results", "eval-cases.md");

type Gate = { readonly what: string; readonly name: MetricName; readonly least: number; readonly aim: number };
const GATES: readonly Gate[] = [
  { what: "file recall of the scope", name: "scope_recall", least: 0.8, aim: 0.9 },
  { what: "file recall", name: "file_recall", least: 0.8, aim: 0.9 },
  { what: "file precision", name: "file_precision", least: 0.3, aim: 0.5 },
  { what: "token efficiency", name: "token_efficiency", least: 0.4, aim: 0.6 },
];

async function main(words: readonly string[]): Promise<number> {
  const repos = optionOf(words, "--repos");
  const options = words.filter((word) => word !== "--write");
  mkdirSync(FOLDER, { recursive: true });
  for (const project of EVALUATED_PROJECTS) copyEvaluatedProject(project, join(FOLDER, project));
  const cases = casesToRun(repos !== null);
  const path = join(FOLDER, "cases.jsonl");
  writeFileSync(path, cases.map((one) => `${caseLine(one)}\n`).join(""));
  const gates = GATES.map(({ name, least }) => `${name}=${least}`).join(",");
  const fixed = ["--cases", path, "--work", join(FOLDER, "work"), "--gate", gates, "--json"];
  const child = Bun.spawn([await freshBinary(), "evaluate", ...fixed, ...options], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const results = readResults(await new Response(child.stdout).text(), "cra evaluate");
  const code = await child.exited;
  const text = report(cases, results);
  process.stdout.write(text);
  if (words.includes("--write")) writeFileSync(RESULTS, text);
  return code;
}

function optionOf(words: readonly string[], option: string): string | null {
  const at = words.indexOf(option);
  return at < 0 ? null : (words[at + 1] ?? null);
}

/** Paths of folders become absolute, because the cases are written elsewhere. */
function casesToRun(withPublic: boolean): readonly ReadCase[] {
  return readCases(readFileSync(EVALUATED_CASES, "utf8"), EVALUATED_CASES)
    .filter(({ repo }) => withPublic || repo === null)
    .map((one) => (one.repoPath === null ? one : { ...one, repoPath: resolve(EVALUATED_CASES, "..", one.repoPath) }));
}

function report(cases: readonly ReadCase[], results: readonly CaseResult[]): string {
  const means = meansOf(results);
  const gates = GATES.map(({ what, name, least, aim }) => {
    const mean = means[name]?.mean ?? 0;
    return [what, String(least), String(aim), mean.toFixed(3), mean >= aim ? "aim" : mean >= least ? "gate" : "MISSED"];
  });
  const rows = results.map((result) => rowOf(result, cases));
  return `# Hand-made cases

\`bun scripts/bench/eval-cases.ts --repos FOLDER --write\`: tasks like real work orders, at the default settings, without a model.
\`tests/corpus/eval_cases.json\` has the tasks, and argues for each expected file in a line: what has to be changed, what has to be
read for it, and the tests to extend. Files of tests count as expected files here.

${table([["mean of all cases", "gate", "aim", "reached", ""], ...gates])}
${table([["case", "expected files", "shown", "recall", "precision", "efficiency", "tokens"], ...rows])}`;
}

function rowOf({ id, metrics: { scores, amounts } }: CaseResult, cases: readonly ReadCase[]): readonly string[] {
  const expected = cases.find((own) => own.id === id)?.expectedFiles.length ?? 0;
  const { file_recall: recall = 0, file_precision: precision = 0, token_efficiency: efficiency = 0 } = scores;
  const files = precision === 0 ? "" : String(Math.round((recall * expected) / precision));
  const shares = [recall, precision, efficiency].map((share) => share.toFixed(2));
  return [id, String(expected), files, ...shares, String(amounts.tokens ?? 0)];
}

/** A Markdown table; the first column is left-aligned, the others right-aligned. */
function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  return line(head) + line(head.map((_, at) => (at === 0 ? "---" : "--:"))) + rows.map(line).join("");
}

process.exitCode = await main(process.argv.slice(2));
