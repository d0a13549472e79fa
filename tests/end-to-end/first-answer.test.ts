/** An answer before the index: what it holds and says, what stays of it, and how the index takes over. */
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bundle, ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { type TempFolder, tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { MANY_FILES } from "../support/many-files.ts";
import { type Files, type TempRepo, tempRepo } from "../support/repo.ts";
import { runCra } from "../support/run-cra.ts";
import { type RunsCra, runHere } from "../support/run-here.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

let shop: TempRepo;
beforeAll(() => {
  shop = shopRepo();
});
afterAll(() => shop[Symbol.dispose]());

/** Runs cra on a repository with its own data folder. */
const craIn =
  (repo: TempRepo, data: string, run: RunsCra = runHere) =>
  (args: readonly string[]) =>
    run([...args, "--data-dir", data], { cwd: repo.path, env: { CRA_INDEX_WORKERS: "1" } });

const packageOf = (stdout: string): ContextPackage => ContextPackage.parse(JSON.parse(stdout));

const NOTE = /this is a first answer without an index \(state [0-9a-f]{12}\): the words of 5 files are counted/;

test("every format holds the code and says what it was made from", async () => {
  using data = tempFolder();
  const cra = craIn(shop, data.path);
  const json = await cra(["retrieve", SHOP_TASK, "--json"]);
  expect(json).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(NOTE) });
  const found = packageOf(json.stdout);
  expect(found.files.map(({ path }) => path)).toContain("shop/cart.py");
  const { provisional, index } = found.provenance;
  expect(provisional).toMatchObject({
    files_counted: 5,
    files_parsed: 5,
    index: "none",
    note: expect.stringMatching(NOTE),
  });
  expect(index.content_hash.slice(0, 12)).toBe(provisional?.state ?? "");
  expect(found.warnings).toContainEqual(expect.stringMatching(NOTE));
  for (const format of ["markdown", "prompt", "xml"]) {
    const run = await cra(["retrieve", SHOP_TASK, "--format", format, "-q"]);
    expect([run.exitCode, run.stderr]).toEqual([0, ""]);
    expect(run.stdout).toMatch(NOTE);
    expect(run.stdout).toContain("def sum(self):");
  }
  const bundle = await cra(["retrieve", SHOP_TASK, "--format", "bundle"]);
  expect(Bundle.parse(JSON.parse(bundle.stdout)).provisional).toEqual(provisional);
});

test("the same files and the same state give the same bytes, and no index is made", async () => {
  using one = tempFolder();
  using other = tempFolder();
  const first = await craIn(shop, one.path)(["retrieve", SHOP_TASK]);
  const again = await craIn(shop, one.path)(["retrieve", SHOP_TASK]);
  const elsewhere = await craIn(shop, other.path)(["retrieve", SHOP_TASK]);
  expect([again.stdout, elsewhere.stdout]).toEqual([first.stdout, first.stdout]);
  expect(existsSync(join(one.path, "curated.sqlite"))).toBe(false);
  expect((await craIn(shop, one.path)(["status"])).stdout).toContain("none; run: cra index");
});

test("only a history that there is will be added", async () => {
  using folder = tempFolder();
  using data = tempFolder();
  writeFileSync(join(folder.path, "cart.py"), "def total(items):\n    return sum(items)\n");
  const bare = await runHere(["retrieve", "total of an empty cart", "--data-dir", data.path], { cwd: folder.path });
  const makes = `cra index --data-dir ${data.path} makes one\n`;
  expect(bare.stderr).toContain(`1 of them parsed; an index keeps what was found; ${makes}`);
  const found = await runHere(["search", "total", "--data-dir", data.path], { cwd: folder.path });
  expect(found.stderr).toContain(makes);
  const ofGit = await craIn(shop, data.path)(["retrieve", SHOP_TASK]);
  expect(ofGit.stderr).toContain(`5 of them parsed; an index adds the git history; ${makes}`);
});

test("few files are parsed without a thread", async () => {
  using data = tempFolder();
  const threads = spyOn(globalThis, "Worker");
  try {
    const run = await craIn(shop, data.path)(["retrieve", SHOP_TASK]);
    expect([run.exitCode, run.stderr]).toEqual([0, expect.stringMatching(NOTE)]);
    expect(threads).not.toHaveBeenCalled();
  } finally {
    threads.mockRestore();
  }
});

test("the index begins with what was parsed, and its answers say nothing of a first one", async () => {
  using data = tempFolder();
  const cra = craIn(shop, data.path);
  const first = packageOf((await cra(["retrieve", SHOP_TASK, "--json"])).stdout);
  const indexed = JSON.parse((await cra(["index", "--json"])).stdout);
  expect([indexed.from_cache, indexed.parsed]).toEqual([5, 0]);
  const final = packageOf((await cra(["retrieve", SHOP_TASK, "--json"])).stdout);
  expect(final.provenance.provisional).toBeUndefined();
  expect(final.task_id).not.toBe(first.task_id);
  expect(final.files.map(({ path }) => path)).toEqual(first.files.map(({ path }) => path));
});

/** Files of which most have no word of the task. */
const many = (count: number, more: Files = {}): Files => ({
  ...Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`lib/part${at}.py`, `def part${at}():\n    return helper(${at})\n`]),
  ),
  "app/login.py": "def login_user(name):\n    return check_password(name)\n",
  "odd/place.py": "class OddThing:\n    def turn(self):\n        return 1\n",
  ...more,
});

describe("of more files than are parsed for one answer", () => {
  let repo: TempRepo;
  let data: TempFolder;
  let first: ContextPackage;
  /** Asked with the compiled binary: so many files start threads, which load sooner there. Later questions find most files parsed. */
  beforeAll(async () => {
    repo = tempRepo(many(50), { git: true });
    data = tempFolder();
    const asked = await craIn(repo, data.path, runCra)(["retrieve", "login_user is slow", "--json"]);
    first = packageOf(asked.stdout);
  }, HANG_MS);
  afterAll(() => {
    repo[Symbol.dispose]();
    data[Symbol.dispose]();
  });

  test("only the best are parsed, and what a round asks for", async () => {
    const cra = craIn(repo, data.path, runCra);
    expect(first.provenance.provisional).toMatchObject({ files_counted: 52, files_parsed: 40 });
    expect(first.files.map(({ path }) => path)).toEqual(["app/login.py"]);
    const shownIn = (pkg: ContextPackage) =>
      pkg.files.flatMap(({ symbols }) => symbols.map(({ qualified_name }) => qualified_name));
    const byFile = await cra(["refine", first.task_id, "--missing-file", "odd/place.py", "--json"]);
    expect(shownIn(packageOf(byFile.stdout))).toContain("OddThing");
    // No index has changed: there is none.
    expect(byFile.stderr).toContain("files have changed since round 1 of this task, or others of them are parsed\n");
    expect(byFile.stderr).not.toContain("the index has changed");
    const bySymbol = await cra(["retrieve", "login_user is slow", "--missing-symbol", "OddThing.turn", "--json"]);
    expect(shownIn(packageOf(bySymbol.stdout))).toContain("OddThing.turn");
    const hinted = await cra(["retrieve", "login_user is slow", "--hint-symbol", "OddThing", "--json"]);
    expect(packageOf(hinted.stdout).files[0]?.path).toBe("odd/place.py");
    // A later round still has what an earlier one asked for.
    const later = await cra(["refine", first.task_id, "--missing-file", "lib/part44.py", "--json"]);
    expect(shownIn(packageOf(later.stdout))).toEqual(expect.arrayContaining(["OddThing", "part44"]));
  });

  test("changed ones are parsed for a review", async () => {
    const now = "class OddThing:\n    def turn(self):\n        return 2\n";
    using folder = tempFolder();
    const changed = join(folder.path, "changed");
    cpSync(repo.path, changed, { recursive: true });
    writeFileSync(join(changed, "odd/place.py"), now);
    const review = await runCra(["retrieve", "--diff", "--json", "--data-dir", data.path], { cwd: changed });
    const found = packageOf(review.stdout);
    expect(found.provenance.provisional).toMatchObject({ index: "none" });
    expect(found.files[0]?.symbols.map(({ qualified_name }) => qualified_name)).toContain("OddThing.turn");
    expect(found.review?.files).toHaveLength(1);
  });

  test("a search finds words in those that were parsed for it, and says so", async () => {
    const cra = craIn(repo, data.path, runCra);
    const found = await cra(["search", "OddThing"]);
    expect(found).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("this is a first answer") });
    expect(found.stdout).toContain("odd/place.py:1");
    const json = JSON.parse((await cra(["search", "OddThing", "--json"])).stdout);
    expect(json.hits[0]).toMatchObject({ path: "odd/place.py", name: "OddThing" });
    expect(json.note).toContain("an index adds");
    expect((await cra(["search", "nowhere"])).exitCode).toBe(1);
  });
});

test("the test of the best file is parsed, although by its words it comes after more files than are parsed", async () => {
  const users = Object.fromEntries(
    Array.from({ length: 45 }, (_, at) => [`lib/part${at}.py`, `def slow${at}():\n    return login_user(slow)\n`]),
  );
  using repo = tempRepo({
    ...users,
    "app/login.py": "def login_user(name):\n    return check_password(name)\n",
    "tests/test_login.py": "from app.login import login_user\n\n\ndef test_name():\n    assert login_user('a')\n",
  });
  using data = tempFolder();
  const { stdout } = await craIn(repo, data.path)(["retrieve", "slow login_user of check_password", "--json"]);
  const { files, provenance } = packageOf(stdout);
  expect(provenance.provisional).toMatchObject({ files_counted: 47, files_parsed: 41 });
  const shown = files.find(({ path }) => path === "tests/test_login.py")?.symbols;
  expect(shown?.map(({ qualified_name }) => qualified_name)).toEqual(["test_name"]);
});

test("an index that is far behind is not waited for, unless told so", async () => {
  using repo = tempRepo(many(3));
  using data = tempFolder();
  const cra = craIn(repo, data.path, runCra);
  expect((await cra(["index", "-q"])).exitCode).toBe(0);
  repo.write(MANY_FILES);
  repo.write({ "app/login.py": "def login_user(name):\n    return check_twice(name)\n" });
  const behind = await cra(["retrieve", "login_user is slow", "--json"]);
  const first = packageOf(behind.stdout);
  expect(first.provenance.provisional).toMatchObject({ index: "behind", files_counted: 1_006 });
  expect(behind.stderr).toContain("a first answer given before the index is up to date");
  // The files as they are now, not as they were indexed.
  expect(JSON.stringify(first.files)).toContain("check_twice");
  const search = await cra(["search", "check_twice"]);
  expect([search.stdout, search.stderr]).toEqual([
    expect.stringContaining("app/login.py"),
    expect.stringContaining("a first answer given before the index is up to date"),
  ]);
  const asIndexed = await cra(["search", "check_password", "--no-refresh"]);
  expect([asIndexed.stdout, asIndexed.stderr]).toEqual([expect.stringContaining("app/login.py"), ""]);
  const waited = await cra(["retrieve", "login_user is slow", "--no-quick", "--json"]);
  expect(packageOf(waited.stdout).provenance.provisional).toBeUndefined();
  const final = await cra(["retrieve", "login_user is slow", "--json"]);
  expect(packageOf(final.stdout).provenance.provisional).toBeUndefined();
});

test("a search brings the index up to date first, unless told not to", async () => {
  using repo = tempRepo(many(3));
  using data = tempFolder();
  const cra = craIn(repo, data.path);
  const alone = ["search", "login_user", "--no-quick"];
  expect((await cra(alone)).exitCode).toBe(10);
  expect((await cra(["index", "-q"])).exitCode).toBe(0);
  repo.write({ "app/login.py": "# One more line.\ndef login_user(name):\n    return name\n" });
  repo.write({ "app/new.py": "def brand_new():\n    pass\n" });
  expect((await cra([...alone, "--no-refresh"])).stdout).toStartWith("app/login.py:1  function login_user\n");
  expect((await cra(alone)).stdout).toStartWith("app/login.py:2  function login_user\n");
  expect(await cra(["search", "brand_new"])).toMatchObject({
    exitCode: 0,
    stderr: "",
    stdout: expect.stringContaining("app/new.py:1"),
  });
});

test("files of the data folder that cannot be read are no obstacle", async () => {
  using data = tempFolder();
  mkdirSync(data.path, { recursive: true });
  writeFileSync(join(data.path, "parse-cache.sqlite"), "not a database");
  const run = await craIn(shop, data.path)(["retrieve", SHOP_TASK, "-q"]);
  expect([run.exitCode, run.stdout.includes("def sum(self):")]).toEqual([0, true]);
});

test("a home folder is not read unless it is indexed", async () => {
  using home = tempRepo({ "cart.py": "def cart_total(): pass\n" });
  for (const words of [
    ["retrieve", "cart_total is wrong"],
    ["search", "cart"],
  ]) {
    const run = await runHere(words, { cwd: home.path, home: home.path });
    expect(run).toMatchObject({ exitCode: 10, stderr: expect.stringContaining("is not indexed; run: cra index") });
  }
  expect(existsSync(join(home.path, ".cra"))).toBe(false);
});
