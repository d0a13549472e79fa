import { expect, test } from "bun:test";
import { chownSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { findRepository, NOT_A_REPOSITORY, resolveGitFolders } from "../../../src/source/git/folders.ts";
import { commitFiles, git, temporaryFolder, temporaryRepository } from "../fixture.ts";

test("the nearest folder upward with .git, else the folder itself", () => {
  using repo = temporaryRepository({ "a/b/c.txt": "1" });
  for (const start of ["", "a", "a/b", "a/b/c.txt"])
    expect(findRepository(join(repo.path, start))).toEqual({ root: repo.path, kind: "work-tree" });
  using plain = temporaryFolder({ "x/y.txt": "1" });
  expect(findRepository(join(plain.path, "x"))).toEqual({ root: join(plain.path, "x"), kind: "folder" });
  expect(() => findRepository(join(plain.path, "missing"))).toThrow();
});

test("without .git, the nearest folder upward with an index of the same owner", () => {
  using plain = temporaryFolder({ "p/.cra/curated.sqlite": "", "p/sub/deep/a.txt": "1", "q/sub/.cra": "a file" });
  const rootOf = (path: string): string => findRepository(join(plain.path, path)).root;
  for (const start of ["p", "p/sub", "p/sub/deep/a.txt"]) expect(rootOf(start)).toBe(join(plain.path, "p"));
  symlinkSync(join(plain.path, "p/.cra"), join(plain.path, "q/.cra"));
  expect(rootOf("q/sub")).toBe(join(plain.path, "q/sub"));
  mkdirSync(join(plain.path, "p/sub/.git"));
  expect(rootOf("p/sub/deep")).toBe(join(plain.path, "p/sub"));
  mkdirSync(join(plain.path, "p/sub/deep/.cra"));
  expect(rootOf("p/sub/deep")).toBe(join(plain.path, "p/sub"));
});

test.skipIf(process.getuid?.() !== 0)("someone else's index does not make a repository", () => {
  using plain = temporaryFolder({ ".cra/curated.sqlite": "", "sub/a.txt": "1" });
  chownSync(join(plain.path, "sub"), 12_345, 12_345);
  expect(findRepository(join(plain.path, "sub")).root).toBe(join(plain.path, "sub"));
});

test("the git folder: ordinary, linked, missing, broken", () => {
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
  expect(findRepository(join(place.path, "linked"))).toEqual({ root: join(place.path, "linked"), kind: "work-tree" });
  mkdirSync(join(place.path, "none"));
  const whys = ["none", "broken", "rubbish"].map((name) => resolveGitFolders(join(place.path, name)));
  expect(whys).toEqual([
    { kind: "problem", why: NOT_A_REPOSITORY },
    { kind: "problem", why: "its .git points to a folder that does not exist" },
    { kind: "problem", why: "its .git cannot be read" },
  ]);
});

test("a bare repository is recognised, also from inside; the .git of a work tree is not one", () => {
  using repo = temporaryRepository();
  commitFiles(repo.path, { a: "1" });
  using place = temporaryFolder();
  git(place.path, ["clone", "--quiet", "--bare", repo.path, "bare"]);
  for (const start of ["bare", "bare/refs", "bare/HEAD"])
    expect(findRepository(join(place.path, start))).toEqual({ root: join(place.path, "bare"), kind: "bare" });
  for (const start of [".git", ".git/refs", ".git/HEAD"])
    expect(findRepository(join(repo.path, start))).toEqual({ root: repo.path, kind: "work-tree" });
  expect(findRepository(place.path)).toEqual({ root: place.path, kind: "folder" });
});
