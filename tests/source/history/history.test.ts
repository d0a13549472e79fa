import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NOT_A_REPOSITORY } from "../../../src/source/git/folders.ts";
import { NO_COMMITS } from "../../../src/source/git/git-state.ts";
import { type CommitRecord, type History, headOf, newestCommits } from "../../../src/source/history/history.ts";
import { builtinHistory } from "../../../src/source/history/history-builtin.ts";
import { openHistory } from "../../../src/source/history/open-history.ts";
import { commitFiles, git, temporaryFolder, temporaryRepository } from "../fixture.ts";

const environment = { PATH: Bun.env.PATH };
const byGit = openHistory(environment);
const builtin = builtinHistory();
const unused = temporaryFolder();
afterAll(() => unused[Symbol.dispose]());

/** Reads with both readers, wants equal answers, and returns one. */
async function readBoth(root: string, commitsMax = 5_000): Promise<History> {
  const [first, second] = [
    await byGit.readHistory(root, { commitsMax }),
    await builtin.readHistory(root, { commitsMax }),
  ];
  expect(second).toEqual(first);
  for (const reader of [byGit, builtin]) expect(await reader.readHead(root)).toEqual(headOf(first));
  return first;
}

const filesOf = (history: History): readonly (readonly string[])[] => history.commits.map((commit) => commit.files);

test("the two readers are different implementations", () => {
  expect([byGit.name, builtin.name]).toEqual(["git", "builtin"]);
  expect(openHistory({ PATH: unused.path }).name).toBe("builtin");
});

test("where HEAD is known, git is asked for the commits alone", async () => {
  using repo = temporaryRepository();
  commitFiles(repo.path, { "a.txt": "1" }, "first", 1000);
  using tools = temporaryFolder();
  const asked = join(tools.path, "asked");
  writeFileSync(join(tools.path, "git"), `#!/bin/sh\necho "$*" >> ${asked}\nexec ${Bun.which("git")} "$@"\n`, {
    mode: 0o755,
  });
  const whole = await byGit.readHistory(repo.path, { commitsMax: 10 });
  const heard = openHistory({ PATH: `${tools.path}:${Bun.env.PATH}` });
  const commits = await heard.readHistory(repo.path, { commitsMax: 10, head: headOf(whole) });
  expect(commits).toEqual({ ...whole, tracked: null });
  expect(
    readFileSync(asked, "utf8").match(
      /(?<= )(?:rev-list|cat-file|diff-tree|rev-parse|symbolic-ref|config|ls-files)(?= )/g,
    ),
  ).toEqual(["rev-list", "cat-file", "diff-tree"]);
});

describe("rows, equal from both readers", () => {
  test("added, modified, deleted, renamed, mode and link changes; a root against the empty tree", async () => {
    using repo = temporaryRepository();
    commitFiles(repo.path, { "a.txt": "1", "dir/b.txt": "2", "dir/deep/c.txt": "3" }, "first\n\nbody  ", 1000);
    commitFiles(repo.path, { "a.txt": "changed" }, "second", 2000);
    renameSync(join(repo.path, "dir/b.txt"), join(repo.path, "moved.txt"));
    commitFiles(repo.path, {}, "third", 3000);
    rmSync(join(repo.path, "dir"), { recursive: true });
    commitFiles(repo.path, { dir: "a file now" }, "fourth", 4000);
    chmodSync(join(repo.path, "a.txt"), 0o755);
    const last = commitFiles(repo.path, {}, "fifth", 5000);
    const history = await readBoth(repo.path);
    expect(filesOf(history)).toEqual([
      ["a.txt"],
      ["dir", "dir/deep/c.txt"],
      ["dir/b.txt", "moved.txt"],
      ["a.txt"],
      ["a.txt", "dir/b.txt", "dir/deep/c.txt"],
    ]);
    expect(history.commits.at(-1)).toMatchObject({ author: "Ada Löve", message: "first\n\nbody", timestamp: 1000 });
    expect(history).toMatchObject({
      head: last,
      branch: "main",
      remoteUrl: null,
      problem: null,
      tracked: ["a.txt", "dir", "moved.txt"],
    });
  });

  test("merges contribute no files, both sides do", async () => {
    using repo = temporaryRepository();
    commitFiles(repo.path, { base: "1" }, "base", 1000);
    git(repo.path, ["checkout", "--quiet", "-b", "side"]);
    commitFiles(repo.path, { side: "1" }, "side", 2000);
    git(repo.path, ["checkout", "--quiet", "main"]);
    commitFiles(repo.path, { main: "1" }, "main", 3000);
    git(repo.path, ["merge", "--quiet", "--no-ff", "-m", "merge", "side"], 4000);
    expect(filesOf(await readBoth(repo.path))).toEqual([[], ["main"], ["side"], ["base"]]);
  });

  test("paths with spaces, quotes, backslashes, line feeds and other scripts; not the ones that are not UTF-8", async () => {
    using repo = temporaryRepository();
    const names = [
      "a b.txt",
      'q"uote',
      "back\\slash",
      "line\nfeed",
      "tab\there",
      "日本語/ü.txt",
      "e\u0301",
      "\u00e9",
      ":colon",
      "-dash",
    ];
    commitFiles(repo.path, Object.fromEntries(names.map((name) => [name, name])), "names", 1000);
    writeFileSync(Buffer.concat([Buffer.from(`${repo.path}/`), Buffer.from([0x66, 0xff])]), "not a name");
    commitFiles(repo.path, { plain: "1" }, "more names", 2000);
    const history = await readBoth(repo.path);
    expect(filesOf(history)).toEqual([["plain"], names.toSorted()]);
    expect(history.tracked).toEqual([...names, "plain"].toSorted());
  });

  test("messages and authors in other encodings, empty or with empty lines", async () => {
    using repo = temporaryRepository();
    writeFileSync(join(repo.path, "message"), Buffer.from("caf\xe9 ol\xe9\n\n\nend\n\n", "latin1"));
    git(
      repo.path,
      [
        "-c",
        "i18n.commitEncoding=ISO-8859-1",
        "commit",
        "--quiet",
        "--allow-empty",
        "--cleanup=verbatim",
        "--file",
        "message",
      ],
      1000,
    );
    git(repo.path, ["commit", "--quiet", "--allow-empty", "--allow-empty-message", "-m", ""], 2000);
    const { commits } = await readBoth(repo.path);
    expect(commits.map((commit) => commit.message)).toEqual(["", "café olé\n\n\nend"]);
  });

  test("orders by time and hash; the window takes the newest", async () => {
    using repo = temporaryRepository();
    const times = [5000, 1000, 9000, 1000, 1000, 2000, 8000, 100, 3000, 3000];
    for (const [at, time] of times.entries()) commitFiles(repo.path, { [`f${at}`]: "1" }, `c${at}`, time);
    const all = (await readBoth(repo.path)).commits;
    const expected = all.toSorted((a, b) => b.timestamp - a.timestamp || (a.hash < b.hash ? -1 : 1));
    expect(all).toEqual(expected);
    expect(all).toHaveLength(times.length);
    for (const commitsMax of [3, 7])
      expect((await readBoth(repo.path, commitsMax)).commits).toEqual(all.slice(0, commitsMax));
  });

  test("a shallow clone ends with a commit of unknown files", async () => {
    using repo = temporaryRepository();
    for (const at of [1, 2, 3, 4]) commitFiles(repo.path, { [`f${at}`]: "1" }, `c${at}`, at * 1000);
    using clone = temporaryFolder();
    git(clone.path, ["clone", "--quiet", "--depth", "2", `file://${repo.path}`, "there"]);
    expect(filesOf(await readBoth(join(clone.path, "there")))).toEqual([["f4"], []]);
  });

  test("packed objects and refs, a detached HEAD, and remotes", async () => {
    using repo = temporaryRepository();
    for (const at of [1, 2, 3]) commitFiles(repo.path, { a: `${at}`.repeat(5000), b: `${at}` }, `c${at}`, at * 1000);
    git(repo.path, ["remote", "add", "zzz", "https://example.org/z.git"]);
    git(repo.path, ["remote", "add", "origin", "https://me:secret@example.org/o.git"]);
    git(repo.path, ["gc", "--quiet", "--aggressive"]);
    expect(await readBoth(repo.path)).toMatchObject({ branch: "main", remoteUrl: "https://example.org/o.git" });
    git(repo.path, ["checkout", "--quiet", "--detach", "HEAD~1"]);
    const history = await readBoth(repo.path);
    expect(history.branch).toBeNull();
    expect(history.commits).toHaveLength(2);
  });

  test("without a commit, the index is still known", async () => {
    using repo = temporaryRepository({ "a.txt": "1" });
    git(repo.path, ["add", "a.txt"]);
    expect(await readBoth(repo.path)).toEqual({
      head: null,
      branch: "main",
      remoteUrl: null,
      shallow: null,
      tracked: ["a.txt"],
      commits: [],
      problem: NO_COMMITS,
    });
  });

  test("linked work trees, of an ordinary and of a bare repository", async () => {
    using repo = temporaryRepository();
    commitFiles(repo.path, { a: "1" }, "c1", 1000);
    using place = temporaryFolder();
    git(repo.path, ["worktree", "add", "--quiet", "-b", "topic", join(place.path, "linked")]);
    commitFiles(join(place.path, "linked"), { linked: "1" }, "c2", 2000);
    expect(await readBoth(join(place.path, "linked"))).toMatchObject({
      branch: "topic",
      tracked: ["a", "linked"],
      problem: null,
    });
    git(place.path, ["clone", "--quiet", "--bare", repo.path, "bare.git"]);
    git(join(place.path, "bare.git"), ["worktree", "add", "--quiet", join(place.path, "from-bare"), "main"]);
    const history = await readBoth(join(place.path, "from-bare"));
    expect(filesOf(history)).toEqual([["a"]]);
  });

  test("a .git configured as bare, or with another work tree", async () => {
    using repo = temporaryRepository();
    commitFiles(repo.path, { a: "1" }, "c1", 1000);
    git(repo.path, ["config", "core.bare", "true"]);
    expect(await readBoth(repo.path)).toMatchObject({ tracked: ["a"], problem: null });
    git(repo.path, ["config", "core.bare", "false"]);
    git(repo.path, ["config", "core.worktree", unused.path]);
    expect(await readBoth(repo.path)).toMatchObject({ tracked: ["a"], problem: null });
  });

  test("submodules are not among a commit's files", async () => {
    using inner = temporaryRepository();
    commitFiles(inner.path, { x: "1" }, "inner", 1000);
    using repo = temporaryRepository();
    commitFiles(repo.path, { a: "1" }, "c1", 1000);
    git(repo.path, ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub"]);
    commitFiles(repo.path, {}, "c2", 2000);
    expect(filesOf(await readBoth(repo.path))).toEqual([[".gitmodules"], ["a"]]);
    expect(filesOf(await readBoth(join(repo.path, "sub")))).toEqual([["x"]]);
  });
});

describe("unreadable repositories are reported, not thrown", () => {
  test("a folder without git, also below a repository", async () => {
    using repo = temporaryRepository();
    commitFiles(repo.path, { "sub/a": "1" });
    for (const root of [unused.path, join(repo.path, "sub")])
      expect(await readBoth(root)).toMatchObject({ problem: NOT_A_REPOSITORY, commits: [] });
    mkdirSync(join(repo.path, "sub/.git"));
    for (const reader of [byGit, builtin]) {
      const history = await reader.readHistory(join(repo.path, "sub"), { commitsMax: 10 });
      expect(history.commits).toEqual([]);
      expect(history.problem).toBeString();
    }
  });

  test("a SHA-256 repository is read only by git, which auto selects", async () => {
    using folder = temporaryFolder();
    git(folder.path, ["init", "--quiet", "--object-format=sha256"]);
    commitFiles(folder.path, { a: "1" });
    expect(filesOf(await byGit.readHistory(folder.path, { commitsMax: 10 }))).toEqual([["a"]]);
    expect(await builtin.readHistory(folder.path, { commitsMax: 10 })).toMatchObject({
      problem: expect.stringContaining("SHA-256"),
      tracked: ["a"],
    });
  });

  test("damaged objects", async () => {
    using repo = temporaryRepository();
    const hash = commitFiles(repo.path, { a: "1" });
    const object = join(repo.path, ".git/objects", hash.slice(0, 2), hash.slice(2));
    chmodSync(object, 0o644);
    writeFileSync(object, "rubbish");
    for (const reader of [byGit, builtin])
      expect((await reader.readHistory(repo.path, { commitsMax: 10 })).problem).toBeString();
  });

  test("a stop signal", async () => {
    using repo = temporaryRepository();
    commitFiles(repo.path, { a: "1" });
    for (const reader of [byGit, builtin]) {
      const history = await reader.readHistory(repo.path, { commitsMax: 10, signal: AbortSignal.abort() });
      expect(history.problem).toBe("stopped");
    }
  });
});

test("reuses known commits", async () => {
  using repo = temporaryRepository();
  const old = commitFiles(repo.path, { a: "1" }, "old", 1000);
  commitFiles(repo.path, { b: "1" }, "new", 2000);
  const known: CommitRecord = { hash: old, author: "known", message: "known", timestamp: 1000, files: ["known"] };
  for (const reader of [byGit, builtin]) {
    const done: number[] = [];
    const options = { commitsMax: 10, known: new Map([[old, known]]), onProgress: (count: number) => done.push(count) };
    const history = await reader.readHistory(repo.path, options);
    expect(history.commits[1]).toEqual(known);
    expect(filesOf(history)).toEqual([["b"], ["known"]]);
    expect(done.at(-1)).toBe(2);
  }
});

test("newest first, ties by hash", () => {
  const commit = (hash: string, timestamp: number): { hash: string; timestamp: number } => ({ hash, timestamp });
  const sorted = newestCommits([commit("b", 1), commit("c", 2), commit("a", 1)], 3);
  expect(sorted.map(({ hash }) => hash)).toEqual(["c", "a", "b"]);
});

test("git counts lines of commits with one parent at most; binary files have none, and the built-in reader counts nothing", async () => {
  using repo = temporaryRepository();
  const first = commitFiles(repo.path, { "a.txt": "1\n2\n3\n", "b.bin": "\0\0", "tab\t.txt": "x\n" }, "first", 1000);
  const second = commitFiles(repo.path, { "a.txt": "1\nzwei\n3\n4\n" }, "second", 2000);
  const hashes = [second, first, "0".repeat(40)];
  expect([...(await byGit.countLines(repo.path, [second, first]))]).toEqual([
    [second, { insertions: 2, deletions: 1 }],
    [first, { insertions: 4, deletions: 0 }],
  ]);
  expect((await byGit.countLines(repo.path, hashes)).size).toBeLessThan(3);
  expect((await byGit.countLines(repo.path, [])).size).toBe(0);
  expect((await byGit.countLines(unused.path, hashes)).size).toBe(0);
  expect((await builtin.countLines(repo.path, hashes)).size).toBe(0);
});
