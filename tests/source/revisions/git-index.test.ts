/** What git's index says of files and submodules, and when it is not asked. */
import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RevisionReader } from "../../../src/source/revisions/revisions.ts";
import { workTreeChanges } from "../../../src/source/revisions/work-tree-diff.ts";
import { commitFiles, git, temporaryRepository, writeFiles } from "../fixture.ts";
import { byGit, DIFF, repository, signal, since, TEXT, told } from "./compared.ts";

test("commits are compared without git's index and without what submodules have checked out", async () => {
  using repo = repository();
  const { path } = repo;
  using other = temporaryRepository();
  commitFiles(other.path, { "x.c": "x\n" });
  git(path, ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.path, "sub"]);
  git(path, ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.path, "lib"]);
  git(path, ["commit", "--quiet", "-m", "submodules"], 1_700_000_100);
  git(path, ["rm", "--quiet", "lib"]);
  commitFiles(path, { "lib/own.c": "own\n", "a.txt": TEXT.replace("two", "TWO") });
  git(path, ["update-index", "--split-index"]);
  writeFileSync(join(path, ".git/modules/sub/HEAD"), "broken");
  const asked: string[] = [];
  const reader: RevisionReader = {
    ...byGit,
    commit: async (root, ...rest) => {
      asked.push(root);
      return await byGit.commit(root, ...rest);
    },
    tracked: async () => ({ kind: "problem", why: "asked" }),
  };
  const found = await workTreeChanges(reader, path, since("HEAD~1"), ["a.txt", "lib/own.c"], signal);
  expect(found.kind === "changes" ? found.files.map((file) => `${file.kind} ${file.path}`) : found).toEqual([
    "modified .gitmodules",
    "modified a.txt",
    "deleted lib",
    "added lib/own.c",
  ]);
  expect(new Set(asked)).toEqual(new Set([path]));
});

test("files in the place of a submodule are new, and staged or not they are not the submodule's", async () => {
  using repo = repository();
  const { path } = repo;
  using other = temporaryRepository();
  commitFiles(other.path, { "x.c": "x\n" });
  git(path, ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.path, "lib"]);
  git(path, ["commit", "--quiet", "-m", "submodule"], 1_700_000_100);
  git(path, ["rm", "--quiet", "lib"]);
  writeFiles(path, { "lib/own.c": "own\n" });
  const expected = ["modified .gitmodules + -0", "deleted lib", "added lib/own.c"];
  expect(await told(path, DIFF, ["lib/own.c"])).toEqual(expected);
  git(path, ["add", "--all"]);
  expect(await told(path)).toEqual(expected);
  git(path, ["commit", "--quiet", "-m", "own"], 1_700_000_200);
  expect(await told(path, since("HEAD~1"))).toEqual(expected);
  expect(await told(path, { diff: "HEAD~1", since: null })).toEqual(expected);
});

test("what git shall take for unchanged has not changed, whatever form its index has", async () => {
  using repo = repository();
  const { path } = repo;
  git(path, ["update-index", "--skip-worktree", "a.txt"]);
  git(path, ["update-index", "--assume-unchanged", "b/c.txt", "b/gone.txt"]);
  writeFiles(path, { "a.txt": "mine\n", "b/c.txt": "mine\n", "b/same.txt": "mine\n" });
  rmSync(join(path, "b/gone.txt"));
  const expected = ["modified b/same.txt +1-1 -"];
  const changed = (): string => git(path, ["diff", "--name-only", "HEAD"]);
  expect([changed(), await told(path)]).toEqual(["b/same.txt\n", expected]);
  // In a sparse checkout git compares such a file if it is there.
  git(path, ["config", "core.sparseCheckout", "true"]);
  expect([changed(), await told(path)]).toEqual(["a.txt\nb/same.txt\n", ["modified a.txt +1-1 -", ...expected]]);
  git(path, ["config", "core.sparseCheckout", "false"]);
  git(path, ["update-index", "--split-index"]);
  const found = await workTreeChanges(byGit, path, DIFF, [], signal);
  expect(found.kind === "changes" ? found.files.map((file) => file.path) : found).toEqual(["b/same.txt"]);
});

test("files omitted by a sparse checkout are not deleted", async () => {
  using repo = repository();
  const { path } = repo;
  git(path, ["update-index", "--skip-worktree", "b/gone.txt"]);
  rmSync(join(path, "b/gone.txt"));
  rmSync(join(path, "b/c.txt"));
  expect(await told(path)).toEqual(["deleted b/c.txt"]);
});
