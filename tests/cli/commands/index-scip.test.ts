/** `cra index --scip`: what it prints, and what exact references change in a package. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tempRepo } from "../../support/repo.ts";
import { runHere } from "../../support/run-here.ts";

const FIXTURE = join(import.meta.dir, "../../fixtures/scip");
const SOURCES = join(FIXTURE, "project/src");
const SCIP = join(FIXTURE, "index.scip");

test("a package then holds what the code really calls", async () => {
  using repo = tempRepo(
    Object.fromEntries(readdirSync(SOURCES).map((name) => [`src/${name}`, readFileSync(join(SOURCES, name), "utf8")])),
  );
  const cra = (...args: readonly string[]) => runHere(args, { cwd: repo.path });
  const retrieve = async (): Promise<string> =>
    (await cra("retrieve", "show in src/cart.ts shows a wrong amount", "--budget", "900")).stdout;

  await cra("index");
  const guessed = await retrieve();
  expect(guessed).toContain("export function show");
  expect(guessed).not.toContain("class MemoryStore");

  const { stdout, exitCode } = await cra("index", "--scip", SCIP);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^references +\d+, exact in 3 files by SCIP$/m)]);
  const exact = await retrieve();
  expect(exact).toContain("class MemoryStore");
  expect(exact).not.toContain("class FileStore");
  expect(JSON.parse((await cra("index", "--json")).stdout)).toMatchObject({
    scip: { files: 3, changed: 0, unknown: 0 },
  });
});

test("a file that is none is refused in one line, and the index stays", async () => {
  using repo = tempRepo({ "a.py": "def a():\n    pass\n" });
  const cra = (...args: readonly string[]) => runHere(args, { cwd: repo.path });
  await cra("index");
  const refused = await cra("index", "--scip", "a.py");
  expect(refused).toMatchObject({ exitCode: 12, stdout: "" });
  expect(refused.stderr).toMatch(/^cra: --scip: not imported: it is not a SCIP index \(.*\n$/);
  expect(await cra("index", "--scip", "none.scip")).toMatchObject({
    exitCode: 74,
    stderr: "cra: none.scip: there is no such file; nothing was changed; leave out --scip\n",
  });
  expect((await cra("doctor")).stdout).toContain("nothing is wrong");
});
