/** `cra index --watch` with the compiled binary indexes changes while it runs. */
import { expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { dataPaths } from "../../src/db/data-folder/paths.ts";
import { takeIndexLock } from "../../src/db/sqlite/lock.ts";
import { tempRepo } from "../support/repo.ts";
import { type RunningCra, runCra, startCra } from "../support/run-cra.ts";

const Run = z.object({
  head: z.string(),
  changes: z.object({ added: z.number(), changed: z.number(), removed: z.number(), unchanged: z.number() }),
});

/** The runs that are printed, one a line, as they come. */
async function* runsOf(cra: RunningCra): AsyncGenerator<z.infer<typeof Run>, never> {
  for (let text = ""; ; ) {
    const end = text.indexOf("\n");
    if (end === -1) text += await cra.next();
    else {
      yield Run.parse(JSON.parse(text.slice(0, end)));
      text = text.slice(end + 1);
    }
  }
}

test("edits, new folders, deletions and commits are indexed as they happen", async () => {
  using repo = tempRepo({ "src/a.py": "x = 1\n", ".gitignore": "out/\n" }, { git: true });
  await using cra = await startCra(["index", "--watch", "--json"], { cwd: repo.path });
  const runs = runsOf(cra);
  const next = async (): Promise<z.infer<typeof Run>> => (await runs.next()).value;

  const first = await next();
  expect(first.changes).toEqual({ added: 2, changed: 0, removed: 0, unchanged: 0 });

  repo.write({ "src/a.py": "x = 2\n" });
  expect((await next()).changes).toMatchObject({ added: 0, changed: 1, removed: 0 });

  mkdirSync(join(repo.path, "new/deep"), { recursive: true });
  repo.write({ "new/deep/b.py": "y = 1\n" });
  expect((await next()).changes).toMatchObject({ added: 1, changed: 0, removed: 0 });
  repo.write({ "new/deep/b.py": "y = 2\n" });
  expect((await next()).changes).toMatchObject({ added: 0, changed: 1, removed: 0 });

  // A folder that was empty when it was made.
  mkdirSync(join(repo.path, "empty/inner"), { recursive: true });
  await Bun.sleep(1_500);
  repo.write({ "empty/inner/d.py": "z = 1\n" });
  expect((await next()).changes).toMatchObject({ added: 1, changed: 0, removed: 0 });

  // What is ignored is not heard of: the next run is the deletion's.
  repo.write({ "out/c.py": "z = 1\n" });
  rmSync(join(repo.path, "new"), { recursive: true });
  expect((await next()).changes).toMatchObject({ added: 0, changed: 0, removed: 1 });

  repo.git("add", "-A");
  repo.git("commit", "-qm", "Change things");
  const committed = await next();
  expect(committed.head).not.toBe(first.head);
  expect(committed.head).toBe(repo.git("rev-parse", "HEAD").trim());

  cra.kill("SIGINT");
  expect(await cra.ended).toEqual({ exitCode: 130, signal: null });
});

test("what git ignores can change, and a change while another cra indexes is not lost", async () => {
  using repo = tempRepo({ "a.py": "x = 1\n", "b.log.py": "y = 1\n" }, { git: true });
  repo.git("rm", "-q", "--cached", "b.log.py");
  repo.git("commit", "-qm", "Keep the log untracked");
  await using cra = await startCra(["index", "--watch", "--json"], { cwd: repo.path });
  const runs = runsOf(cra);
  const next = async () => (await runs.next()).value.changes;
  expect((await next()).added).toBe(2);

  repo.write({ ".git/info/exclude": "*.log.py\n" });
  expect(await next()).toMatchObject({ added: 0, changed: 0, removed: 1 });

  const { lock } = dataPaths(join(repo.path, ".cra"), join(repo.path, ".git/cra"));
  const other = await takeIndexLock(lock, { pid: 4321, host: "afar", startedAt: "noon" }, 0);
  repo.write({ "c.py": "z = 1\n" });
  await Bun.sleep(1_500);
  other.release();
  expect(await next()).toMatchObject({ added: 1, changed: 0, removed: 0 });
  cra.kill("SIGINT");
  expect((await cra.ended).exitCode).toBe(130);
});

test("each run goes by the settings of its time, and keeps the last that could be read", async () => {
  using repo = tempRepo({ "src/a.py": "x = 1\n", "docs/b.md": "# B\n" }, { git: true });
  await using cra = await startCra(["index", "--watch", "--json"], { cwd: repo.path });
  const runs = runsOf(cra);
  const next = async (): Promise<z.infer<typeof Run>["changes"]> => (await runs.next()).value.changes;
  expect(await next()).toMatchObject({ added: 2, removed: 0 });
  repo.write({ ".cra.toml": '[index]\nignore = ["docs/"]\n' });
  expect(await next()).toMatchObject({ added: 1, removed: 1 });
  // Another command goes by the same settings, and finds nothing to do.
  const other = await runCra(["index", "--json"], { cwd: repo.path });
  expect(JSON.parse(other.stdout).changes).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 2 });
  repo.write({ ".cra.toml": "[index\n" });
  expect(await next()).toMatchObject({ added: 0, changed: 1, removed: 0 });
  repo.write({ "src/a.py": "x = 2\n" });
  expect(await next()).toMatchObject({ added: 0, changed: 1, removed: 0 });
  cra.kill("SIGTERM");
  await cra.ended;
  const kept = (await cra.stderr).split("\n").filter((line) => line.includes("the settings from before stay in force"));
  expect(kept).toHaveLength(1);
});

test("without --json, each run prints one line", async () => {
  using repo = tempRepo({ "a.py": "x = 1\n" });
  await using cra = await startCra(["index", "--watch"], { cwd: repo.path });
  let text = "";
  while (!text.includes("problems")) text += await cra.next();
  expect(text).toStartWith(`indexed ${repo.path} in `);
  repo.write({ "b.py": "y = 1\n" });
  expect(await cra.next()).toMatch(/^1 added, 0 changed, 0 removed, 1 unchanged in \d/);
  cra.kill("SIGTERM");
  expect(await cra.ended).toEqual({ exitCode: 143, signal: null });
  const lines = (await cra.stderr).trimEnd().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toStartWith("cra: note: no git history: not a git repository");
  expect(lines.slice(1)).toEqual(["cra: watching for changes; stop with Ctrl-C", "cra: stopped by SIGTERM"]);
});
