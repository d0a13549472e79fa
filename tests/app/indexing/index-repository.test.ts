/** What a refresh that finds nothing to do takes: what git knows, from its files or asked for, and what that decides. */
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../../../src/app/app.ts";
import { openApp } from "../../../src/app/app.ts";
import { environmentIn } from "../../support/environment.ts";
import { tempFolder } from "../../support/folder.ts";
import { tempRepo } from "../../support/repo.ts";

const NEVER = new AbortController().signal;
const FILES = { "a.py": "def one():\n    return 1\n", "b.py": "def two():\n    return 2\n", ".gitignore": "*.log\n" };

/** A git that notes what it is asked, and asks the real one. */
function notingGit(folder: string): { readonly path: string; asked(): readonly string[] } {
  const [path, notes] = [join(folder, "bin"), join(folder, "notes")];
  mkdirSync(path);
  writeFileSync(notes, "");
  const program = join(path, "git");
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${notes}'\nexec '${Bun.which("git")}' "$@"\n`);
  chmodSync(program, 0o755);
  return {
    path,
    asked() {
      const lines = readFileSync(notes, "utf8").split("\n").filter(Boolean);
      writeFileSync(notes, "");
      return lines.map((line) => /--work-tree=\. (\S+)/.exec(line)?.[1] ?? line).sort();
    },
  };
}

test("git is started only if its files do not answer, once per question, and answers are not kept for later runs", async () => {
  using repo = tempRepo(FILES, { git: true });
  using home = tempFolder();
  const git = notingGit(home.path);
  const app: App = await openApp({
    environment: environmentIn(repo.path, { HOME: home.path, PATH: git.path }),
    repo: null,
    flags: [],
  });
  try {
    const index = () => app.index({ failFast: false, rebuild: false, onProgress: () => {} }, NEVER);
    await index();
    git.asked();
    expect((await index()).changed).toBe(false);
    expect(git.asked()).toEqual([]);
    repo.write({ "c.log": "def three():\n    return 3\n" });
    expect((await index()).files).toMatchObject({ added: 0, unchanged: 3 });
    repo.git("add", "--force", "c.log");
    expect((await index()).files).toMatchObject({ added: 1, unchanged: 3 });
    const head = repo.commit("More");
    const next = await index();
    expect([next.changed, next.meta.head]).toEqual([true, head]);
    repo.git("update-index", "--split-index");
    repo.write({ "d.log": "def four():\n    return 4\n" });
    repo.git("add", "--force", "d.log");
    git.asked();
    expect((await index()).files).toMatchObject({ added: 1, unchanged: 4 });
    expect(git.asked()).toContain("ls-files");
    // A branch that is a link is one to git alone.
    const branch = join(repo.path, ".git/refs/heads/main");
    renameSync(branch, join(repo.path, ".git/elsewhere"));
    symlinkSync("../../elsewhere", branch);
    git.asked();
    expect((await index()).meta.head).toBe(head);
    expect(git.asked()).toEqual(["config", "ls-files", "rev-parse", "symbolic-ref"]);
  } finally {
    app.close();
  }
});
