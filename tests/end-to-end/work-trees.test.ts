/** Work trees of one repository share what cra knows of contents. */
import { expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { dumpCuratedFile } from "../support/dump.ts";
import { tempFolder } from "../support/folder.ts";
import { indexIn } from "../support/index-in.ts";
import type { TempRepo } from "../support/repo.ts";
import { runQuickest } from "../support/run-here.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

const craIn =
  (cwd: string) =>
  async (...args: readonly string[]) => {
    const run = await runQuickest(args, { cwd });
    return { ...run, json: () => JSON.parse(run.stdout) };
  };

/** A work tree of the repository on a new branch. */
function workTree(repo: TempRepo, place: { readonly path: string }, name: string) {
  const path = join(place.path, name);
  repo.git("worktree", "add", "--quiet", "-b", name, path);
  return { path, cra: craIn(path), curated: join(path, ".cra/curated.sqlite") };
}

/** The index as a first run without any other work tree makes it. */
async function freshDump(path: string): Promise<string> {
  using scratch = tempFolder();
  await indexIn({ path }, scratch.path);
  return dumpCuratedFile(join(scratch.path, "curated.sqlite"));
}

test("a second work tree begins with the index of the first, and indexes what differs", async () => {
  using repo = shopRepo();
  using place = tempFolder();
  expect((await craIn(repo.path)("index", "--json")).json()).toMatchObject({ parsed: 5, seeded_from: null });
  const tree = workTree(repo, place, "two");
  writeFileSync(join(tree.path, "shop/mail.py"), "def post(text):\n    return text\n");
  const first = await tree.cra("index", "--json");
  expect(first.json()).toMatchObject({ seeded_from: repo.path, parsed: 1, changes: { changed: 1, unchanged: 4 } });
  expect(dumpCuratedFile(tree.curated)).toBe(await freshDump(tree.path));
  const status = (await tree.cra("status", "--json")).json();
  expect(status).toMatchObject({ repository: tree.path, stale: null });
  expect(status.shared).toEqual({ folder: join(repo.path, ".git/cra"), work_trees: [repo.path] });
  expect((await tree.cra("status")).stdout).toContain(`shared with 1 work tree: ${repo.path}\n`);
  for (const path of [repo.path, tree.path]) {
    expect((await craIn(path)("doctor")).stdout).toContain("nothing is wrong");
    expect(repo.git("-C", path, "status", "--porcelain", "--", ":!shop/mail.py")).toBe("");
  }
});

test("the first answer in a new work tree comes from a whole index", async () => {
  using repo = shopRepo();
  using place = tempFolder();
  const inMain = craIn(repo.path);
  await inMain("index", "-q");
  const tree = workTree(repo, place, "two");
  const answer = await tree.cra("retrieve", SHOP_TASK, "--json", "-q");
  const same = await inMain("retrieve", SHOP_TASK, "--json", "-q");
  expect(answer.json().items ?? answer.json().files).toEqual(same.json().items ?? same.json().files);
  expect(answer.stdout).not.toContain("first answer");
});

test("without another index, only contents that are new are parsed", async () => {
  using repo = shopRepo();
  using place = tempFolder();
  await craIn(repo.path)("index", "-q");
  const tree = workTree(repo, place, "two");
  await craIn(repo.path)("clean", "--index");
  writeFileSync(join(tree.path, "shop/new.py"), "NEW = 1\n");
  expect((await tree.cra("index", "--json")).json()).toMatchObject({ seeded_from: null, parsed: 1, from_cache: 5 });
  expect(dumpCuratedFile(tree.curated)).toBe(await freshDump(tree.path));
});

test("a damaged index of another work tree is not taken", async () => {
  using repo = shopRepo();
  using place = tempFolder();
  await craIn(repo.path)("index", "-q");
  const tree = workTree(repo, place, "two");
  const seal = join(repo.path, ".cra/curated.sqlite.seal");
  writeFileSync(seal, JSON.stringify({ bytes: 1, hashes: ["0"] }));
  expect((await tree.cra("index", "--json")).json()).toMatchObject({ seeded_from: null, parsed: 0, from_cache: 5 });
  expect(readdirSync(join(tree.path, ".cra")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

/** The indexes that the work trees of a repository have in git's folder, and whether each has another name. */
const keptIn = ({ path }: TempRepo): readonly { readonly path: string; readonly isAlone: boolean }[] =>
  readdirSync(join(path, ".git/cra"))
    .filter((name) => /^index-.*\.sqlite$/.test(name))
    .map((name) => join(path, ".git/cra", name))
    .map((kept) => ({ path: kept, isAlone: lstatSync(kept).nlink === 1 }));

test("a removed work tree leaves its index to the next one, and the last of these stays", async () => {
  using repo = shopRepo();
  using place = tempFolder();
  for (const name of ["one", "two"]) await workTree(repo, place, name).cra("index", "-q");
  expect(keptIn(repo).map(({ isAlone }) => isAlone)).toEqual([false, false]);
  for (const name of ["one", "two"]) repo.git("worktree", "remove", "--force", join(place.path, name));
  const tree = workTree(repo, place, "three");
  writeFileSync(join(tree.path, "shop/mail.py"), "def post(text):\n    return text\n");
  const first = (await tree.cra("index", "--json")).json();
  expect(first).toMatchObject({ parsed: 1, changes: { changed: 1, unchanged: 4 } });
  expect(first.seeded_from).toContain(join(repo.path, ".git/cra/index-"));
  expect(dumpCuratedFile(tree.curated)).toBe(await freshDump(tree.path));
  expect(
    keptIn(repo)
      .map(({ isAlone }) => isAlone)
      .sort(),
  ).toEqual([false, true]);
  expect((await tree.cra("doctor")).stdout).toContain("nothing is wrong");
  repo.git("worktree", "move", tree.path, join(place.path, "moved"));
  await craIn(join(place.path, "moved"))("index", "-q");
  expect(keptIn(repo)).toHaveLength(2);
  expect((await craIn(join(place.path, "moved"))("clean", "--index")).exitCode).toBe(0);
  expect(keptIn(repo)).toEqual([]);
});

test("the damaged index of a work tree that is gone is not taken", async () => {
  using repo = shopRepo();
  using place = tempFolder();
  await workTree(repo, place, "one").cra("index", "-q");
  repo.git("worktree", "remove", "--force", join(place.path, "one"));
  const [kept] = keptIn(repo);
  appendFileSync(kept?.path ?? "", "x");
  const tree = workTree(repo, place, "two");
  expect((await tree.cra("index", "--json")).json()).toMatchObject({ seeded_from: null, parsed: 0, from_cache: 5 });
});

test("the cache that an older cra left in a work tree is taken over", async () => {
  using repo = shopRepo();
  // It writes the parse cache into the data folder.
  await indexIn(repo);
  rmSync(join(repo.path, ".cra/curated.sqlite"));
  expect((await craIn(repo.path)("index", "--json")).json()).toMatchObject({ parsed: 0, from_cache: 5 });
  expect(existsSync(join(repo.path, ".cra/parse-cache.sqlite"))).toBe(false);
  expect(existsSync(join(repo.path, ".git/cra/parse-cache.sqlite"))).toBe(true);
});

test("--data-dir holds everything, and shares nothing", async () => {
  using repo = shopRepo();
  using place = tempFolder();
  const cra = craIn(repo.path);
  await cra("index", "-q", "--data-dir", place.path);
  expect(existsSync(join(place.path, "parse-cache.sqlite"))).toBe(true);
  expect(existsSync(join(repo.path, ".git/cra"))).toBe(false);
  expect((await cra("status", "--json", "--data-dir", place.path)).json().shared).toBeNull();
});

test("a folder that cannot be trusted is not used, and doctor says so", async () => {
  using repo = shopRepo();
  using place = tempFolder();
  mkdirSync(join(place.path, "planted"));
  symlinkSync(join(place.path, "planted"), join(repo.path, ".git/cra"));
  const cra = craIn(repo.path);
  expect((await cra("index", "--json")).json()).toMatchObject({ parsed: 5 });
  expect(readdirSync(join(place.path, "planted"))).toEqual([]);
  expect(existsSync(join(repo.path, ".cra/parse-cache.sqlite"))).toBe(true);
  expect((await cra("doctor")).stdout).toMatch(/note +.*do not share their parse cache.*it is a symbolic link/);
});

test("clean removes the shared cache, and every work tree goes on", async () => {
  using repo = shopRepo();
  using place = tempFolder();
  const inMain = craIn(repo.path);
  await inMain("index", "-q");
  const tree = workTree(repo, place, "two");
  await tree.cra("index", "-q");
  const { stdout } = await tree.cra("clean");
  expect(stdout).toMatch(/\nparse cache +[\d.]+ [KM]iB .*cra clean --cache.* parse-cache\.sqlite/);
  expect((await tree.cra("clean", "--cache")).exitCode).toBe(0);
  expect(existsSync(join(repo.path, ".git/cra/parse-cache.sqlite"))).toBe(false);
  writeFileSync(join(repo.path, "shop/new.py"), "NEW = 1\n");
  expect((await inMain("index", "--json")).json()).toMatchObject({ changes: { added: 1 } });
  expect(dumpCuratedFile(join(repo.path, ".cra/curated.sqlite"))).toBe(await freshDump(repo.path));
});

test("a moved work tree keeps its own cache", async () => {
  using repo = shopRepo();
  using place = tempFolder();
  const tree = workTree(repo, place, "two");
  renameSync(tree.path, join(place.path, "moved"));
  const cra = craIn(join(place.path, "moved"));
  expect((await cra("index", "--json")).exitCode).toBe(0);
  expect(existsSync(join(place.path, "moved/.cra/parse-cache.sqlite"))).toBe(true);
  expect(existsSync(join(repo.path, ".git/cra"))).toBe(false);
});
