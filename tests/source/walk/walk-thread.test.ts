/** A walk in a thread gives the tree that a walk on this one gives, or nothing where git has to be asked. */
import { expect, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitStateInFiles } from "../../../src/source/git/git-state.ts";
import { listings } from "../../../src/source/walk/listings.ts";
import { walkTree } from "../../../src/source/walk/tree.ts";
import { startWalk } from "../../../src/source/walk/walk-thread.ts";
import { commitFiles, temporaryRepository } from "../fixture.ts";

const FILES = {
  "a.ts": "1",
  "b/ä b.ts": "22",
  "b/made.log": "3",
  "c/.gitignore": "*.tmp\n",
  "c/x.tmp": "4",
  "lib/d.ts": "5",
};

test("the tree is the same", async () => {
  using repo = temporaryRepository(FILES);
  commitFiles(repo.path, { "c/kept.tmp": "6" });
  symlinkSync("a.ts", join(repo.path, "link"));
  const walk = startWalk(() => ({ root: repo.path, ignore: ["*.log"], dataDir: join(repo.path, "lib") }));
  const found = await walk.take({});
  const readTracked = async () => gitStateInFiles(repo.path)?.tracked() ?? null;
  const here = await walkTree(repo.path, { readTracked, ignore: ["*.log"], dataDir: join(repo.path, "lib") });
  expect([...here.files].length).toBeGreaterThan(3);
  expect([...(found?.files ?? [])]).toEqual([...here.files]);
  expect(found).toMatchObject({ leftOut: here.leftOut, problems: here.problems, walkedAt: expect.any(Number) });
  expect(found?.digest()).toEqual(here.digest());
  expect(await walk.take({})).toBe(null);
});

test("a thread takes what is known of folders", async () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`many/${at}/x.ts`, ""]));
  using repo = temporaryRepository({ ...FILES, ...many });
  const known = listings(null);
  await walkTree(repo.path, { readTracked: async () => null, listings: known });
  const stored = known.packed(Date.now() + 60_000);
  const walked = (given?: Uint8Array | null) =>
    startWalk(() => ({ root: repo.path, ...(given === undefined ? {} : { stored: given }) })).take({});
  expect(stored?.length).toBeGreaterThan(100);
  const [here, there] = [await walked(), await walked(stored)];
  expect([...(there?.files ?? [])]).toEqual([...(here?.files ?? [])]);
  // These folders are too young for the next walk.
  for (const tree of [here, there, await walked(null)]) expect(tree?.listings).toBeUndefined();
});

test("files are listed on a branch without commits, in order of path", async () => {
  using repo = temporaryRepository({
    "a/x": "",
    "a/y/z": "",
    "a-b": "",
    "a-b.d/e": "",
    a0: "",
    "a.b/c": "",
    "B/c": "",
  });
  const files = (await startWalk(() => ({ root: repo.path })).take({}))?.list().paths ?? [];
  expect(files).toHaveLength(7);
  expect(files).toEqual(files.toSorted());
});

test("nothing is found where git's files do not say what is tracked", async () => {
  using repo = temporaryRepository({ ...FILES, ".gitignore": "*.log\nb/\n" });
  writeFileSync(join(repo.path, ".git/index"), "no index");
  const walk = startWalk(() => ({ root: repo.path }));
  expect(await walk.take({})).toBe(null);
});

test("a walk that is stopped throws the reason", async () => {
  using repo = temporaryRepository(FILES);
  const stop = new AbortController();
  const walk = startWalk(() => ({ root: repo.path }));
  const taken = walk.take({ signal: stop.signal });
  stop.abort(new Error("stopped"));
  await expect(taken).rejects.toThrow("stopped");
});
