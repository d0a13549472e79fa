/**
 * The hand-made cases argue for what they expect, refer to existing code where it is at hand, and file recall on the smaller
 * Python project is above its gate. `bun scripts/bench/eval-cases.ts --repos FOLDER` runs all cases and prints every gate.
 */
import { beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { readCases } from "../../src/evaluation/cases.ts";
import { binary } from "../support/binary.ts";
import {
  copyEvaluatedProject,
  EVALUATED_CASES,
  EVALUATED_PROJECTS,
  evaluatedProjectSource,
} from "../support/evaluated-projects.ts";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { tempRepo } from "../support/repo.ts";
import { runCra } from "../support/run-cra.ts";

const TEXT = readFileSync(EVALUATED_CASES, "utf8");
const CASES = readCases(TEXT, EVALUATED_CASES);
const HERE = CASES.filter(({ repoPath }) => repoPath !== null);
const PUBLIC = CASES.filter(({ repo }) => repo !== null);
/** The argument for each expected file. */
const WHYS = z
  .array(z.object({ id: z.string(), why: z.record(z.string(), z.string().min(10)) }))
  .parse(JSON.parse(TEXT));

beforeAll(async () => {
  await binary();
}, HANG_MS);

test("there are ten of the two projects here, and others of repositories in six languages, each at a commit", () => {
  const ofProject = EVALUATED_PROJECTS.map((name) => HERE.filter(({ id }) => id.startsWith(`${name}-`)).length);
  expect(ofProject).toEqual([5, 5]);
  expect(HERE.length + PUBLIC.length).toBe(CASES.length);
  expect(PUBLIC.length).toBeGreaterThan(40);
  expect(new Set(PUBLIC.map(({ language }) => language)).size).toBe(6);
  expect(PUBLIC.filter(({ baseCommit }) => baseCommit === null)).toEqual([]);
});

test("every expected file has an argument, and expected tests are among the files", () => {
  for (const { id, expectedFiles, expectedTestFiles } of CASES) {
    const why = WHYS.find((one) => one.id === id)?.why ?? {};
    expect([id, Object.keys(why)]).toEqual([id, [...expectedFiles]]);
    expect([id, expectedTestFiles.filter((path) => !expectedFiles.includes(path))]).toEqual([id, []]);
  }
});

test.each(HERE)("the expected files of $id exist", ({ repoPath, expectedFiles, expectedSymbols }) => {
  const project = EVALUATED_PROJECTS.find((name) => name === basename(repoPath ?? ""));
  if (project === undefined) throw new Error(`there is no project at ${repoPath}`);
  const paths = expectedFiles.map((path) => join(evaluatedProjectSource(project), path));
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  const text = paths.map((path) => readFileSync(path, "utf8")).join("\n");
  for (const { name } of expectedSymbols) expect(text).toMatch(new RegExp(`\\b${name}\\b`));
});

test("file recall of the scope is above its gate", async () => {
  using folder = tempFolder();
  const repo = join(folder.path, "gyp");
  copyEvaluatedProject("gyp", repo);
  const evaluate = (on: string, ids: string, ...more: readonly string[]) => {
    const words = ["--cases", EVALUATED_CASES, "--repo", on, "--work", join(folder.path, "work"), "--stages", "scope"];
    return runCra(["evaluate", ...words, "--filter", `id=${ids}`, ...more], { cwd: folder.path });
  };
  // A quarter of the files, so that a scope can lack some.
  const run = await evaluate(repo, "gyp-", "--scope-size", "20", "--gate", "scope_recall=0.8");
  expect([run.exitCode, run.stderr]).toEqual([0, ""]);
  expect(run.stdout).toStartWith("Ranking of files, 5 cases\n");

  // A case of another repository finds nothing, and it is said why.
  using small = tempRepo({ "app.py": "def login(): pass\n" }, { git: true });
  const other = await evaluate(small.path, "cra-kotlin");
  const why = "3 of 3 expected files are not in the index: src/task/traces/traces.ts";
  expect(other.stderr).toBe(`cra: note: cra-kotlin-frames: ${why}\n`);
});
