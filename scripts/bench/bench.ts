/**
 * Prints the speed and size of cra as one table: `npm run bench` (`-- <binary>` measures another binary; `-- faults`, `-- kills`,
 * `-- query`, `-- scale`, `-- frames`, `-- escalate`, `-- serve`, `-- siege` and `-- recall` run the benchmark in the file of that name).
 *
 * Every figure is the median of several processes on the pinned corpus, after a warm-up run. Ratios are taken within one
 * run of this script, so a busy machine changes them less. Exits with 1 and names the missed limits, or with 2 if the
 * corpus cannot be fetched.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ODD_FILES } from "../../tests/support/odd-files.ts";
import { freshBinary } from "../binary.ts";
import type { Corpus } from "./corpus.ts";
import type { Unavailable } from "./fetch-archive.ts";
import { type Measured, measure, runOnce, type Sample } from "./measure.ts";
import { query } from "./query.ts";
import { ISSUE, LINE, TRACE } from "./tasks.ts";

const FOLDER = join(import.meta.dir, "..", "..", "dist", "bench");

/** An index run without changes, as a fraction of the first run. */
const AGAIN_RATIO_MAX = 0.1;
const RETRIEVE_MS_MAX = 1000;
/** From the signal to the exit of an index run in progress. */
const STOP_MS_MAX = 200;
/** The limit for one file beyond an empty one, whatever it contains. */
const ODD_FILE_MS_MAX = 2000;

const RUNS = 7;
/** Fewer runs, because a first index takes as long as all others together. */
const RUNS_OF_FIRST = 3;

/** A file that many others import. */
const CHANGED_FILE = "src/core/Object3D.js";

type Row = { readonly what: string; readonly measured: Measured; readonly note: string };
type Gate = { readonly name: string; readonly isMet: boolean };

async function main(): Promise<number> {
  const program = process.argv[2] === undefined ? await freshBinary() : resolve(process.argv[2]);
  mkdirSync(FOLDER, { recursive: true });
  const corpus: Corpus | Unavailable = JSON.parse(await inProcess("corpus.ts", FOLDER));
  if ("unavailable" in corpus) {
    process.stderr.write(`bench: ${corpus.unavailable}\n`);
    return 2;
  }
  const home = join(FOLDER, "home");
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const env = { HOME: home, PATH: process.env.PATH ?? "" };
  const run = (command: readonly string[], stdin?: string): Promise<Sample> =>
    runOnce({ command, cwd: corpus.root, env, ...(stdin === undefined ? {} : { stdin }) });
  const cra = (...args: readonly string[]): Promise<Sample> => run([program, ...args]);
  const dataFolder = join(corpus.root, ".cra");

  const first = await measure(RUNS_OF_FIRST, async () => {
    // Work trees share what parsing found, and a first index must find nothing.
    for (const folder of [dataFolder, join(corpus.root, ".git", "cra")])
      rmSync(folder, { recursive: true, force: true });
    return cra("index");
  });
  const indexBytes = statSync(join(dataFolder, "curated.sqlite")).size;
  const again = await measure(RUNS, () => cra("index"));
  const changed = await measureChanged(corpus, () => cra("index"));
  const line = await measure(RUNS, () => cra("retrieve", LINE));
  const issue = await measure(RUNS, () => run([program, "retrieve", "-"], ISSUE));
  const trace = await measure(RUNS, () => run([program, "retrieve", "-"], TRACE));
  const asItIs = await measure(RUNS, () => cra("retrieve", "--no-refresh", LINE));
  const search = await measure(RUNS, () => cra("search", "morph target"));
  const version = await measure(RUNS, () => cra("--version"));
  const help = await measure(RUNS, () => cra("--help"));
  const nothing = await emptyProgram();
  const empty = await measure(RUNS, () => run([nothing]));

  const stopped = await measure(RUNS, () => stop(program, corpus.root, env));
  await cra("index");
  const odd = await measureOddFiles(run, program);

  const ratio = again.wallMs / first.wallMs;
  const rows: readonly Row[] = [
    { what: "index, first", measured: first, note: `${Math.round(corpus.files / (first.wallMs / 1000))} files/s` },
    { what: "index, unchanged", measured: again, note: `${ratio.toFixed(3)} of the first (limit ${AGAIN_RATIO_MAX})` },
    { what: "index, one file changed", measured: changed, note: `${(changed.wallMs / first.wallMs).toFixed(3)} of it` },
    { what: "index, from Ctrl-C to its end", measured: stopped, note: `limit ${STOP_MS_MAX} ms` },
    {
      what: "index, the slowest unusual file",
      measured: odd.measured,
      note: `${odd.name}, limit ${ODD_FILE_MS_MAX} ms more than an empty one`,
    },
    { what: "retrieve, a line", measured: line, note: `limit ${RETRIEVE_MS_MAX} ms` },
    { what: "retrieve, an issue", measured: issue, note: `limit ${RETRIEVE_MS_MAX} ms` },
    { what: "retrieve, a stack trace", measured: trace, note: `limit ${RETRIEVE_MS_MAX} ms` },
    { what: "retrieve --no-refresh", measured: asItIs, note: "" },
    { what: "search", measured: search, note: "" },
    { what: "--version", measured: version, note: `${(version.wallMs / empty.wallMs).toFixed(2)} of an empty program` },
    { what: "--help", measured: help, note: "" },
    { what: "an empty program", measured: empty, note: "compiled by the same Bun" },
  ];
  const sizes = [
    ["binary", megabytes(statSync(program).size)],
    ["index", megabytes(indexBytes)],
    ["everything in .cra", megabytes(sizeOf(dataFolder))],
  ] as const;
  print(corpus, rows, sizes);
  const retrieved = [line, issue, trace].map(({ wallMs }) => wallMs);
  const code = report([
    { name: `index, unchanged: below ${AGAIN_RATIO_MAX} of the first`, isMet: ratio < AGAIN_RATIO_MAX },
    { name: `Ctrl-C during index: at most ${STOP_MS_MAX} ms`, isMet: stopped.wallMs <= STOP_MS_MAX },
    { name: `any file: at most ${ODD_FILE_MS_MAX} ms`, isMet: odd.beyondMs <= ODD_FILE_MS_MAX },
    ...["a line", "an issue", "a stack trace"].map((kind, index) => ({
      name: `retrieve, ${kind}: below ${RETRIEVE_MS_MAX} ms`,
      isMet: (retrieved[index] ?? Number.POSITIVE_INFINITY) < RETRIEVE_MS_MAX,
    })),
  ]);
  process.stdout.write("\n");
  return Math.max(code, await query(program));
}

/** Changes one file before each run, and restores it afterwards. */
async function measureChanged({ root }: Corpus, index: () => Promise<Sample>): Promise<Measured> {
  const path = join(root, CHANGED_FILE);
  const before = readFileSync(path, "utf8");
  let version = 0;
  try {
    return await measure(RUNS, () => {
      version += 1;
      writeFileSync(path, `${before}\nexport const changed = ${version};\n`);
      return index();
    });
  } finally {
    writeFileSync(path, before);
    await index();
  }
}

/** Interrupts a first index halfway and measures the time until it exits. */
async function stop(program: string, root: string, env: Readonly<Record<string, string>>): Promise<Sample> {
  rmSync(join(root, ".cra"), { recursive: true, force: true });
  const child = Bun.spawn([program, "index"], { cwd: root, env, stdin: "ignore", stdout: "ignore", stderr: "ignore" });
  await Bun.sleep(STOP_AFTER_MS);
  const started = performance.now();
  child.kill("SIGINT");
  await child.exited;
  const usage = child.resourceUsage();
  const cpuMs = Number(usage?.cpuTime.total ?? 0) / 1000;
  return { wallMs: performance.now() - started, cpuMs, peakBytes: usage?.maxRSS ?? 0 };
}

const STOP_AFTER_MS = 1_500;

/** Indexes each unusual file alone, and an empty one; the slowest counts. */
async function measureOddFiles(run: (command: readonly string[]) => Promise<Sample>, program: string) {
  const folder = join(FOLDER, "odd");
  const indexed = async (content: string | Uint8Array, name: string): Promise<Sample> => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), content);
    return run([program, "index", "--repo", folder]);
  };
  const empty = await measure(RUNS, () => indexed("", "empty.py"));
  let [name, slowest] = ["", empty];
  for (const file of ODD_FILES) {
    const sample = await measure(1, () => indexed(file.content, file.name));
    if (sample.wallMs > slowest.wallMs) [name, slowest] = [file.name, sample];
  }
  rmSync(folder, { recursive: true, force: true });
  return { name, measured: slowest, beyondMs: slowest.wallMs - empty.wallMs };
}

/** The time that Bun takes to start any program. */
async function emptyProgram(): Promise<string> {
  const [source, outfile] = [join(FOLDER, "empty.ts"), join(FOLDER, "empty")];
  writeFileSync(source, "export {};\n");
  await bun("build", source, "--compile", "--bytecode", "--format=esm", `--outfile=${outfile}`);
  return outfile;
}

const inProcess = (script: string, ...args: readonly string[]): Promise<string> =>
  bun(join(import.meta.dir, script), ...args);

/** The peak memory of a child includes that of its parent, so memory-intensive work runs in another process. */
async function bun(...args: readonly string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: FOLDER,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(errors.trim());
  return output;
}

function sizeOf(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function print(corpus: Corpus, rows: readonly Row[], sizes: readonly (readonly [string, string])[]): void {
  const lines = [["", "median", "min", "max", "processor", "memory", "runs", ""]];
  for (const { what, measured, note } of rows) {
    const { wallMs, wallMsMin, wallMsMax, cpuMs, peakBytes, runs } = measured;
    lines.push([what, ...[wallMs, wallMsMin, wallMsMax, cpuMs].map(ms), megabytes(peakBytes), String(runs), note]);
  }
  const widths = lines.reduce<readonly number[]>(
    (most, cells) => cells.map((cell, column) => Math.max(most[column] ?? 0, cell.length)),
    [],
  );
  const last = widths.length - 1;
  const padded = (cell: string, column: number): string =>
    column === 0 || column === last ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  const say = (text: string): boolean => process.stdout.write(`${text.trimEnd()}\n`);
  say(`corpus   ${corpus.label}, ${corpus.files} files, ${megabytes(corpus.bytes)}`);
  say(`machine  ${navigator.hardwareConcurrency} cores, ${process.platform} ${process.arch}, Bun ${Bun.version}\n`);
  for (const cells of lines) say(cells.map(padded).join("  "));
  say("");
  const width = Math.max(...sizes.map(([name]) => name.length));
  for (const [name, size] of sizes) say(`${name.padEnd(width)}  ${size}`);
}

function report(gates: readonly Gate[]): number {
  const missed = gates.filter(({ isMet }) => !isMet);
  for (const { name } of missed) process.stderr.write(`bench: missed: ${name}\n`);
  if (missed.length === 0) process.stdout.write(`\nall ${gates.length} limits are met\n`);
  return missed.length === 0 ? 0 : 1;
}

const ms = (time: number): string => `${time < 100 ? time.toFixed(1) : time.toFixed(0)} ms`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Other benchmarks by argument. */
const NAMED: ReadonlyMap<string, () => Promise<number>> = new Map([
  ["escalate", async () => (await import("./escalate.ts")).escalate(await freshBinary())],
  ["faults", async () => (await import("./faults.ts")).faults()],
  ["kills", async () => (await import("./kills.ts")).kills(process.argv[3])],
  ["frames", async () => (await import("./frames.ts")).frames(await freshBinary())],
  ["query", async () => query(await freshBinary(), process.argv[3], process.argv[4])],
  ["recall", async () => (await import("./recall.ts")).recall(await freshBinary())],
  [
    "serve",
    async () =>
      (await import("./serve.ts")).serve(await freshBinary(), process.argv[3], ...process.argv.slice(4).map(Number)),
  ],
  ["siege", async () => (await import("../siege/siege.ts")).siege(...process.argv.slice(3, 5).map(Number))],
  [
    "team",
    async () => (await import("./team.ts")).team(process.argv[3] ?? ".", ...process.argv.slice(4, 5).map(Number)),
  ],
  [
    "team-kills",
    async () => (await import("./team-kills.ts")).teamKills(process.argv[3] ?? ".", Number(process.argv[4] ?? 25)),
  ],
  [
    "serve-kills",
    async () => (await import("./serve-kills.ts")).serveKills(process.argv[3] ?? ".", Number(process.argv[4] ?? 40)),
  ],
  [
    "team-workers",
    async () =>
      (await import("./team-workers.ts")).teamWorkers(
        process.argv[3] ?? ".",
        Number(process.argv[4] ?? Infinity),
        Number(process.argv[5] ?? Infinity),
      ),
  ],
  ["scale", async () => (await import("./scale.ts")).scale(process.argv.slice(3))],
]);

const bench = NAMED.get(process.argv[2] ?? "") ?? main;

bench().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
