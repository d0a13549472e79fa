/** A file that a task, a hint or a refinement names and that cra leaves out: the answer says why. */
import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { tempRepo } from "../../support/repo.ts";
import { runHere } from "../../support/run-here.ts";
import { shared } from "../../support/shared.ts";

const repo = shared(
  tempRepo({
    "a.py": "def total(items):\n    return sum(items)\n",
    "package-lock.json": "{}\n",
    "web/package-lock.json": "{}\n",
    "dist/out.js": "export const x = 1;\n",
    "deploy/id_rsa": "x\n",
    "lib/cart.py": "def cart():\n    return 1\n",
  }),
);
symlinkSync("a.py", join(repo.path, "link.py"));
repo.git("init", "-q", "lib");

/** The notices, apart from those of first answers. */
async function said(...args: readonly string[]): Promise<readonly string[]> {
  const { exitCode, stderr } = await runHere(["retrieve", ...args], { cwd: repo.path });
  expect(exitCode).toBe(0);
  return stderr.split("\n").filter((line) => /not in the index|matches nothing/.test(line));
}

const NOT_INDEXED = "is not in the index: cra skips";

for (const state of ["without an index", "with one"] as const)
  test(`the reason is said of a file, or of the folder around it, ${state}`, async () => {
    if (state === "with one") expect((await runHere(["index", "-q"], { cwd: repo.path })).exitCode).toBe(0);
    expect(await said("fix link.py")).toEqual([`cra: note: "link.py" ${NOT_INDEXED} link.py (link)`]);
    expect(await said("fix ./link.py")).toEqual([`cra: note: "./link.py" ${NOT_INDEXED} link.py (link)`]);
    expect(await said("fix out.js")).toEqual([`cra: note: "out.js" ${NOT_INDEXED} dist/out.js (generated)`]);
    expect(await said("fix total", "--hint-path", "package-lock.json")).toEqual([
      `cra: note: "package-lock.json" ${NOT_INDEXED} package-lock.json (lock)`,
    ]);
    expect(await said("fix total", "--hint-path", "deploy/id_rsa")).toEqual([
      `cra: note: "deploy/id_rsa" ${NOT_INDEXED} deploy/id_rsa (may hold secrets)`,
    ]);
    expect(await said("fix total", "--accept", "lib/cart.py")).toEqual([
      `cra: note: "lib/cart.py" ${NOT_INDEXED} lib (repository)`,
    ]);
  });

test("nothing of it is said of a name that several skipped files have, or none", async () => {
  repo.write({ "docs/yarn.lock": "\n", "app/yarn.lock": "\n" });
  const unknown = (hint: string) => `cra: note: the hint "${hint}" matches nothing in the index`;
  expect(await said("fix total", "--hint-path", "yarn.lock")).toEqual([unknown("yarn.lock")]);
  expect(await said("fix total", "--hint-path", "ink.py")).toEqual([unknown("ink.py")]);
});
