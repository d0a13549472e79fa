import { expect, test } from "bun:test";
import { chownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  findRepository,
  NOT_A_REPOSITORY,
  resolveGitFolders,
  sharedGitFolder,
  workTreesOf,
} from "../../../src/source/git/folders.ts";
import { commitFiles, git, temporaryFolder, temporaryRepository } from "../fixture.ts";

test("the nearest folder upward with .git, else the folder itself", () => {
  using repo = temporaryRepository({ "a/b/c.txt": "1" });
  for (const start of ["", "a", "a/b", "a/b/c.txt"])
    expect(findRepository(join(repo.path, start))).toEqual({ root: repo.path, kind: "work-tree" });
  using plain = temporaryFolder({ "x/y.txt": "1" });
  expect(findRepository(join(plain.path, "x"))).toEqual({ root: join(plain.path, "x"), kind: "folder" });
  expect(() => findRepository(join(plain.path, "missing"))).toThrow("there is no such folder");
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

test("all work trees of a repository share a folder, in both directions", () => {
  using repo = temporaryRepository();
  commitFiles(repo.path, { a: "1" });
  using place = temporaryFolder();
  for (const name of ["one", "two", "gone"])
    git(repo.path, ["worktree", "add", "--quiet", "-b", name, join(place.path, name)]);
  rmSync(join(place.path, "gone"), { recursive: true });
  const common = join(repo.path, ".git");
  const roots = [repo.path, join(place.path, "one"), join(place.path, "two")];
  expect(roots.map(sharedGitFolder)).toEqual([common, common, common]);
  expect(workTreesOf(common)).toEqual(roots.sort());
  // A work tree that was moved by hand is not known to git.
  renameSync(join(place.path, "two"), join(place.path, "moved"));
  expect(sharedGitFolder(join(place.path, "moved"))).toBeNull();
  expect(workTreesOf(common)).toEqual([repo.path, join(place.path, "one")].sort());
});

test("work trees of a bare repository share its folder", () => {
  using repo = temporaryRepository();
  commitFiles(repo.path, { a: "1" });
  using place = temporaryFolder();
  git(place.path, ["clone", "--quiet", "--bare", repo.path, "bare"]);
  git(join(place.path, "bare"), ["worktree", "add", "--quiet", "-b", "one", join(place.path, "one")]);
  const common = join(place.path, "bare");
  expect(sharedGitFolder(join(place.path, "one"))).toBe(common);
  expect(workTreesOf(common)).toEqual([join(place.path, "one")]);
});

test("a planted .git shares nothing: git must know of the work tree", () => {
  using repo = temporaryRepository();
  commitFiles(repo.path, { a: "1" });
  const common = join(repo.path, ".git");
  using place = temporaryFolder({
    "points/.git": `gitdir: ${common}\n`,
    "claims/.git": "gitdir: ../plain\n",
    "plain/a.txt": "1",
  });
  git(repo.path, ["worktree", "add", "--quiet", "-b", "one", join(place.path, "one")]);
  mkdirSync(join(place.path, "posing"));
  writeFileSync(join(place.path, "posing/.git"), `gitdir: ${join(common, "worktrees/one")}\n`);
  for (const name of ["points", "claims", "plain", "posing"])
    expect([name, sharedGitFolder(join(place.path, name))]).toEqual([name, null]);
  // A folder of git that names another one as common.
  using outer = temporaryRepository();
  commitFiles(outer.path, { a: "1" });
  writeFileSync(join(outer.path, ".git/commondir"), common);
  expect(sharedGitFolder(outer.path)).toBeNull();
});
