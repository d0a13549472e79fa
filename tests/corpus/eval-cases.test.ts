/**
 * The hand-made cases refer to existing code, and file recall on the smaller Python project is above its gate. `bun
 * scripts/bench/eval-cases.ts` runs all cases and prints every gate.
 */
import { beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
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
import { runCra } from "../support/run-cra.ts";

const CASES = readCases(readFileSync(EVALUATED_CASES, "utf8"), EVALUATED_CASES);

beforeAll(async () => {
  await binary();
}, HANG_MS);

test("there are ten, of both projects", () => {
  const ofProject = EVALUATED_PROJECTS.map((name) => CASES.filter(({ id }) => id.startsWith(`${name}-`)).length);
  expect(ofProject).toEqual([5, 5]);
});

test.each(CASES)("the expected files of $id exist", ({ repoPath, expectedFiles, expectedSymbols }) => {
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
  const evaluate = (ids: string, ...more: readonly string[]) => {
    const words = ["--cases", EVALUATED_CASES, "--repo", repo, "--work", join(folder.path, "work")];
    return runCra(["evaluate", ...words, "--filter", `id=${ids}`, ...more], { cwd: folder.path });
  };
  const run = await evaluate("gyp-", "--gate", "scope_recall=0.8");
  expect([run.exitCode, run.stderr]).toEqual([0, ""]);
  expect(run.stdout).toStartWith("Ranking of files, 5 cases\n");

  // A case of another repository finds nothing, and it is said why.
  const other = await evaluate("cra-kotlin");
  const why = "2 of 2 expected files are not in the index: src/task/traces.ts";
  expect(other.stderr).toBe(`cra: note: cra-kotlin-frames: ${why}\n`);
});
