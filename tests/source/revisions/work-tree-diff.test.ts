/** Changes of a work tree: equal from both readers, for every kind of change and name. */
import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRevisions } from "../../../src/source/revisions/open-revisions.ts";
import { builtinRevisions } from "../../../src/source/revisions/revisions-builtin.ts";
import { workTreeChanges } from "../../../src/source/revisions/work-tree-diff.ts";
import { emptyTreeBeside } from "../../../src/text/diff/empty-tree.ts";
import { commitFiles, git, temporaryFolder, temporaryRepository, writeFiles } from "../fixture.ts";
import { byGit, changes, DIFF, repository, signal, since, TEXT, told } from "./compared.ts";

/** A time that git's index cannot have been written at. */
const long = new Date("2020-01-01T00:00:00Z");

test("every kind of change against HEAD, staged or not", async () => {
  using repo = repository();
  const { path } = repo;
  expect(await told(path, DIFF, ["a.txt", "b/c.txt"])).toEqual([]);
  writeFiles(path, {
    "a.txt": "zero\none\ntwo\nfour\nFIVE\n",
    "b/new.txt": "x\n",
    "b/staged.txt": "x\n",
    "b/same.txt": TEXT,
    "bin.dat": "\0\x02",
    "unknown.txt": "x\n",
  });
  utimesSync(join(path, "b/same.txt"), long, long);
  rmSync(join(path, "b/gone.txt"));
  git(path, ["add", "b/staged.txt"]);
  git(path, ["rm", "--quiet", "--cached", "b/c.txt"]);
  expect(await told(path, DIFF, ["a.txt", "b/new.txt", "b/staged.txt", "b/c.txt"])).toEqual([
    "modified a.txt +1-1,5-5 -3",
    "deleted b/gone.txt",
    "added b/new.txt",
    "added b/staged.txt",
    "modified bin.dat",
  ]);
});

test("reports the edits of a renamed file; little in common is another file", async () => {
  using repo = repository();
  const { path } = repo;
  commitFiles(path, { "d/other.txt": "six\nseven\neight\nnine\n" });
  git(path, ["mv", "a.txt", "d/moved.txt"]);
  git(path, ["mv", "bin.dat", "d/bin.dat"]);
  git(path, ["mv", "d/other.txt", "d/new.txt"]);
  writeFiles(path, { "d/moved.txt": TEXT.replace("four", "FOUR"), "d/new.txt": "six\nand\nother\nthings\n" });
  git(path, ["add", "--all"]);
  const all = ["d/bin.dat", "d/moved.txt", "d/new.txt"];
  const expected = [
    "deleted a.txt",
    "deleted bin.dat",
    "modified d/bin.dat",
    "modified d/moved.txt +4-4 -",
    "added d/new.txt",
    "deleted d/other.txt",
  ];
  expect(await told(path, DIFF, all)).toEqual(expected);
  git(path, ["mv", "b/gone.txt", "b/here.txt"]);
  git(path, ["commit", "--quiet", "-m", "moved"]);
  expect(await told(path, since("HEAD~1"))).toEqual([
    "deleted a.txt",
    "deleted b/gone.txt",
    "modified b/here.txt + -",
    ...expected.slice(1),
  ]);
});

test("line ends and permissions change no lines, times nothing; a file replaced by a link is deleted", async () => {
  using repo = repository();
  const { path } = repo;
  writeFiles(path, { "a.txt": TEXT.replaceAll("\n", "\r\n") });
  chmodSync(join(path, "b/c.txt"), 0o755);
  utimesSync(join(path, "b/same.txt"), long, long);
  const changed = ["modified a.txt + -", "modified b/c.txt + -"];
  expect(await told(path)).toEqual(changed);
  rmSync(join(path, "b/gone.txt"));
  symlinkSync("../a.txt", join(path, "b/gone.txt"));
  expect(await told(path)).toEqual([...changed, "deleted b/gone.txt"]);
  git(path, ["config", "core.autocrlf", "true"]);
  git(path, ["config", "core.fileMode", "false"]);
  expect(await told(path)).toEqual(["deleted b/gone.txt"]);
});

test("reads a file as new as git's index even if its stat matches", async () => {
  using repo = repository();
  const { path } = repo;
  const [file, index] = [join(path, "a.txt"), join(path, ".git", "index")];
  utimesSync(file, long, long);
  git(path, ["update-index", "--refresh"]);
  writeFileSync(file, TEXT.replace("two", "TWO"));
  utimesSync(file, long, long);
  expect(await told(path)).toEqual([]);
  utimesSync(index, long, long);
  expect(await told(path)).toEqual(["modified a.txt +2-2 -"]);
});

test("commits since a branch: from the merge base, without uncommitted changes", async () => {
  using repo = repository();
  const { path } = repo;
  git(path, ["checkout", "--quiet", "-b", "topic"]);
  commitFiles(path, { "a.txt": TEXT.replace("two", "2"), "new.txt": "n\n" }, "topic", 1_700_000_100);
  git(path, ["checkout", "--quiet", "main"]);
  commitFiles(path, { "b/c.txt": "main alone\n" }, "main", 1_700_000_200);
  git(path, ["checkout", "--quiet", "topic"]);
  expect(await told(path, since("main"))).toEqual(["modified a.txt +2-2 -", "added new.txt"]);
  expect(await told(path, { diff: "main", since: null })).toEqual([
    "modified a.txt +2-2 -",
    "modified b/c.txt +1-5 -",
    "added new.txt",
  ]);
  writeFiles(path, { "a.txt": `zero\n${TEXT.replace("two", "2").replace("four", "4")}`, "b/same.txt": "other\n" });
  expect(await told(path, since("main"))).toEqual(["modified a.txt +3-3 -", "added new.txt"]);
  expect(await told(path, { diff: "HEAD", since: "main" })).toEqual([
    "modified a.txt +1-1,3-3,5-5 -",
    "modified b/same.txt +1-1 -",
    "added new.txt",
  ]);
});

test("both readers resolve names alike", async () => {
  using repo = repository();
  const { path } = repo;
  const first = git(path, ["rev-parse", "HEAD"]).trim();
  git(path, ["tag", "light"]);
  git(path, ["tag", "-a", "-m", "x", "heavy"]);
  git(path, ["tag", "-a", "-m", "x", "heavier", "heavy"]);
  git(path, ["branch", "feature/x"]);
  git(path, ["update-ref", "refs/remotes/origin/main", first]);
  git(path, ["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
  commitFiles(path, { "a.txt": "second\n" }, "second", 1_700_000_100);
  git(path, ["checkout", "--quiet", "-b", "side", first]);
  commitFiles(path, { "side.txt": "s\n" }, "side", 1_700_000_200);
  git(path, ["checkout", "--quiet", "main"]);
  git(path, ["merge", "--quiet", "--no-edit", "side"], 1_700_000_300);
  git(path, ["pack-refs", "--all"]);
  const names = [
    "HEAD",
    "@",
    "HEAD~1",
    "HEAD~2",
    "HEAD^",
    "HEAD^2",
    "HEAD^2^",
    "HEAD^0",
    "HEAD~",
    "HEAD^^",
    "light",
    "heavy",
  ];
  names.push(
    "heavier",
    "feature/x",
    "origin",
    "origin/main",
    "refs/heads/side",
    "heads/side",
    "tags/heavy",
    first,
    "main^2~1",
  );
  names.push(
    first.slice(0, 7),
    first.toUpperCase(),
    "HEAD~3",
    "HEAD^3",
    "nope",
    "feature",
    "0000000",
    "f".repeat(40),
    "refs/heads",
  );
  const tree = git(path, ["rev-parse", "HEAD^{tree}"]).trim();
  for (const name of [...names, tree, tree.slice(0, 8)])
    expect([name, await builtinRevisions.commit(path, name, signal)]).toEqual([
      name,
      await byGit.commit(path, name, signal),
    ]);
  expect(await byGit.commit(path, "heavier", signal)).toEqual({ kind: "found", value: first });
  expect(await builtinRevisions.commit(path, "main@{1}", signal)).toMatchObject({ kind: "problem" });
});

test("rejects names that could mean something else to git", async () => {
  using repo = repository();
  const marker = join(repo.path, "ran");
  const hostile = [
    "--upload-pack=touch ran",
    "-x",
    "--output=ran",
    "",
    " ",
    "a b",
    "a\nb",
    "a\0b",
    "HEAD..main..x",
    "HEAD..",
    "^HEAD",
  ];
  hostile.push(
    ":/start",
    "HEAD:a.txt",
    "refs/*",
    "../../etc/passwd",
    "/etc/passwd",
    "a\\b",
    "\u202eHEAD",
    "x".repeat(300),
    "--",
  );
  for (const name of hostile)
    for (const wish of [{ diff: name, since: null }, since(name)])
      expect(await changes(repo.path, wish)).toEqual({ kind: "unknown", name });
  expect(existsSync(marker)).toBe(false);
});

test("no program configured by a repository is run", async () => {
  using repo = repository();
  const { path } = repo;
  const marker = join(path, ".git", "ran");
  const run = `sh -c 'touch ${marker}; cat'`;
  writeFiles(path, { ".gitattributes": "* filter=evil diff=evil\n" });
  for (const [key, value] of [
    ["filter.evil.clean", run],
    ["filter.evil.smudge", run],
    ["filter.evil.process", run],
    ["diff.evil.textconv", run],
    ["diff.evil.command", run],
    ["diff.external", run],
    ["core.fsmonitor", run],
    ["core.hooksPath", path],
  ] as const)
    git(path, ["config", key, value]);
  writeFiles(path, { "a.txt": "changed\n" });
  expect(await told(path, DIFF, [".gitattributes"])).toEqual(["added .gitattributes", "modified a.txt +1-1 -"]);
  expect(existsSync(marker)).toBe(false);
});

test("nested repositories and submodules are not this one's changes", async () => {
  using repo = repository();
  const { path } = repo;
  mkdirSync(join(path, "nested", "deep"), { recursive: true });
  git(join(path, "nested"), ["init", "--quiet"]);
  commitFiles(join(path, "nested"), { "deep/x.txt": "x\n" });
  writeFiles(path, { "plain/y.txt": "y\n" });
  const present = ["nested/deep/x.txt", "plain/y.txt"];
  expect(await told(path, DIFF, present)).toEqual(["added plain/y.txt"]);
  git(path, [
    "update-index",
    "--add",
    "--cacheinfo",
    `160000,${git(join(path, "nested"), ["rev-parse", "HEAD"]).trim()},nested`,
  ]);
  git(path, ["commit", "--quiet", "-m", "submodule"], 1_700_000_100);
  rmSync(join(path, "nested", ".git"), { recursive: true });
  expect(await told(path, DIFF, present)).toEqual(["added plain/y.txt"]);
});

test("a repository without commits, with nothing in common, or none at all says so", async () => {
  using empty = temporaryRepository({ "a.txt": "a\n" });
  expect(await changes(empty.path)).toEqual({ kind: "unknown", name: "HEAD" });
  using unborn = repository();
  git(unborn.path, ["checkout", "--quiet", "--orphan", "unborn"]);
  for (const options of [since("main"), { diff: "main", since: null }])
    expect(await changes(unborn.path, options)).toEqual({ kind: "unknown", name: "HEAD" });
  using repo = repository();
  git(repo.path, ["checkout", "--quiet", "--orphan", "other"]);
  commitFiles(repo.path, { "z.txt": "z\n" }, "other", 1_700_000_100);
  expect(await changes(repo.path, since("main"))).toEqual({ kind: "unrelated", name: "main" });
  using none = temporaryFolder({ "a.txt": "a\n" });
  expect(await changes(none.path)).toEqual({ kind: "problem", why: "not a git repository" });
});

test("both readers choose the same merge base of crossing merges", async () => {
  using repo = repository();
  const { path } = repo;
  git(path, ["checkout", "--quiet", "-b", "left"]);
  const one = commitFiles(path, { "l.txt": "l\n" }, "left", 1_700_000_100);
  git(path, ["checkout", "--quiet", "-b", "right", "main"]);
  const two = commitFiles(path, { "r.txt": "r\n" }, "right", 1_700_000_200);
  git(path, ["merge", "--quiet", "--no-edit", one], 1_700_000_300);
  git(path, ["checkout", "--quiet", "left"]);
  git(path, ["merge", "--quiet", "--no-edit", two], 1_700_000_400);
  const [left, right] = ["left", "right"].map((name) => git(path, ["rev-parse", name]).trim());
  const base = await byGit.forkPoint(path, left ?? "", right ?? "", signal);
  expect(base).toEqual({ kind: "found", value: [one, two].toSorted()[0] ?? "" });
  expect(await builtinRevisions.forkPoint(path, left ?? "", right ?? "", signal)).toEqual(base);
});

test("without git, and where git refuses, the built-in reader answers", async () => {
  using repo = repository();
  writeFiles(repo.path, { "a.txt": "changed\n" });
  const without = openRevisions({ PATH: "/nowhere" });
  expect(without.name).toBe("builtin");
  const found = await workTreeChanges(without, repo.path, DIFF, [], signal);
  expect(found).toMatchObject({ kind: "changes", files: [{ path: "a.txt" }] });
  using bin = temporaryFolder({ git: "#!/bin/sh\nexit 128\n" });
  chmodSync(join(bin.path, "git"), 0o755);
  const refused = openRevisions({ PATH: bin.path });
  expect(refused.name).toBe("git");
  expect(await workTreeChanges(refused, repo.path, DIFF, [], signal)).toEqual(found);
});

test("a large file has no lines; a signal aborts", async () => {
  using repo = temporaryRepository();
  const large = `${"x".repeat(80)}\n`.repeat(20_000);
  commitFiles(repo.path, { "large.txt": large });
  writeFiles(repo.path, { "large.txt": `${large}y\n` });
  expect(await told(repo.path)).toEqual(["modified large.txt"]);
  const stop = new AbortController();
  stop.abort(new Error("stopped"));
  const ended = await workTreeChanges(builtinRevisions, repo.path, DIFF, ["large.txt"], stop.signal).catch(String);
  expect(JSON.stringify(ended)).toContain("stopped");
});

test("a signal is heard between files that take long to read or compare", async () => {
  using folder = temporaryRepository();
  const text = (word: string): string => Array.from({ length: 5_000 }, (_, at) => `${word} ${at}`).join("\n");
  const names = Array.from({ length: 20 }, (_, at) => `file-${at}.txt`);
  commitFiles(folder.path, Object.fromEntries(names.map((name) => [name, text("old")])));
  writeFiles(folder.path, Object.fromEntries(names.map((name) => [name, text("new")])));
  const controller = new AbortController();
  const compared: string[] = [];
  // It comes while the first file is compared.
  const hide = (shown: string): string => {
    if (compared.push(shown) === 1) setImmediate(() => controller.abort(new Error("stopped")));
    return shown;
  };
  const run = workTreeChanges(builtinRevisions, folder.path, DIFF, [], controller.signal, hide);
  await expect(run).rejects.toThrow("stopped");
  expect(compared.length).toBeLessThan(2 * names.length);
});

test("a range ends at the commit that it names; only lines that are left of it count", async () => {
  using folder = repository();
  commitFiles(folder.path, { "a.txt": `zero\n${TEXT}`, "new.txt": "new\n" });
  git(folder.path, ["tag", "v2"]);
  commitFiles(folder.path, { "a.txt": `first\nzero\n${TEXT}`, "new.txt": "new\nlater\n", "later.txt": "later\n" });
  for (const range of ["v2~1..v2", "v2~1...HEAD~1", "HEAD~2..v2"])
    expect(await told(folder.path, since(range))).toEqual(["modified a.txt +2-2 -", "added new.txt +1-1 -"]);
  expect(await changes(folder.path, { diff: "v2..HEAD", since: null })).toEqual({ kind: "unknown", name: "v2..HEAD" });
  expect(await changes(folder.path, since("v2..-x"))).toEqual({ kind: "unknown", name: "-x" });
});

test("code that is added later and equal to that of a commit is not taken for it", async () => {
  using folder = repository();
  const [a, b] = ["def a():\n    return 1\n", "\n\ndef b():\n    return 1\n"];
  commitFiles(folder.path, { "a.py": a });
  commitFiles(folder.path, { "a.py": `${a}${b}` });
  writeFiles(folder.path, { "a.py": `def z():\n    return 1\n\n\n${a}${b}` });
  expect(await told(folder.path, since("HEAD~1"))).toEqual(["modified a.py +7-10 -"]);
});

test("a first commit is compared with the empty tree", async () => {
  using repo = repository();
  const first = git(repo.path, ["rev-parse", "HEAD"]).trim();
  const all = ["added a.txt", "added b/c.txt", "added b/gone.txt", "added b/same.txt", "added bin.dat"];
  expect(await told(repo.path, since(`${emptyTreeBeside(first)}..${first}`))).toEqual(all);
  expect(await told(repo.path, since(emptyTreeBeside(first)))).toEqual(all);
});

test("the newest first parent before a time, equal from both readers", async () => {
  using repo = temporaryRepository();
  const { path } = repo;
  const first = commitFiles(path, { "a.txt": "1" }, "one", 1_000);
  git(path, ["checkout", "--quiet", "-b", "side"]);
  commitFiles(path, { "side.txt": "1" }, "side", 2_500);
  git(path, ["checkout", "--quiet", "main"]);
  const second = commitFiles(path, { "a.txt": "2" }, "two", 2_000);
  git(path, ["merge", "--quiet", "--no-ff", "-m", "merge", "side"], 3_000);
  const head = git(path, ["rev-parse", "HEAD"]).trim();
  for (const reader of [byGit, builtinRevisions]) {
    const before = (seconds: number) => reader.commitBefore(path, head, seconds, signal);
    expect(await before(3_001)).toEqual({ kind: "found", value: head });
    expect(await before(3_000)).toEqual({ kind: "found", value: second });
    expect(await before(2_000)).toEqual({ kind: "found", value: first });
    expect(await before(1_000)).toEqual({ kind: "unknown" });
  }
});
