/**
 * Writes cases for `cra evaluate` that ask for the same definition ever more exactly, 20 definitions for each repository.
 *
 * `bun scripts/bench/exactness.ts <clone>... > exactness.jsonl`: a clone is a folder named `owner+name`, or `repo` in one,
 * bare or not. It is only read. Its newest commit is checked out and indexed in `dist/bench/exactness`.
 */
import { existsSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { openKnowledgeBase } from "../../src/db/curated/open-knowledge-base.ts";
import { dataPaths } from "../../src/db/data-folder/paths.ts";
import { caseLine } from "../../src/evaluation/cases.ts";
import { checkOut } from "../../src/source/git/clone.ts";
import { freshBinary } from "../binary.ts";
import { exactnessCases } from "./exactness-cases.ts";
import { runOnce } from "./measure.ts";

const FOLDER = join(import.meta.dir, "..", "..", "dist", "bench", "exactness");
const DEFINITIONS = 20;

async function main(clones: readonly string[]): Promise<number> {
  if (clones.length === 0) {
    process.stderr.write("usage: bun scripts/bench/exactness.ts <clone>...\n");
    return 2;
  }
  const cra = await freshBinary();
  for (const clone of clones) process.stdout.write(await linesFor(cloneAt(resolve(clone)), cra));
  return 0;
}

const cloneAt = (folder: string): string =>
  [".git", "HEAD"].some((name) => existsSync(join(folder, name))) ? folder : join(folder, "repo");

async function linesFor(clone: string, cra: string): Promise<string> {
  const named = basename(clone) === "repo" ? dirname(clone) : clone;
  const repo = basename(named, ".git").replace("+", "/");
  const [commit = "", date = ""] = gitOutput(clone, ["log", "-1", "--format=%H %cI", "HEAD"]).split(" ");
  const folder = join(FOLDER, basename(named));
  rmSync(folder, { recursive: true, force: true });
  const [checkout, data] = [join(folder, "clone"), join(folder, "data")];
  const request = { from: clone, commit, folder: checkout, environment: process.env };
  const made = await checkOut({ ...request, signal: new AbortController().signal });
  if (made.kind === "problem") throw new Error(`${clone}: ${made.why}`);
  await runOnce({ command: [cra, "index", "--data-dir", data, "--repo", checkout], cwd: checkout, env: environment() });
  const index = openKnowledgeBase(dataPaths(data).curated, checkout);
  try {
    const cases = exactnessCases(index, { repo, commit, date }, DEFINITIONS);
    return cases.map((one) => `${caseLine(one)}\n`).join("");
  } finally {
    index.close();
  }
}

function gitOutput(cwd: string, words: readonly string[]): string {
  const { stdout, exitCode } = Bun.spawnSync(["git", ...words], { cwd, stderr: "inherit" });
  if (exitCode !== 0) throw new Error(`${cwd}: git ${words[0]} ended with ${exitCode}`);
  return stdout.toString().trim();
}

const environment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

process.exitCode = await main(process.argv.slice(2));
