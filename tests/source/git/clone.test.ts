/** Work trees of one commit: their contents, and that the source stays unchanged. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkOut } from "../../../src/source/git/clone.ts";
import { listing, tempFolder } from "../../support/folder.ts";
import { tempRepo } from "../../support/repo.ts";

const signal = new AbortController().signal;

/** Three commits: `a` grows, `gone` goes, and one on a branch of its own. */
function history() {
  const repo = tempRepo({ "a.txt": "1\n", gone: "x\n", ".gitattributes": "a.txt filter=evil\n" }, { git: true });
  const first = repo.git("rev-parse", "HEAD").trim();
  repo.write({ "a.txt": "1\n2\n", "d/b.txt": "b\n" });
  repo.remove("gone");
  const second = repo.commit("Second");
  repo.write({ "a.txt": "1\n2\n3\n" });
  const third = repo.commit("Third");
  return { repo, first, second, third };
}

const found = (folder: string): string =>
  new TextDecoder().decode(
    Bun.spawnSync(["git", "cat-file", "--batch-all-objects", "--batch-check"], { cwd: folder }).stdout,
  );

test("contains the commit and its ancestors, and no ref but HEAD, and can move forward and back", async () => {
  const { repo, first, second, third } = history();
  using source = repo;
  using work = tempFolder();
  source.git("tag", "v1");
  const before = listing(source.path);
  const folder = join(work.path, "clone");
  const environment = { PATH: process.env.PATH };
  const at = (commit: string) => checkOut({ from: source.path, commit, folder, environment, signal });
  const shown = () =>
    readdirSync(folder, { recursive: true })
      .map(String)
      .filter((name) => !name.startsWith(".git"))
      .sort();

  expect(await at(second)).toEqual({ kind: "done", missing: 0 });
  expect([shown(), readFileSync(join(folder, "a.txt"), "utf8")]).toEqual([["a.txt", "d", "d/b.txt"], "1\n2\n"]);
  expect([found(folder).includes(first), found(folder).includes(third)]).toEqual([true, false]);
  expect(new TextDecoder().decode(Bun.spawnSync(["git", "show-ref"], { cwd: folder }).stdout)).toBe("");

  writeFileSync(join(folder, "left"), "over");
  mkdirSync(join(folder, "nested", ".git"), { recursive: true });
  expect(await at(third)).toEqual({ kind: "done", missing: 0 });
  expect([shown(), readFileSync(join(folder, "a.txt"), "utf8")]).toEqual([["a.txt", "d", "d/b.txt"], "1\n2\n3\n"]);

  expect(await at(first)).toEqual({ kind: "done", missing: 0 });
  expect([shown(), found(folder).includes(second)]).toEqual([["a.txt", "gone"], false]);
  expect(listing(source.path)).toEqual(before);
});

test("counts objects that the source lacks", async () => {
  const { repo, third } = history();
  using source = repo;
  using work = tempFolder();
  const blob = source.git("rev-parse", `${third}:d/b.txt`).trim();
  rmSync(join(source.path, ".git", "objects", blob.slice(0, 2), blob.slice(2)), { force: true });
  const folder = join(work.path, "clone");
  const environment = { PATH: process.env.PATH };
  expect(await checkOut({ from: source.path, commit: third, folder, environment, signal })).toEqual({
    kind: "done",
    missing: 1,
  });
  expect([existsSync(join(folder, "a.txt")), existsSync(join(folder, "d", "b.txt"))]).toEqual([true, false]);
});

test("a missing commit or repository is a problem", async () => {
  const { repo, second, third } = history();
  using source = repo;
  using work = tempFolder();
  const environment = { PATH: process.env.PATH };
  const folder = join(work.path, "clone");
  const at = (from: string, commit: string) => checkOut({ from, commit, folder, environment, signal });
  expect(await at(join(work.path, "none"), second)).toEqual({ kind: "problem", why: "there is no git repository" });
  expect((await at(source.path, "0".repeat(40))).kind).toBe("problem");
  expect(await at(source.path, "HEAD")).toEqual({ kind: "problem", why: "not a full commit hash" });
  expect(await at(source.path, third)).toEqual({ kind: "done", missing: 0 });
  // Ended in the midst of something.
  writeFileSync(join(folder, ".git", "index.lock"), "");
  expect(await at(source.path, third)).toEqual({ kind: "done", missing: 0 });
});

test("no filter of the user's settings runs", async () => {
  const { repo, third } = history();
  using source = repo;
  using home = tempFolder();
  writeFileSync(join(home.path, ".gitconfig"), `[filter "evil"]\n\tsmudge = touch ${join(home.path, "ran")}; cat\n`);
  const environment = { PATH: process.env.PATH, HOME: home.path };
  const folder = join(home.path, "clone");
  expect(await checkOut({ from: source.path, commit: third, folder, environment, signal })).toEqual({
    kind: "done",
    missing: 0,
  });
  expect(existsSync(join(home.path, "ran"))).toBe(false);
});

test("files have the commit's bytes, whatever the attributes say", async () => {
  using source = tempRepo({ "a.txt": "one\n$Id$\n", ".gitattributes": "*.txt text eol=crlf ident\n" }, { git: true });
  using work = tempFolder();
  const commit = source.git("rev-parse", "HEAD").trim();
  const blob = source.git("show", "HEAD:a.txt");
  const folder = join(work.path, "clone");
  await checkOut({ from: source.path, commit, folder, environment: { PATH: process.env.PATH }, signal });
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe(blob);
});
