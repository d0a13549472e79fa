/** Paths in a folder of a repository that has files of the same relative path, as packages of a monorepo do. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { tempRepo } from "../support/repo.ts";
import { runShell } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

const repo = shared(
  tempRepo(
    {
      "src/login.js": "export function rootLogin() {\n  return 1;\n}\n",
      "packages/api/src/login.js": "export function apiLogin() {\n  return 2;\n}\n",
      "packages/web/src/login.js": "export function webLogin() {\n  return 3;\n}\n",
    },
    { git: true },
  ),
);
const inApi = { cwd: join(repo.path, "packages/api") };
const pathsIn = (markdown: string) => [...markdown.matchAll(/^### (\S+)/gm)].map(([, path]) => path);

test("a hint names one file: from the current folder, else from the root", async () => {
  const hinted = async (path: string, cwd: string) =>
    pathsIn((await runHere(["retrieve", "zebra", "--hint-path", path], { cwd })).stdout);
  expect(await hinted("src/login.js", repo.path)).toEqual(["src/login.js"]);
  expect(await hinted("src/login.js", inApi.cwd)).toEqual(["packages/api/src/login.js"]);
  expect(await hinted("../../src/login.js", inApi.cwd)).toEqual(["src/login.js"]);
  expect((await hinted("login.js", repo.path)).length).toBe(3);
});

test("the one command for a round means the same files", async () => {
  const root = "../../src/login.js";
  const words = ["--hint-path", root, "--only", "../..", "--accept", root, "--signature", `${root}:rootLogin`];
  const first = await runHere(["retrieve", "login", ...words], inApi);
  const id = /cra explain (\w+)/.exec(first.stderr)?.[1] ?? "";
  for (const more of [
    ["--missing-file", root],
    ["--reject", root],
    ["--missing-file", "src/login.js"],
  ]) {
    const round = await runHere(["refine", id, ...more], inApi);
    const line = /^cra: the same in one command: cra (.*)$/m.exec(round.stderr)?.[1] ?? "";
    const once = await runShell(`"$CRA" ${line}`, inApi);
    expect([once.exitCode, once.stdout]).toEqual([0, round.stdout]);
  }
});
