/** Context from work in progress: uncommitted changes, a log, one package of a workspace; and output targets. */
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { CARTS } from "../support/carts.ts";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { callTool, openMcp } from "../support/mcp-client.ts";
import { packageOf } from "../support/package.ts";
import { PLANTED_KEYS, PLANTED_SECRETS, PRIVATE_KEYS } from "../support/planted-keys.ts";
import { tempRepo } from "../support/repo.ts";
import { type CraOptions, type CraRun, runCra, runShell } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { at, ENVIRONMENT, openTui } from "../support/terminal-user.ts";
import { parsedXml } from "../support/xml.ts";

const FILES = {
  ...CARTS,
  "web/page.py": "def page():\n    return '<p>the sum of a cart</p>'\n",
};

const repo = shared(tempRepo(FILES, { git: true }));
const bin = shared(tempFolder()).path;
await indexIn(repo);

const cra = (
  args: readonly string[],
  options: Partial<CraOptions> & { readonly stdin?: string } = {},
): Promise<CraRun> => runHere(args, { cwd: repo.path, ...options });
const seeds = (found: ContextPackage): readonly string[] =>
  found.provenance.files.filter(({ tier }) => tier === "seed").map(({ relation }) => relation);

test(
  "uncommitted code comes first, stays in later rounds, and equals one retrieve call",
  async () => {
    const clean = await cra(["retrieve", "--diff"]);
    expect([clean.exitCode, clean.stdout, clean.stderr]).toEqual([1, "", "cra: nothing has changed against HEAD\n"]);
    repo.write({
      "shop/rates.py": FILES["shop/rates.py"].replace("TABLE[key]", "TABLE.get(key)"),
      "shop/fresh.py": "def brand_new():\n    return None\n",
    });
    repo.remove("shop/mail.py");
    const task = "the sum of a cart is wrong";
    const diff = ["retrieve", task, "--diff", "--json", "--budget", "1500"];
    const first = packageOf(await runCra(diff, { cwd: repo.path }));
    expect(seeds(first)).toEqual(["was changed: shop/fresh.py:brand_new", "was changed: shop/rates.py:lookup"]);
    expect(first.files.slice(0, 2).map(({ path }) => path)).toEqual(["shop/fresh.py", "shop/rates.py"]);
    expect(first.warnings.join()).toContain("shop/mail.py");
    expect(first.review?.diff).toContain("\n-    return TABLE[key]\n+    return TABLE.get(key)\n");
    expect(first.review?.diff).toContain(
      "--- a/shop/mail.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-def send_letter(text):\n",
    );
    expect(first.review?.files.map(({ path, change }) => `${change} ${path}`)).toEqual([
      "added shop/fresh.py",
      "deleted shop/mail.py",
      "modified shop/rates.py",
    ]);
    const builtin = await cra(diff, { env: { PATH: "/nowhere" } });
    expect(builtin.stdout).toBe(JSON.stringify(first, null, 2).concat("\n"));
    repo.write({ "shop/rates.py": FILES["shop/rates.py"].replace("return 1", "return 2") });
    const second = packageOf(await cra(diff));
    expect(second.task_id).not.toBe(first.task_id);
    expect(seeds(second)).toContain("was changed: shop/rates.py:other");
    repo.commit("Done");
    const refined = await cra(["refine", second.task_id, "--accept", "web/page.py", "--json"]);
    expect(seeds(packageOf(refined))).toContain("was changed: shop/rates.py:other");
    expect(packageOf(refined).review).toEqual(second.review);
    const line = / in one command: cra (retrieve .*)/.exec(refined.stderr)?.[1] ?? "";
    expect(line).toContain("--changed shop/rates.py:other");
    expect(line).toContain(`--diff ${second.review?.base}`);
    // The document's own size counts the id of the task and the provenance.
    const { provenance: _, task_id: __, document: ___, ...same } = packageOf(refined);
    const {
      provenance: ____,
      task_id: _____,
      document: ______,
      ...again
    } = packageOf(await runShell(`"$CRA" ${line} --json`, { cwd: repo.path }));
    expect(again).toEqual(same);
  },
  HANG_MS,
);

test(
  "command line, server and interface review the same changes with the same package, and refuse a clean tree alike",
  async () => {
    using own = tempRepo(FILES, { git: true });
    await indexIn(own);
    const clean = "nothing has changed against HEAD";
    await using mcp = await openMcp({ cwd: own.path });
    const refused = await callTool(mcp, "retrieve", { diff: "HEAD" });
    expect([refused.isError, refused.text]).toEqual([true, clean]);
    const told = await callTool(mcp, "retrieve", { task: "review my changes", diff: "HEAD" });
    expect(told.text).toContain(`\nNote: ${clean}\n`);
    {
      await using user = await openTui(["--diff"], { cwd: own.path, columns: 100, rows: 30 });
      expect((await user.ended).exitCode).toBe(1);
      expect(user.screen.text()).toContain(`cra: ${clean}`);
    }
    own.write({ "shop/rates.py": FILES["shop/rates.py"].replace("TABLE[key]", "TABLE.get(key)") });
    const printed = await cra(["retrieve", "--diff"], { cwd: own.path });
    expect(printed.stdout).toContain("\n## Diff\n1 file, +1 -1 lines, with uncommitted changes, against commit ");
    const answer = await callTool(mcp, "retrieve", { diff: "HEAD" });
    // Whoever asked knows the task.
    const [before, shown = ""] = printed.stdout.split("\n## Diff\n");
    expect(before).toStartWith("## Task\nPlease review these changes:\n");
    expect(answer.text).toStartWith("## Task\nPlease review these changes: […]\n\n## Diff\n");
    expect([answer.text, answer.isError]).toEqual([expect.stringContaining(shown), false]);
    const counted = await cra(["retrieve", "--diff", "--json"], { cwd: own.path, env: ENVIRONMENT });
    await using user = await openTui(["--diff"], { cwd: own.path, columns: 100, rows: 30 });
    await user.until(`${packageOf(counted).token_count} of 32,768`);
  },
  HANG_MS,
);

test("secrets in a diff are hidden, also in deleted lines and in a key over several lines", async () => {
  const lines = PLANTED_KEYS.map(({ line }) => `${line}\n`).join("");
  const { plain, commented, escaped, cutOff } = PRIVATE_KEYS;
  const keys = [plain, commented, escaped].join("\n");
  using own = tempRepo({ "a.py": `${lines}\n${keys}\n`, "b.py": "kept = 1\n" }, { git: true });
  await indexIn(own);
  own.write({ "a.py": `x = 1\n${commented}\n${cutOff}\n`, "b.py": lines });
  // A prompt is written as Markdown is, and a bundle as JSON.
  for (const format of ["markdown", "xml", "json"]) {
    const { stdout } = await cra(["retrieve", "--diff", "--format", format], { cwd: own.path });
    expect(stdout).toContain("-key = ");
    expect(PLANTED_SECRETS.filter((secret) => stdout.includes(secret))).toEqual([]);
  }
});

test("a round that cannot read the diff says so, and the next one has it again", async () => {
  using own = tempRepo(FILES, { git: true });
  await indexIn(own);
  const at = { cwd: own.path };
  own.write({ "web/page.py": FILES["web/page.py"].replace("cart", "basket") });
  const first = packageOf(await cra(["retrieve", "--diff", "--json"], at));
  renameSync(join(own.path, ".git"), join(own.path, ".git-away"));
  const second = await cra(["refine", first.task_id, "--accept", "shop/rates.py", "--json"], at);
  expect(second.stderr).toContain("cra: note: the diff of the round before is left out: ");
  expect(packageOf(second).review).toMatchObject({ base: first.review?.base ?? "", files: [], diff: "" });
  renameSync(join(own.path, ".git-away"), join(own.path, ".git"));
  const third = packageOf(await cra(["refine", first.task_id, "--reject", "web/page.py", "--json"], at));
  expect(third.review).toEqual(first.review);
  expect(third.files.map(({ path }) => path)).not.toContain("web/page.py");
});

test("a review without a task has no search words: not those of its headings", async () => {
  repo.write({ "web/page.py": FILES["web/page.py"].replace("cart", "basket") });
  const found = packageOf(await cra(["retrieve", "--diff", "--json"]));
  expect(found.task_query.keywords).toEqual([]);
  expect(found.files.map(({ path }) => path)).toEqual(["web/page.py"]);
  repo.write({ "web/page.py": FILES["web/page.py"] });
  repo.write({ "logo.png": "\0\x01" });
  Bun.spawnSync(["git", "add", "logo.png"], { cwd: repo.path });
  const binary = packageOf(await cra(["retrieve", "--diff", "--json"]));
  repo.remove("logo.png");
  expect(binary.review?.diff).toContain("Binary files /dev/null and b/logo.png differ");
  expect(binary.files.map(({ path }) => path)).not.toContain("web/page.py");
});

test("--since alone makes a task from commits; an unknown commit is refused in one line", async () => {
  const alone = await cra(["retrieve", "--since", "HEAD~1", "--json"]);
  expect(alone.exitCode).toBe(0);
  expect(packageOf(alone).task_query.raw_description).toBe(
    "Please review these changes:\n\n- `shop/fresh.py`: `brand_new`\n- `shop/rates.py`: `other`\n- `shop/mail.py`",
  );
  for (const name of ["nope", "--upload-pack=touch x", "a b", "HEAD..HEAD..x"]) {
    const { exitCode, stdout, stderr } = await cra(["retrieve", "x", `--since=${name}`]);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toStartWith(`cra: --since: no commit is called ${JSON.stringify(name)}; name a branch`);
  }
  using plain = tempRepo({ "a.py": "def a():\n    return 1\n" });
  const { exitCode, stderr } = await cra(["retrieve", "x", "--diff", "--index"], { cwd: plain.path });
  expect([exitCode, stderr.includes("changes cannot be read: not a git repository")]).toEqual([2, true]);
});

test("a task that asks for a review in words begins with what it means; where that cannot be read, it is a task like any other", async () => {
  const committed = packageOf(await cra(["retrieve", "Review the last commit.", "--json"]));
  expect(committed.review?.files).toEqual(
    packageOf(await cra(["retrieve", "--since", "HEAD~1", "--json"])).review?.files ?? [],
  );
  expect(committed.task_query.keywords).toEqual([]);
  repo.write({ "web/page.py": FILES["web/page.py"].replace("cart", "basket") });
  const mine = packageOf(await cra(["retrieve", "review my changes", "--json"]));
  repo.write({ "web/page.py": FILES["web/page.py"] });
  expect([mine.review?.uncommitted, mine.files[0]?.path]).toEqual([true, "web/page.py"]);
  using plain = tempRepo({ "a.py": "def a():\n    return 1\n" });
  const other = await cra(["retrieve", "review the last commit", "--index", "--json"], { cwd: plain.path });
  expect(other.exitCode).toBe(0);
  expect(other.stderr).toContain("the changes that the task asks to review cannot be read");
  expect(packageOf(other).review).toBeUndefined();
});

test("a shallow clone that lacks the commit says so", async () => {
  using clone = tempFolder();
  const folder = join(clone.path, "clone");
  repo.git("clone", "--quiet", "--depth", "1", `file://${repo.path}`, folder);
  const { exitCode, stderr } = await cra(["retrieve", "x", "--since", "HEAD~1"], { cwd: folder });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('called "HEAD~1"; this clone is shallow')]);
});

test("a long log from a pipe becomes a task about its last failure", async () => {
  const trace =
    'Traceback (most recent call last):\n  File "/builds/7/shop/rates.py", line 5, in lookup\nKeyError: 1\n';
  const log = `${"ok\n".repeat(50_000)}\x1b[31m${trace}\x1b[0m${"cleaning up\n".repeat(500)}`;
  const run = await runCra(["retrieve", "--trace", "-", "--json"], { cwd: repo.path, stdin: log });
  expect(run.exitCode).toBe(0);
  const found = packageOf(run);
  expect(found.task_query.raw_description.length).toBeLessThan(600);
  expect(found.files[0]?.path).toBe("shop/rates.py");
  const round = await cra(["refine", found.task_id, "--trace", "-", "--json"], {
    stdin: log.replaceAll('rates.py", line 5, in lookup', 'part_3.py", line 3, in cart_sum_3'),
  });
  expect(packageOf(round).files.map(({ path }) => path)).toContain("shop/part_3.py");
});

test("--only limits a package to one folder, also in later rounds", async () => {
  const cwd = join(repo.path, "shop");
  const first = await cra(["retrieve", "the sum of a cart", "--only", "../web", "--json"], { cwd });
  expect(packageOf(first).files.map(({ path }) => path)).toEqual(["web/page.py"]);
  const refined = await cra(["refine", packageOf(first).task_id, "--error", "cart_sum_1 failed", "--json"], { cwd });
  expect(packageOf(refined).files.map(({ path }) => path)).toEqual(["web/page.py"]);
  expect(refined.stderr).toContain("--only web");
  const why = await cra(["explain", packageOf(first).task_id, "shop/rates.py"]);
  expect(why.stdout).toContain("left out by --only: it does not lie in web");
  const { exitCode, stderr } = await cra(["retrieve", "x", "--only", "nowhere"], { cwd });
  expect([exitCode, stderr]).toEqual([
    2,
    "cra: --only: nowhere is not a folder or file of the repository; give a path relative to the current folder or to the repository's root\n",
  ]);
});

test(
  "the interface starts from uncommitted changes or from a log's failure, limited to one package",
  async () => {
    repo.write({
      "shop/rates.py": FILES["shop/rates.py"].replace("return 1", "return 3"),
      "web/new.py": "def fresh():\n    pass\n",
    });
    const log = join(bin, "run.log");
    writeFileSync(
      log,
      `${"ok\n".repeat(500)}Traceback (most recent call last):\n  File "/b/shop/mail.py", line 2, in f\nKeyError: 1\n`,
    );
    const size = { cwd: repo.path, columns: 120, rows: 40 };
    {
      await using user = await openTui(["--diff", "--only", "web"], size);
      await user.until(at("review"));
      await user.until("web/new.py");
      expect(user.screen.text()).not.toContain("shop/rates.py");
    }
    {
      await using user = await openTui(["--trace", log], size);
      await user.until(at("review"));
      await user.until("KeyError: 1");
    }
    repo.commit("Done again");
    const both = await cra(["tui", "--resume", "1", "--diff"]);
    expect([both.exitCode, both.stderr]).toEqual([
      2,
      "cra: --resume and --diff exclude each other; give one of them\n",
    ]);
  },
  HANG_MS,
);

test("XML is well-formed; --copy also runs the clipboard program, but never one from the repository", async () => {
  const kept = join(bin, "kept");
  for (const folder of [bin, join(repo.path, "node_modules", ".bin")]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "xclip"), `#!/bin/sh\n/bin/cat > '${folder === bin ? kept : join(bin, "stolen")}'\n`);
    chmodSync(join(folder, "xclip"), 0o755);
  }
  const env = { PATH: `${bin}:/usr/bin:/bin`, DISPLAY: ":0" };
  const run = await cra(["retrieve", "the sum of a cart </task>", "--format", "xml", "--copy"], { env });
  expect(run.exitCode).toBe(0);
  expect(readFileSync(kept, "utf8")).toBe(run.stdout);
  expect(run.stderr).toContain("cra: copied to the clipboard with xclip\n");
  expect(parsedXml(run.stdout).at(-1)).toEqual({ name: "task", text: "\nthe sum of a cart </task>\n" });
  const inside = { ...env, PATH: `${join(repo.path, "node_modules", ".bin")}:/nowhere` };
  const refused = await cra(["retrieve", "the sum of a cart", "--copy"], { env: inside });
  expect([refused.exitCode, refused.stdout.startsWith("## Task")]).toEqual([74, true]);
  expect(refused.stderr).toContain("cra: --copy: there is no clipboard program and no terminal; install");
});
