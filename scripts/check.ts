/**
 * Runs every check of the project: style, types and build, then the tests, those of a part with its coverage, and smoke. Steps that need
 * nothing of each other run at the same time.
 *
 * Stops after steps that fail and prints their output. The last line is always `N passed, N failed`, followed by
 * `, N skipped` if tests were skipped. Each test counts as one, and so does every other step.
 */

import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { HANG_MS } from "../tests/support/hang.ts";

const ROOT = join(import.meta.dir, "..");
const outputOf = ({ name }: Step): string => join(ROOT, "dist", `check-${name}.txt`);
/** What Bun reports of a step's tests. */
const reportOf = (name: string): string => join(ROOT, "dist", `test-report-${name}.xml`);
/** How long the slow test files take, in milliseconds: these are started first, so that none is left alone at the end. */
const DURATIONS = "tests/durations.json";

/** Kills a step that hangs. Even on a busy machine no step takes nearly as long. */
const STEP_MS_MAX = 60 * 60 * 1000;
const TEST_TIMEOUT = `--timeout=${HANG_MS}`;

const BIOME = ["node_modules/@biomejs/biome/bin/biome", "--config-path=scripts"] as const;
const FOLDERS = ["src", "tests", "scripts"] as const;

type Counts = { readonly passed: number; readonly failed: number; readonly skipped: readonly string[] };
type Outcome = { readonly succeeded: boolean; readonly output: string };
type Step = {
  readonly name: string;
  /** Arguments for Bun, which runs every tool, so that no other runtime is needed. */
  readonly bun: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  count(outcome: Outcome): Counts;
};

const countStep = ({ succeeded }: Outcome): Counts => ({
  passed: Number(succeeded),
  failed: Number(!succeeded),
  skipped: [],
});

const [biome, config] = BIOME;
const FIRST: readonly Step[] = [
  // The rules that are off in its configuration are those of what the types step finds as well.
  { name: "style", bun: [biome, "check", config, ...FOLDERS], count: countStep },
  // Several checkers do the same work more than once: four take twice the processor time of one.
  {
    name: "types",
    bun: ["node_modules/typescript/bin/tsc", "--noEmit", "--checkers", "1"],
    // It ends before its garbage matters: collecting it took two fifths of the processor time.
    env: { GOGC: "off" },
    count: countStep,
  },
  { name: "build", bun: ["scripts/build.ts"], count: countStep },
];

/** The tests of the part whose lines are counted: only there each statement costs time. */
const COVERED = "tests/recall";
/** Most code of tests runs too briefly for the last tier of the compilers to pay: it is a tenth of their processor time. */
const ENGINE = { BUN_JSC_useFTLJIT: "0", BUN_JSC_useOMGJIT: "0" } as const;
const SECOND: readonly Step[] = [
  testStep("tests", [
    // Test files that wait for processes leave a core to the others.
    "--parallel=3",
    "--no-isolate",
    `--timings=${DURATIONS}`,
    "--only-failures",
    `--path-ignore-patterns=${COVERED}/**`,
  ]),
  // Fails also if the tests of a part cover too few lines of a file that `bunfig.toml` selects.
  testStep("coverage", ["--coverage", COVERED]),
  { name: "smoke", bun: ["scripts/smoke.ts"], count: countStep },
];

function testStep(name: string, more: readonly string[]): Step {
  const report = ["--reporter=junit", `--reporter-outfile=${reportOf(name)}`];
  return { name, bun: ["test", TEST_TIMEOUT, ...report, ...more], env: ENGINE, count: (of) => testCounts(name, of) };
}

/** Counts the tests of Bun's report. A failure outside any test, such as a file that does not load, counts as one. */
function testCounts(name: string, { succeeded, output }: Outcome): Counts {
  const report = reportOf(name);
  const cases = existsSync(report) ? readFileSync(report, "utf8").split("<testcase ").slice(1) : [];
  const failed = cases.filter((text) => /<(failure|error)\b/.test(text)).length;
  const skipped = cases.filter((text) => /<skipped\b/.test(text)).map(testName);
  const unowned = Number(/^ *(\d+) errors?$/m.exec(output)?.[1] ?? 0);
  return {
    passed: cases.length - failed - skipped.length,
    failed: failed + unowned + Number(failed + unowned === 0 && (!succeeded || cases.length === 0)),
    skipped,
  };
}

function testName(text: string): string {
  const value = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(text)?.[1] ?? "";
  const name = [value("file"), value("classname"), value("name")].filter((part) => part !== "").join(" > ");
  return name.replace(/&(lt|gt|quot|apos|amp);/g, (_, entity: string) => ENTITIES[entity] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

/**
 * Runs a tool and collects both output streams in one file. A pipe would stay open as long as any process that a test
 * left behind.
 */
async function runStep(step: Step): Promise<Outcome> {
  const path = outputOf(step);
  const output = openSync(path, "w");
  const child = Bun.spawn([process.execPath, ...step.bun], {
    cwd: ROOT,
    env: { ...process.env, ...step.env },
    stdin: "ignore",
    stdout: output,
    stderr: output,
    timeout: STEP_MS_MAX,
    killSignal: "SIGKILL",
  });
  await child.exited;
  closeSync(output);
  const stopped = child.signalCode === null ? "" : `\n${step.name} was stopped by ${child.signalCode}\n`;
  return { succeeded: child.exitCode === 0, output: readFileSync(path, "utf8") + stopped };
}

async function main(): Promise<void> {
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  for (const { name } of SECOND) rmSync(reportOf(name), { force: true });
  let passed = 0;
  let failed = 0;
  const skipped: string[] = [];
  for (const steps of [FIRST, SECOND]) {
    // Each prints its line when it and those before it have ended.
    const running = steps.map(async (step) => {
      const started = performance.now();
      const outcome = await runStep(step);
      return { name: step.name, outcome, counts: step.count(outcome), ms: performance.now() - started };
    });
    for (const ending of running) {
      const { name, outcome, counts, ms } = await ending;
      passed += counts.passed;
      failed += counts.failed;
      skipped.push(...counts.skipped);
      const seconds = (ms / 1000).toFixed(1);
      process.stdout.write(`${counts.failed === 0 ? "ok  " : "FAIL"} ${name.padEnd(8)} ${seconds.padStart(6)} s\n`);
      if (counts.failed > 0) process.stdout.write(`\n${outcome.output.trimEnd()}\n\n`);
    }
    if (failed > 0) break;
  }
  for (const name of skipped) process.stdout.write(`skipped: ${name}\n`);
  const skips = skipped.length > 0 ? `, ${skipped.length} skipped` : "";
  process.stdout.write(`${passed} passed, ${failed} failed${skips}\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

await main();
