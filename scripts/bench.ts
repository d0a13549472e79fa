/**
 * Prints how fast and how large cra is, as one table: `npm run bench`.
 *
 * The corpus is about 1,000 source files of installed packages, so package-lock.json pins it and nothing is
 * downloaded. Each time is of a whole process, start to exit: the median of the runs that can be repeated.
 * Not here: how good the results are.
 */

import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshBinary } from "./binary.ts";

const MODULES = join(import.meta.dir, "..", "node_modules");

/** Folders of node_modules, and which of their files are sources. */
const CORPUS: readonly (readonly [string, RegExp])[] = [
  ["zod/src", /\.ts$/],
  ["es-toolkit/dist", /\.mjs$/],
  ["ink/build", /\.js$/],
  ["commander/lib", /\.js$/],
  ["isomorphic-git", /index\.cjs$/],
];

const RUNS = 9;
const TASK = "string formats: validate an IPv6 address and report a readable issue";

type Row = readonly [what: string, value: string];

async function main(): Promise<void> {
  const program = await freshBinary();
  const folder = mkdtempSync(join(tmpdir(), "cra-bench-"));
  try {
    const repository = join(folder, "corpus");
    const files = copyCorpus(repository);
    const cra = (...args: readonly string[]): Promise<number> => milliseconds(program, args, repository, folder);

    const version = await median(() => cra("--version"));
    const first = await cra("index");
    const again = await median(() => cra("index"));
    const retrieve = await median(() => cra("retrieve", TASK));
    const search = await median(() => cra("search", "ipv6"));
    const index = sizeOf(join(repository, ".cra"));
    print([
      ["corpus", `${files} files, ${megabytes(sizeOf(repository) - index)}`],
      ["cra --version", ms(version)],
      ["cra index, first", ms(first)],
      ["cra index, unchanged", `${ms(again)} (${((100 * again) / first).toFixed(1)} % of the first)`],
      ["cra retrieve", ms(retrieve)],
      ["cra search", ms(search)],
      ["binary", megabytes(statSync(program).size)],
      ["index", megabytes(index)],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies the corpus and returns how many files it has. */
function copyCorpus(to: string): number {
  let files = 0;
  for (const [from, wanted] of CORPUS) {
    const filter = (path: string): boolean => {
      if (statSync(path).isDirectory()) return !path.endsWith("/node_modules");
      const takes = wanted.test(path);
      files += Number(takes);
      return takes;
    };
    // Not under its own name: build folders are nothing that people write.
    const target = join(to, from.replace(/\/.*/, ""));
    mkdirSync(to, { recursive: true });
    cpSync(join(MODULES, from), target, { recursive: true, filter });
  }
  return files;
}

async function milliseconds(program: string, args: readonly string[], cwd: string, home: string): Promise<number> {
  const env = { HOME: home, PATH: process.env.PATH ?? "" };
  const started = performance.now();
  const child = Bun.spawn([program, ...args], { cwd, env, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const errors = await new Response(child.stderr).text();
  const code = await child.exited;
  if (code !== 0) throw new Error(`cra ${args.join(" ")} ended with ${code}\n${errors}`);
  return performance.now() - started;
}

async function median(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await measure());
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
}

function sizeOf(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function print(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(([what]) => what.length));
  for (const [what, value] of rows) process.stdout.write(`${what.padEnd(width)}  ${value}\n`);
}

const ms = (time: number): string => `${time.toFixed(0)} ms`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

try {
  await main();
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
