import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { findRepository, NOT_A_REPOSITORY, resolveGitFolders } from "../../src/source/git-folders.ts";
import { commitFiles, git, temporaryFolder, temporaryRepository } from "./fixture.ts";

test("the nearest folder upward with .git, else the folder itself", () => {
  using repo = temporaryRepository({ "a/b/c.txt": "1" });
  for (const start of ["", "a", "a/b", "a/b/c.txt"])
    expect(findRepository(join(repo.path, start))).toEqual({ root: repo.path, hasGit: true });
  using plain = temporaryFolder({ "x/y.txt": "1" });
  expect(findRepository(join(plain.path, "x"))).toEqual({ root: join(plain.path, "x"), hasGit: false });
  expect(() => findRepository(join(plain.path, "missing"))).toThrow();
});

test("git's folders: ordinary, linked, none, broken", () => {
  using repo = temporaryRepository();
  commitFiles(repo.path, { a: "1" });
  const own = join(repo.path, ".git");
  expect(resolveGitFolders(repo.path)).toEqual({ kind: "found", folder: own, commonFolder: own });
  using place = temporaryFolder({ "broken/.git": "gitdir: nowhere", "rubbish/.git": "rubbish" });
  git(repo.path, ["worktree", "add", "--quiet", "-b", "topic", join(place.path, "linked")]);
  expect(resolveGitFolders(join(place.path, "linked"))).toEqual({
    kind: "found",
    folder: join(own, "worktrees/linked"),
    commonFolder: own,
  });
  expect(findRepository(join(place.path, "linked"))).toEqual({ root: join(place.path, "linked"), hasGit: true });
  mkdirSync(join(place.path, "none"));
  const whys = ["none", "broken", "rubbish"].map((name) => resolveGitFolders(join(place.path, name)));
  expect(whys).toEqual([
    { kind: "problem", why: NOT_A_REPOSITORY },
    { kind: "problem", why: "its .git points to a folder that does not exist" },
    { kind: "problem", why: "its .git cannot be read" },
  ]);
});
