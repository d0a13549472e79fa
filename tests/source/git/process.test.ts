/** Git runs in the repository of the folder that is named, never in one around it. */
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
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
    why: "git: unknown repository extension found: fromthefuture (a newer git may read it)",
  });
});

test("the reason is the error, not a warning before it, with the step that mends it", async () => {
  const why = async (lines: readonly string[]): Promise<string> => {
    using bin = temporaryFolder({
      git: `#!/bin/sh\nprintf '%s\\n' ${lines.map((line) => `"${line}"`).join(" ")} >&2\nexit 128\n`,
    });
    using folder = temporaryFolder();
    chmodSync(join(bin.path, "git"), 0o755);
    const call = { executable: join(bin.path, "git"), environment, root: folder.path, arguments: ["rev-parse"] };
    const output = await runGit(call);
    return output.kind === "problem" ? output.why : "";
  };
  expect(await why(["warning: lazy fetching disabled", "hint: no", "fatal: bad object HEAD"])).toBe(
    "git: bad object HEAD",
  );
  expect(await why(["warning: only this"])).toBe("git: warning: only this");
  expect(await why(["fatal: detected dubious ownership in repository at '/x'", "To add an exception, call:"])).toBe(
    "git: detected dubious ownership in repository at '/x' (git config --global --add safe.directory FOLDER allows it)",
  );
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
