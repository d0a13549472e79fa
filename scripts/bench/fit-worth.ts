/**
 * Fits the expected worth of items (`src/retrieval/packing/worth/expected-worth.ts`) on tasks with known answers, and says how
 * reliable it is on repositories that were left out.
 *
 * `bun scripts/bench/fit-worth.ts --cases FILE --work FOLDER [--write]`: FOLDER is the work folder of a finished `cra evaluate
 * --keep-indexes --work FOLDER` on these cases; it is only read. Prints the coefficients as the source of `worth-model.ts`, which
 * `--write` replaces, then its figures.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readCases } from "../../src/evaluation/cases.ts";
import { WORTH_FEATURE_NAMES, WORTH_MAX, type WorthModel } from "../../src/retrieval/packing/worth/expected-worth.ts";
import { WORTH_MODEL } from "../../src/retrieval/packing/worth/worth-model.ts";
import { fitPoisson, type LogLinear, predict } from "./poisson-regression.ts";
import { keptIndexes, type WorthCase, worthCase } from "./worth-cases.ts";
import { FIXED_BUDGETS, foundAtBudget, foundAtStop, type Group, packed, reliability } from "./worth-figures.ts";

const MODEL = join(import.meta.dir, "..", "..", "src", "retrieval", "packing", "worth", "worth-model.ts");
const PENALTY = 1;
const FOLDS = 5;
const DIGITS = 3;
/** Shares of what matters that 1,000 more tokens must bring, around `WORTH_MIN`. */
const THRESHOLDS = [0.01, 0.008, 0.006, 0.005, 0.004, 0.003];
/** Columns of the plot for a power of ten. */
const DECADE = 15;
/** Reports progress after so many cases. */
const PROGRESS_EVERY = 40;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { cases: { type: "string" }, work: { type: "string" }, write: { type: "boolean" } },
  });
  if (values.cases === undefined || values.work === undefined) {
    process.stderr.write("usage: bun scripts/bench/fit-worth.ts --cases FILE --work FOLDER [--write]\n");
    return 2;
  }
  const cases = await collected(resolve(values.cases), resolve(values.work));
  const model = fitted(cases);
  const source = sourceOf(model);
  process.stdout.write(`${source}${report(cases, model)}`);
  if (values.write === true) writeFileSync(MODEL, source);
  return 0;
}

async function collected(path: string, work: string): Promise<readonly WorthCase[]> {
  const kept = keptIndexes(work);
  const cases: WorthCase[] = [];
  for (const [at, one] of readCases(readFileSync(path, "utf8"), path).entries()) {
    const folder = kept.get(one.baseCommit ?? "");
    const found = folder === undefined ? null : await worthCase(one, folder);
    if (found === null)
      process.stderr.write(`fit-worth: ${one.id}: ${folder === undefined ? "no index" : "nothing found"}\n`);
    else cases.push(found);
    if ((at + 1) % PROGRESS_EVERY === 0) process.stderr.write(`fit-worth: ${at + 1} cases\n`);
  }
  return cases;
}

const fitted = (cases: readonly WorthCase[]): LogLinear => fitPoisson(cases, WORTH_FEATURE_NAMES.length, PENALTY);

const sourceOf = ({ constant, weights }: LogLinear): string =>
  `/** The coefficients of \`expected-worth.ts\`, as \`scripts/bench/fit-worth.ts\` fits them on the development cases. */
import type { WorthModel } from "./expected-worth.ts";

export const WORTH_MODEL: WorthModel = {
  constant: ${rounded(constant)},
  of: {
${WORTH_FEATURE_NAMES.map((name, at) => `    ${name}: ${rounded(weights[at] ?? 0)},\n`).join("")}  },
};
`;

const rounded = (number: number): number => Number(number.toFixed(DIGITS));

const logLinear = ({ constant, of }: WorthModel): LogLinear => ({
  constant,
  weights: WORTH_FEATURE_NAMES.map((name) => of[name]),
});

/** The expected worth of all items of all cases, each case by a fit without the repositories of its fold. */
function leftOut(cases: readonly WorthCase[]): readonly Float64Array[] {
  const repos = [...new Set(cases.map(({ repo }) => repo))].sort((a, b) => crc32(a) - crc32(b));
  const foldOf = new Map(repos.map((repo, at) => [repo, at % FOLDS]));
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    fitted(cases.filter(({ repo }) => foldOf.get(repo) !== fold)),
  );
  return cases.map((one) => {
    const model = models[foldOf.get(one.repo) ?? 0];
    return model === undefined ? new Float64Array(one.items.length) : predict(model, one, WORTH_MAX);
  });
}

/** A hash that other languages have too, so that folds and halves can be formed elsewhere. */
const crc32 = (text: string): number => Bun.hash.crc32(text);

/** `model` is the new one, fitted on all cases. */
function report(cases: readonly WorthCase[], model: LogLinear): string {
  const worths = leftOut(cases);
  const curve = reliability(cases, worths);
  const groups = curve.map(
    ({ items, expected, found }) =>
      `| ${items} | ${(expected * 100).toPrecision(3)} | ${(found * 100).toPrecision(3)} |\n`,
  );
  const halves = [0, 1].map((half) => cases.flatMap(({ repo }, at) => (crc32(repo) % 2 === half ? [at] : [])));
  const everyone = cases.map((_, at) => at);
  const budgets = FIXED_BUDGETS.map((budget) => ({ budget, of: cases.map((one) => packed(one, null, budget)) }));
  const fixed = budgets.map(({ budget, of }) => {
    const { tokens, found } = foundAtBudget(of, everyone);
    return `| ${budget} | ${tokens.toFixed(0)} | ${percent(found)} |\n`;
  });
  const models = [
    ["left out", worths],
    ["of all cases", cases.map((one) => predict(model, one, WORTH_MAX))],
    ["in the source", cases.map((one) => predict(logLinear(WORTH_MODEL), one, WORTH_MAX))],
  ] as const;
  const stops = models.flatMap(([name, predicted]) =>
    THRESHOLDS.map((threshold) => {
      const of = cases.map((one, at) => packed(one, { worths: predicted[at] ?? new Float64Array(0), threshold }));
      const [all, ...each] = [everyone, ...halves].map((chosen) => foundAtStop(of, budgets, chosen));
      if (all === undefined) throw new Error("no cases");
      const gains = [all, ...each].map(({ found, atSameTokens }) => points(found - atSameTokens));
      return `| ${name} | ${percent(threshold)} | ${all.tokens.toFixed(0)} | ${percent(all.found)} | ${gains.join(" | ")} |\n`;
    }),
  );
  return `
${cases.length} cases, ${new Set(cases.map(({ repo }) => repo)).size} repositories

| items, best first, in groups of equal worth | expected, % | found, % |
| --: | --: | --: |
${groups.join("")}
${plot(curve)}
| fixed budget | tokens | definitions, % |
| --: | --: | --: |
${fixed.join("")}
| model | 1,000 more tokens bring, % | tokens | definitions, % | against a fixed budget | in one half | in the other |
| --- | --: | --: | --: | --: | --: | --: |
${stops.join("")}`;
}

/** A group a line, worthiest last, on a logarithmic scale from 0.01 % to 100 %. */
function plot(groups: readonly Group[]): string {
  const columnOf = (share: number): number => Math.max(0, Math.round((Math.log10(share * 100) + 2) * DECADE));
  const lines = groups.toReversed().map(({ expected, found }) => {
    const cells = new Array<string>(4 * DECADE + 1).fill(" ");
    cells[columnOf(expected)] = "o";
    cells[columnOf(found)] = columnOf(found) === columnOf(expected) ? "X" : "x";
    return `  ${cells.join("").trimEnd()}\n`;
  });
  const scale = ["0.01 %", "0.1 %", "1 %", "10 %", "100 %"].map((mark) => mark.padEnd(DECADE)).join("");
  return `o expected, x found, X both\n\n${lines.join("")}  ${`|${"-".repeat(DECADE - 1)}`.repeat(4)}|\n  ${scale.trimEnd()}\n`;
}

const percent = (share: number): string => (share * 100).toFixed(1);
const points = (share: number): string => `${share < 0 ? "−" : "+"}${Math.abs(share * 100).toFixed(1)}`;

process.exitCode = await main();
