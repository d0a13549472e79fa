/**
 * Measures recall and premortem over 10,000 entries and an index: `npm run bench -- recall`.
 *
 * Whole processes of the compiled binary show what a user waits for; `recall-parts.ts` measures parts in one process.
 * Each figure is the median of several runs. Exits with 1 and names the limits that are missed.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measure, runOnce } from "./measure.ts";
import { comparingVectors, serveMeaning } from "./recall-meaning.ts";
import type { Parts } from "./recall-parts.ts";

const ROOT = join(import.meta.dir, "..", "..");
const FOLDER = join(ROOT, "dist", "bench", "recall");
const ENTRIES = 10_000;
const RUNS = 7;

const LIMITS = {
  "recall, five sources": 1_000,
  "recall, by meaning": 1_000,
  "premortem, all axes": 1_500,
  "premortem, by meaning": 1_500,
  "comparing 50,000 vectors": 1_000,
  "deduplicating 200 items": 50,
  "deduplicating 200 long items of few words": 200,
  "selecting and formatting 200 items": 100,
  "counting a context": 10,
} as const;
const ASSEMBLY_BYTES_MAX = 50_000_000;

/** Runs the benchmark. The number is an exit code. */
export async function recall(program: string): Promise<number> {
  rmSync(FOLDER, { recursive: true, force: true });
  const [repo, data, home] = ["repo", "data", "home"].map((name) => join(FOLDER, name));
  if (repo === undefined || data === undefined || home === undefined) throw new Error("no folders");
  for (const folder of [data, home]) mkdirSync(folder, { recursive: true });
  Bun.spawnSync(["git", "clone", "-q", "--no-hardlinks", ROOT, repo]);
  const env = { HOME: home, PATH: process.env.PATH ?? "" };
  const cra = (...words: readonly string[]) =>
    runOnce({ command: [program, ...words, "--data-dir", data, "--json"], cwd: repo, env });
  await cra("index", "-q");
  await inProcess("recall-store.ts", data, String(ENTRIES));
  using meaning = serveMeaning();
  const byMeaning = ["--embedding-model", meaning.model, "--base-url", meaning.url];
  const query = ["recall", "the worker keeps a handle of the cache open"];
  const before = ["premortem", "debugging", "--strategy", "read-the-error"];
  const whole = {
    "recall, five sources": await measure(RUNS, () => cra(...query)),
    "premortem, all axes": await measure(RUNS, () => cra(...before)),
    "recall, by meaning": await measure(RUNS, () => cra(...query, ...byMeaning)),
    "premortem, by meaning": await measure(RUNS, () => cra(...before, ...byMeaning)),
  };
  const { assemblyBytes, ...parts } = await partsOf(join(data, "memory.sqlite"), data);
  const times = {
    ...Object.fromEntries(Object.entries(whole).map(([what, { wallMs }]) => [what, wallMs])),
    "comparing 50,000 vectors": await comparingVectors(data),
    ...parts,
  };
  const lines = Object.entries(times).map(([what, ms]) => `| ${what} | ${ms.toFixed(1)} ms |\n`);
  const costs = Object.entries(whole).map(
    ([what, { cpuMs, peakBytes }]) =>
      `| ${what}: processor, peak memory | ${cpuMs.toFixed(0)} ms, ${megabytes(peakBytes)} |\n`,
  );
  // The memory of a search by meaning beyond that of a search by words.
  const meaningBytes = whole["recall, by meaning"].peakBytes - whole["recall, five sources"].peakBytes;
  process.stdout.write(
    `| ${ENTRIES} entries and the index of this repository | |\n| --- | --: |\n${lines.join("")}${costs.join("")}| memory of an assembly | ${megabytes(assemblyBytes)} |\n| additional memory by meaning | ${megabytes(meaningBytes)} |\n`,
  );
  const missed = Object.entries(LIMITS).flatMap(([what, most]) => {
    const ms = Object.entries(times).find(([name]) => name === what)?.[1] ?? Number.POSITIVE_INFINITY;
    return ms < most ? [] : [`${what}: ${ms.toFixed(1)} ms, at most ${most}`];
  });
  if (assemblyBytes >= ASSEMBLY_BYTES_MAX) missed.push(`memory of an assembly: ${assemblyBytes} bytes`);
  for (const name of missed) process.stderr.write(`bench: missed: ${name}\n`);
  return missed.length === 0 ? 0 : 1;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

async function partsOf(path: string, folder: string): Promise<Parts> {
  const out = join(folder, "parts.json");
  await inProcess("recall-parts.ts", path, out);
  const parts: Parts = await Bun.file(out).json();
  writeFileSync(out, "");
  return parts;
}

/** Runs a script in its own process, because the peak memory of a child includes that of its parent. */
async function inProcess(script: string, ...words: readonly string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, script), ...words], { stderr: "inherit" });
  if ((await child.exited) !== 0) throw new Error(`${script} failed`);
}
