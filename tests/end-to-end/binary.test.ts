/** The binary as a process: it starts alone, says what it is, and keeps streams and exit codes apart. */

import { expect, test } from "bun:test";
import { VERSION } from "../../src/version.ts";
import { HANG_MS } from "../support/hang.ts";
import { tempRepo } from "../support/repo.ts";
import { openCra, runCra } from "../support/run-cra.ts";

test(
  "--version prints the version on standard output",
  async () => {
    using repo = tempRepo({});
    const run = await runCra(["--version"], { cwd: repo.path });
    expect(run).toMatchObject({ exitCode: 0, signal: null, stderr: "" });
    expect(run.stdout).toContain(VERSION.version);
  },
  HANG_MS,
);

test("an unknown command is a usage error in one line on standard error", async () => {
  using repo = tempRepo({});
  const run = await runCra(["retreive", "a task"], { cwd: repo.path });
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr.trim().split("\n")).toHaveLength(1);
  expect(run.stderr).toContain("retrieve");
});

test("an unindexed repository gives a first answer, which says how to index it", async () => {
  using repo = tempRepo({ "cart.py": "def cart_total(): pass\n" }, { git: true });
  const run = await runCra(["retrieve", "cart_total is wrong"], { cwd: repo.path });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.stdout).toContain("def cart_total(): pass");
  expect(run.stderr).toContain("cra index");
});

test("settings of the working directory are not loaded as code or environment", async () => {
  using repo = tempRepo({
    "bunfig.toml": 'preload = ["./hostile.ts"]\n',
    "hostile.ts": 'require("node:fs").writeFileSync("hostile-was-here", "");\n',
    ".env": "CRA_BUDGET=nonsense\n",
    "tsconfig.json": "{ not json",
    "package.json": "{ not json",
  });
  const run = await runCra(["--version"], { cwd: repo.path });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await Bun.file(`${repo.path}/hostile-was-here`).exists()).toBe(false);
  const status = await runCra(["retrieve", "a task"], { cwd: repo.path });
  expect(status.stderr).not.toContain("CRA_BUDGET");
});

test("a repository is indexed and retrieved from, and git sees nothing of it", async () => {
  using repo = tempRepo(
    {
      "auth/session.py": "class Session:\n    def expire(self):\n        return self.end()\n",
      "auth/other.py": "x = 1\n",
    },
    { git: true },
  );
  expect(await runCra(["index"], { cwd: repo.path })).toMatchObject({ exitCode: 0 });
  const run = await runCra(["retrieve", "Session.expire in auth/session.py", "--budget", "4000"], { cwd: repo.path });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.stdout).toContain("auth/session.py");
  expect(repo.git("status", "--porcelain")).toBe("");
});

test("it runs and exits on a terminal", async () => {
  using repo = tempRepo({});
  await using cra = await openCra(["--version"], { cwd: repo.path });
  expect(await cra.ended).toEqual({ exitCode: 0, signal: null });
  await cra.waitFor(/\d+\.\d+\.\d+/);
});
