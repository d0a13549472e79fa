/** Git runs in the repository of the folder that is named, never in one around it. */
import { expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "../../../src/source/git/process.ts";
import { environment } from "../both-readers.ts";
import { commitFiles, git, temporaryFolder } from "../fixture.ts";

test.each(["ab", "a:b"])(
  "an empty .git folder is no way to a repository around it, in a folder named %p",
  async (name) => {
    using folder = temporaryFolder();
    const outer = join(folder.path, name);
    mkdirSync(join(outer, "inner/.git"), { recursive: true });
    git(outer, ["init", "--quiet"]);
    commitFiles(outer, { "o.txt": "private\n" });
    const call = { executable: Bun.which("git") ?? "", environment, arguments: ["rev-parse", "HEAD"] };
    expect(await runGit({ ...call, root: outer })).toMatchObject({ kind: "output" });
    expect(await runGit({ ...call, root: join(outer, "inner") })).toMatchObject({
      kind: "problem",
      why: expect.stringContaining("not a git repository"),
    });
  },
);

test("an extension that git does not know is named", async () => {
  using folder = temporaryFolder();
  git(folder.path, ["init", "--quiet"]);
  git(folder.path, ["config", "core.repositoryformatversion", "1"]);
  git(folder.path, ["config", "extensions.fromTheFuture", "yes"]);
  const call = { executable: Bun.which("git") ?? "", environment, arguments: ["rev-parse", "HEAD"] };
  expect(await runGit({ ...call, root: folder.path })).toMatchObject({
    kind: "problem",
    why: "git: unknown repository extension found: fromthefuture",
  });
});

const IMPATIENT = { lookMs: 20, looksMax: 100, blindLooksMax: 100, processorMsMax: 60_000 };

test
  .skipIf(process.platform === "win32")
  .each(["HEAD", "index", "config", "packed-refs", "shallow", "refs/heads/main", "objects/info/alternates"])(
  "git does not wait for a pipe in the place of its %s",
  async (name) => {
    using folder = temporaryFolder();
    git(folder.path, ["init", "--quiet", "--initial-branch=main"]);
    commitFiles(folder.path, { "a.txt": "a\n" });
    const call = {
      executable: Bun.which("git") ?? "",
      environment,
      root: folder.path,
      arguments: ["rev-parse", "HEAD"],
      patience: IMPATIENT,
    };
    expect(await runGit(call)).toMatchObject({ kind: "output" });
    const path = join(folder.path, ".git", name);
    rmSync(path, { force: true });
    Bun.spawnSync(["mkfifo", path]);
    const refused = { kind: "problem", why: `its ${name} is a pipe or a device`, exitCode: null } as const;
    expect(await runGit(call)).toEqual(refused);
    rmSync(path);
    symlinkSync("/dev/zero", path);
    expect(await runGit(call)).toEqual(refused);
  },
);
