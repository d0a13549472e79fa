/** Runs an evaluation from its arguments to its report and exit code. */
import { resolve } from "node:path";
import { evaluate, nowMs, variantsOf } from "../../app/evaluate/evaluate.ts";
import { mine } from "../../app/evaluate/mine-history.ts";
import type { ReadCase } from "../../evaluation/cases.ts";
import { type Comparison, compare } from "../../evaluation/compare.ts";
import { type Gate, missedGates, missSentence, readGates } from "../../evaluation/gates.ts";
import type { CaseResult } from "../../evaluation/model.ts";
import { readResults, resultsDocument } from "../../evaluation/report/document.ts";
import { AS_SET, type Outcome, outcomeRow } from "../../evaluation/report/outcome.ts";
import { type FailedCase, reportSections } from "../../evaluation/report/report.ts";
import { caseSections } from "../../evaluation/report/report-cases.ts";
import { type Ablated, ablationSection, comparisonSections } from "../../evaluation/report/report-comparison.ts";
import type { ReportSection } from "../../evaluation/report/report-section.ts";
import { type Summary, summarize } from "../../evaluation/summary.ts";
import { Failed } from "../../failure.ts";
import { table } from "../../present/layout.ts";
import { display } from "../../text/display.ts";
import { VERSION } from "../../version.ts";
import { readNamedFile } from "../input/named-file.ts";
import type { Progress } from "../output/progress.ts";
import type { Context } from "../syntax/command.ts";
import { chosenCases, evaluateRequest, readCaseFile } from "./evaluate-request.ts";

/** Cases taken from history without `--limit`. */
const MINED_DEFAULT = 50;
/** A result of 100,000 cases is below this. */
const BASELINE_BYTES_MAX = 1024 * 1024 * 1024;

/** What an evaluation found: results in the order of the cases, and cases that no variant could run. */
type Report = {
  readonly results: readonly CaseResult[];
  readonly failed: readonly FailedCase[];
  readonly summary: Summary;
  readonly comparison: Comparison | null;
  readonly ablated: readonly Ablated[];
};

/** Exit code 1 when a gate is missed, in whatever form the outcome is printed. Throws the failure of the first case when no case could be run. */
export async function runEvaluation(context: Context): Promise<number> {
  const { values, output } = context;
  const typedGates = values.text("--gate");
  const gates = typedGates === undefined ? [] : readGates(typedGates);
  const baseline = readBaseline(context);
  const progress = output.progress(nowMs);
  try {
    const { path, chosen, repo } = await chooseCases(context, progress);
    const request = evaluateRequest(context, { path, chosen }, repo);
    const variants = variantsOf(request).map(({ name }) => name);
    const found = await evaluateWithProgress(context, request, chosen, variants, progress);
    await progress.clear();
    const areEvents = values.text("--events") === "jsonl";
    // A process that runs cases for another one says with each case what became of it.
    if (areEvents && gates.length === 0) return 0;
    const report = reportOf(found, chosen, variants, baseline);
    if (!areEvents) await printReport(context, report);
    return await checkGates(context, gates, report, chosen.length);
  } finally {
    await progress.clear();
  }
}

function reportOf(
  { results: byVariant, failed: all }: Found,
  chosen: readonly ReadCase[],
  variants: readonly string[],
  baseline: readonly CaseResult[] | null,
): Report {
  const results = inOrderOf(chosen, byVariant.get(AS_SET) ?? []);
  const [first] = all;
  if (results.length === 0 && first !== undefined)
    throw new Failed({ code: "io", where: first.id, message: `no case could be run: ${first.why}` });
  // A case may have failed for one variant of the weights only.
  const answered = new Set(results.map(({ id }) => id));
  return {
    results,
    failed: all.filter(({ id }) => !answered.has(id)),
    summary: summarize(results),
    comparison: baseline === null ? null : compare(results, baseline),
    ablated: variants
      .filter((name) => name !== AS_SET)
      .map((without) => ({ without, comparison: compare(byVariant.get(without) ?? [], results) })),
  };
}

async function printReport({ values, output }: Context, report: Report): Promise<void> {
  const { results, failed, summary, comparison, ablated } = report;
  if (output.mode.json) {
    const about = { cra_version: VERSION.version, commit: VERSION.commit, cases: values.text("--cases") ?? "history" };
    const document = resultsDocument(results, { about, summary, comparison, failed });
    await output.json(ablated.length === 0 ? document : { ...document, ablation: ablated });
    return;
  }
  const sections = [
    ...reportSections(results, summary, failed),
    ...caseSections(results, { all: output.mode.verbose }),
    ...(comparison === null ? [] : comparisonSections(comparison)),
    ...(ablated.length === 0 ? [] : [ablationSection(ablated)]),
  ];
  await output.data(sectionsText(sections));
}

async function checkGates(
  { output }: Context,
  gates: readonly Gate[],
  { summary, failed }: Report,
  cases: number,
): Promise<number> {
  const missed = missedGates(gates, summary.means);
  for (const gate of missed) await output.say(`cra: ${missSentence(gate)}`);
  const unmeasured = gates.length > 0 ? failed.length : 0;
  if (unmeasured > 0)
    await output.say(`cra: ${unmeasured} of ${cases} cases could not be run, so the gates are not met`);
  return missed.length + unmeasured > 0 ? 1 : 0;
}

function readBaseline({ values, environment }: Context): readonly CaseResult[] | null {
  const typed = values.text("--compare");
  if (typed === undefined) return null;
  return readResults(readNamedFile("--compare", typed, environment.cwd, BASELINE_BYTES_MAX), typed);
}

/** A filter chooses among as many as there are without a limit, or as the limit allows if that is more. */
function casesToMine({ values }: Context): number {
  const limit = values.whole("--limit") ?? MINED_DEFAULT;
  return values.text("--filter") === undefined ? limit : Math.max(limit, MINED_DEFAULT);
}

type Chosen = { readonly path: string; readonly chosen: readonly ReadCase[]; readonly repo: string | null };

/** The cases to run, from a file or from history; `repo` is the one repository of all of them, or null. */
async function chooseCases(context: Context, progress: Progress): Promise<Chosen> {
  const { values, environment, signal } = context;
  const typed = values.text("--repo");
  const named = typed === undefined ? null : resolve(environment.cwd, typed);
  if (!values.switch("--from-git")) {
    const { path, cases } = readCaseFile(context);
    return { path, chosen: chosenCases(cases, values), repo: named };
  }
  const mined = await mine(
    {
      environment,
      start: named ?? environment.cwd,
      casesMax: casesToMine(context),
      onProgress: (done, total) => progress.update({ phase: "read history", done, total }),
    },
    signal,
  );
  return { path: mined.root, chosen: chosenCases(mined.cases, values), repo: mined.root };
}

type Found = { readonly results: ReadonlyMap<string, readonly CaseResult[]>; readonly failed: readonly FailedCase[] };

/** Runs the cases and shows progress; prints each outcome as a line of JSON with `--events jsonl`. */
async function evaluateWithProgress(
  { values, output, signal }: Context,
  request: Parameters<typeof evaluate>[0],
  chosen: readonly ReadCase[],
  variants: readonly string[],
  progress: Progress,
): Promise<Found> {
  const known = new Set(chosen.map(({ id }) => id));
  const results = new Map<string, CaseResult[]>(variants.map((name) => [name, []]));
  const failed = new Map<string, FailedCase>();
  const asEvents = values.text("--events") === "jsonl";
  let total = chosen.length * variants.length;
  let done = 0;
  const on = async (outcome: Outcome, isStored: boolean): Promise<void> => {
    if (asEvents) await output.jsonLine(outcomeRow(outcome));
    if (!known.has(outcome.id)) return;
    if (outcome.event === "answered") {
      results.get(outcome.variant)?.push(outcome.result);
      // A stored result takes no time, so counting it would make the rate look too high.
      if (isStored) total -= 1;
      else done += 1;
    } else {
      const { id } = outcome;
      if (outcome.event === "failed") failed.set(id, { id, why: outcome.why });
      if (outcome.event === "failed") done += variants.length;
      await output.say(`cra: note: ${id}: ${outcome.event === "failed" ? outcome.why : outcome.what}`);
    }
    if (!isStored) progress.update({ phase: "evaluate", done, total });
  };
  await evaluate(request, on, signal);
  return { results, failed: [...failed.values()].sort((a, b) => (a.id < b.id ? -1 : 1)) };
}

/** Results in the order of the cases. */
function inOrderOf(cases: readonly ReadCase[], results: readonly CaseResult[]): readonly CaseResult[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  return cases.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Sections with an empty line between them. Ends in a newline; "" when there are none. */
export function sectionsText(sections: readonly ReportSection[]): string {
  return sections.map(sectionText).join("\n");
}

const FIGURE = /^([+-]?\d+(\.\d+)?|-|)$/;

function sectionText({ title, heading, rows, notes = [] }: ReportSection): string {
  const widths = heading.map((name, column) =>
    rows.every((row) => FIGURE.test(row[column] ?? ""))
      ? Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0))
      : 0,
  );
  const aligned = (row: readonly string[]) => row.map((cell, column) => cell.padStart(widths[column] ?? 0));
  const text = table(aligned(heading), rows.map(aligned));
  return `${display(title)}\n${text}${notes.map((note) => `${display(note)}\n`).join("")}`;
}
