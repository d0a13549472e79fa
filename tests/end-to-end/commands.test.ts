/** What a user sees of each command on a changing repository. Concurrent commands do not disturb each other. */
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { VERSION } from "../../src/version.ts";
import { tempRepo } from "../support/repo.ts";
import { openCra, runCra, runShell } from "../support/run-cra.ts";
import { runHere, runQuickest } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

const cra = (...args: readonly string[]) => runQuickest(args, { cwd: repo.path });
/** Any command in a process of its own. */
const apart = (...args: readonly string[]) => runCra(args, { cwd: repo.path });
const repo = shared(shopRepo());

test("concurrent index runs all succeed, and readers always see a complete index", async () => {
  const first = await Promise.all([apart("index", "--json"), apart("index", "--json")]);
  const then = await Promise.all([apart("index", "--json", "--rebuild"), apart("status"), apart("search", "Cart")]);
  for (const { exitCode, stderr } of [...first, ...then]) expect([exitCode, stderr]).toEqual([0, ""]);
  const hashes = [...first, ...then.slice(0, 1)].map(
    ({ stdout }) => z.object({ content_hash: z.string() }).parse(JSON.parse(stdout)).content_hash,
  );
  expect(new Set(hashes).size).toBe(1);
});

test("index reports what it found, skipped and did", async () => {
  repo.write({ "logo.png": new Uint8Array([0x89, 0x50, 0, 0]), "key.pem": "-----BEGIN PRIVATE KEY-----\n" });
  const run = await cra("index", "-v");
  expect(run.exitCode).toBe(0);
  expect(run.stdout).toMatch(/^indexed \S+ in \d+(\.\d)? m?s\n/);
  expect(run.stdout).toMatch(/\ncommits +4\n/);
  expect(run.stderr).toContain("skipped logo.png: binary\n");
  expect(run.stderr).toContain("skipped key.pem: may hold secrets\n");
  expect(await cra("index")).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/\nchanges +none\n/) });
});

test("concurrent retrievals of one new task give the same package and are all logged", async () => {
  const runsLogged = async () => Number(/\nruns +(\d+)\n/.exec((await cra("status")).stdout)?.[1]);
  const before = await runsLogged();
  const runs = await Promise.all(Array.from({ length: 2 }, () => apart("retrieve", SHOP_TASK)));
  expect(runs.map(({ exitCode }) => exitCode)).toEqual(runs.map(() => 0));
  expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1);
  expect(await runsLogged()).toBe(before + runs.length);
});

/** Loading a tokenizer takes longest where nothing is counted on. */
const ANY_TOKENS = ["--tokenizer", "approximate"] as const;

test("retrieve indexes edits first unless told otherwise", async () => {
  const has = async (name: string, ...args: readonly string[]) =>
    (await cra("retrieve", `fix ${name} in shop/mail.py`, "-q", ...ANY_TOKENS, ...args)).stdout.includes(
      `def ${name}(`,
    );
  repo.write({ "shop/mail.py": "def deliver(text):\n    print(text)\n" });
  expect(await has("deliver", "--no-refresh")).toBe(false);
  expect((await cra("status")).stdout).toMatch(/\nindex +stale: /);
  expect(await has("deliver")).toBe(true);
  expect(await has("deliver", "--no-refresh")).toBe(true);
  expect(await has("send")).toBe(false);
  repo.remove("shop/mail.py");
  expect(await has("deliver")).toBe(false);
  expect((await cra("status")).stdout).toMatch(/\nindex +up to date\n/);
});

describe("search", () => {
  test("finds paths, symbols and content, with the place and the words", async () => {
    const { exitCode, stdout } = await cra("search", "discount");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^shop\/price\.py:5 {2}function discount\n/);
    const json = await cra("search", "cart", "--json", "--limit", "2");
    const { hits } = z
      .object({
        hits: z.array(
          z.object({ path: z.string(), text: z.string(), highlights: z.array(z.tuple([z.int(), z.int()])) }),
        ),
      })
      .parse(JSON.parse(json.stdout));
    expect(hits).toHaveLength(2);
    for (const { text, highlights } of hits)
      for (const [from, to] of highlights) expect(text.slice(from, to).toLowerCase()).toContain("cart");
    expect((await cra("search", "*.py cart.py")).stdout).toContain("shop/cart.py");
  });

  test("has code 1 and one line when there is nothing", async () => {
    expect(await cra("search", "nowhere_to_be_found")).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: 'cra: nothing matches "nowhere_to_be_found"\n',
    });
  });

  test.each(['"', "NEAR(", "a:b", "*", "AND", "foo-bar", "^x", "{", "'; drop table files; --"])(
    "takes %p as words",
    async (query) => {
      const { exitCode, stderr } = await cra("search", query);
      expect([0, 1]).toContain(exitCode ?? -1);
      expect(stderr).not.toContain("internal");
    },
  );
});

describe("explain", () => {
  test("explains everything, one item, and what was not considered", async () => {
    const { stdout } = await cra("retrieve", SHOP_TASK, "--json", "-q");
    const { task_id: id, files } = ContextPackage.parse(JSON.parse(stdout));
    const all = await cra("explain", id);
    for (const { path } of files) expect(all.stdout).toContain(path);
    const one = await cra("explain", id, "Cart.sum");
    expect(one.stdout).toMatch(/^shop\/cart\.py:\d+ method Cart\.sum\n {2}verdict in, primary/);
    const json = await cra("explain", id, "shop/cart.py", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ task_id: id, task: SHOP_TASK, status: "finished" });
    expect(await cra("explain", id, "no/such.py")).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: expect.stringContaining("no/such.py"),
    });
    expect(await cra("explain", "ffffffffffff")).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining("cra retrieve"),
    });
  });
});

test("status prints the same facts as text and as JSON", async () => {
  const text = await cra("status");
  expect(text).toMatchObject({ exitCode: 0, stderr: "" });
  for (const name of [
    "repository",
    "data",
    "index",
    "indexed",
    "files",
    "symbols",
    "commits",
    "skipped",
    "runs",
    "cra",
  ])
    expect(text.stdout).toMatch(new RegExp(`^${name} +\\S`, "m"));
  // The version of the extractor is a key for comparing, which says nothing to people.
  expect(text.stdout).not.toMatch(/^extractor /m);
  expect(JSON.parse((await cra("status", "--json")).stdout)).toMatchObject({
    schema_version: 1,
    repository: repo.path,
    versions: { extractor: expect.stringMatching(/^\d/) },
  });
});

test("config shows where a value comes from and what it overrides", async () => {
  using strange = tempRepo({ ".cra.toml": "budget = 9000\n[index]\ncommits_max = 200\n" });
  const { stdout } = await runHere(["config", "--explain"], {
    cwd: strange.path,
    env: { CRA_BUDGET: "8000", CRA_DEPTH: "2" },
  });
  expect(stdout).toMatch(/\nbudget +8000 +CRA_BUDGET /);
  expect(stdout).toMatch(/\n +hides 9000 +\S*\.cra\.toml/);
  expect(stdout).toMatch(/\ndepth +2 +CRA_DEPTH /);
  expect(stdout).toMatch(/\nindex\.commits_max +200 +\S*\.cra\.toml/);
  expect(stdout).toMatch(/\nscope_size +75 +default /);
});

test("the shell accepts the completions, which offer the commands", async () => {
  const run = await runShell(
    'eval "$("$CRA" completions bash)"; COMP_WORDS=(cra re); COMP_CWORD=1; $(complete -p cra | sed "s/.*-F \\([^ ]*\\).*/\\1/"); echo "${COMPREPLY[@]}"',
    { cwd: repo.path },
  );
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toContain("retrieve");
  for (const shell of ["zsh", "fish"]) expect((await cra("completions", shell)).stdout).toContain("budget");
});

test("--version names the program, and with -v its parts", async () => {
  expect((await apart("--version")).stdout).toContain(VERSION.version);
  expect((await apart("--version", "-v")).stdout).toMatch(/bun +\d+\.\d+/);
});

test("on a terminal an index is offered to who wants no other answer; anything but yes is a no", async () => {
  using fresh = tempRepo({ "notes.txt": "the Cart\n" });
  for (const [answer, exitCode] of [
    ["n\r", 10],
    ["\r", 10],
    ["y\r", 0],
  ] as const) {
    await using asked = await openCra(["retrieve", "Cart", "--no-quick"], { cwd: fresh.path });
    await asked.waitFor(/\[y\/N\] /);
    asked.type(answer);
    expect(await asked.ended).toEqual({ exitCode, signal: null });
  }
});
