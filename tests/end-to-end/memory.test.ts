/** Memories and experiences with the compiled binary: without an index, in an editor, from a task, in the interface. */
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EntryList } from "../../src/memory/entry-list.ts";
import { binary } from "../support/binary.ts";
import { tempFolder } from "../support/folder.ts";
import { HOSTILE } from "../support/hostile-text.ts";
import { judgedShop } from "../support/judged-shop.ts";
import { openCra, runCra, runShell } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK } from "../support/shop.ts";
import { at, openTui } from "../support/terminal-user.ts";

const shop = shared(await judgedShop());
const folder = shared(tempFolder());

const listIn = (stdout: string) => EntryList.parse(JSON.parse(stdout)).entries;
const listed = async (dataDir: string) => listIn((await here(dataDir, ["recall", "--list", "--json"])).stdout);
/** A run in this process, for what needs neither an editor nor a terminal. */
const here = (dataDir: string, args: readonly string[]) =>
  runHere([...args, "--data-dir", dataDir], { cwd: shop.repo.path, env: { CRA_TOKENIZER: "approximate" } });

/** An editor that is a program: the lines of a shell, with the file in `$1`. */
function editor(name: string, ...lines: readonly string[]): Readonly<Record<string, string>> {
  const path = join(folder.path, name);
  writeFileSync(path, ["#!/bin/sh", ...lines, ""].join("\n"));
  chmodSync(path, 0o755);
  return { EDITOR: path, TMPDIR: folder.path };
}
const FILLED = [
  "--hypothesis",
  "h",
  "--action",
  "a",
  "--prediction",
  "p",
  "--domain",
  "testing",
  "--strategy",
  "ask-user",
];

test("piped input that is not UTF-8 is refused, and nothing is stored", async () => {
  using own = tempFolder();
  const latin = Buffer.from('{"content":"caf\u00e9"}\n', "latin1");
  for (const words of [["--import", "-"], ["--entry", "-"], ["-"]]) {
    const { exitCode, stdout, stderr } = await runCra(["remember", ...words], { cwd: own.path, stdin: latin });
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("standard input is not UTF-8");
  }
  expect((await runHere(["recall", "--list"], { cwd: own.path })).stdout).toBe("there are no entries\n");
});

test("a folder without git or index stores memories, and its list can be piped into another store", async () => {
  using one = tempFolder();
  using other = tempFolder();
  const lines = [
    'printf "from a pipe\\n" | "$CRA" remember - --category event',
    `"$CRA" remember 'two  lines\nand $HOME {task} \`\`\`' --importance 1`,
    `"$CRA" recall --list --json > list.json`,
    `"$CRA" remember --import - --repo ${other.path} < list.json`,
    `"$CRA" recall --list --json --repo ${other.path} | cmp - list.json`,
    `"$CRA" remember --import list.json --data-dir ${join(other.path, "data")} -q`,
  ];
  const { exitCode, stdout, stderr } = await runShell(lines.join(" &&\n"), { cwd: one.path });
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^remembered mem-\w{12}\nremembered mem-\w{12}\nimported: 2 added, 0 replaced, 0 unchanged\n/);
  expect(
    listIn(readFileSync(join(one.path, "list.json"), "utf8")).map((entry) => entry.type === "memory" && entry.content),
  ).toEqual(["two  lines\nand $HOME {task} ```", "from a pipe"]);
  expect(readdirSync(one.path).toSorted()).toEqual([".cra", "list.json"]);
  // A data folder of the repository that holds nothing but memories is still cra's own.
  const { exitCode: indexed } = await runCra(["index", "-q", "--data-dir", join(other.path, "data")], {
    cwd: other.path,
  });
  expect(indexed).toBe(0);
  const nothing = await runHere(["recall", "--list"], { cwd: folder.path });
  expect([nothing.stdout, existsSync(join(folder.path, ".cra"))]).toEqual(["there are no entries\n", false]);
});

describe("in an editor", () => {
  test("an experience is completed, stored, and edited again under its id", async () => {
    const dataDir = shop.fresh();
    const fill = editor(
      "fill",
      `sed -i 's/^strategy = .*/strategy = "read-the-error"/; s/^domain = .*/domain = "security"/' "$1"`,
    );
    const words = ["remember", "--edit", "--goal", "it's \\d 'quoted'\nand \u001b[31mlong", ...FILLED.slice(0, 6)];
    expect(await shop.run(dataDir, words, fill)).toMatchObject({ exitCode: 0 });
    const [entry] = await listed(dataDir);
    expect(entry).toMatchObject({
      goal: "it's \\d 'quoted'\nand \u001b[31mlong",
      strategy: "read-the-error",
      domain: "security",
      iterations: [{ hypothesis: "h", action: "a", prediction: "p" }],
    });
    const end = editor(
      "end",
      `sed -i 's/^status = .*/status = "confirmed"/; s/^result = .*/result = "it held"/; /^result/{n;d}' "$1"`,
    );
    const id = entry?.id ?? "";
    expect((await shop.run(dataDir, ["remember", "--update", id, "--edit"], end)).stdout).toBe(`updated ${id}\n`);
    expect(await listed(dataDir)).toMatchObject([
      { id, outcome: { status: "confirmed", result: "it held" }, confidence: "gold" },
    ]);
    const same = await shop.run(dataDir, ["remember", "--update", id, "--edit"], { EDITOR: "true" });
    expect(same.stdout).toBe(`nothing changed in ${id}\n`);
  });

  test("an incomplete text is saved, its path is named, and it can be continued from there", async () => {
    const dataDir = shop.fresh();
    const spoil = editor("spoil", `sed -i 's/^domain = .*/domain = "cooking"/' "$1"`);
    const failed = await shop.run(dataDir, ["remember", "--edit", "--goal", "mine", ...FILLED], spoil);
    expect([failed.exitCode, failed.stdout]).toEqual([2, ""]);
    const [, path = ""] =
      /domain is not one of .*; what you wrote was saved; correct it, then run: cra remember --data-dir \S+ --entry (\S+)\n$/.exec(
        failed.stderr,
      ) ?? [];
    expect(readFileSync(path, "utf8")).toContain("mine");
    expect(await listed(dataDir)).toEqual([]);
    expect((await here(dataDir, ["remember", "--entry", path, "--domain", "testing"])).exitCode).toBe(2);
    writeFileSync(path, readFileSync(path, "utf8").replace("cooking", "testing"));
    expect((await here(dataDir, ["remember", "--entry", path])).exitCode).toBe(0);
    expect(await listed(dataDir)).toMatchObject([{ goal: "mine", domain: "testing" }]);
  });

  test("a change by another process in the meantime is not overwritten", async () => {
    const dataDir = shop.fresh();
    await here(dataDir, ["remember", "--goal", "mine", ...FILLED]);
    await here(dataDir, ["remember", "a memory"]);
    const mine = `"$CRA" remember --update "$ID" $MORE --data-dir ${dataDir} -q; sed -i 's/mine/yours/; s/a memory/yours/' "$1"`;
    const env = { ...editor("meanwhile", mine), CRA: await binary() };
    for (const { id, type } of await listed(dataDir)) {
      const more = { ID: id, MORE: type === "memory" ? "theirs" : "--surprise theirs" };
      const { exitCode, stderr } = await shop.run(dataDir, ["remember", "--update", id, "--edit"], { ...env, ...more });
      const [, path = ""] = new RegExp(`^cra: ${id} was changed by .*saved; .* --entry (\\S+)\n$`).exec(stderr) ?? [];
      expect([exitCode, readFileSync(path, "utf8")]).toEqual([2, expect.stringContaining("yours")]);
    }
    const entries = JSON.stringify(await listed(dataDir));
    expect([entries.includes("yours"), entries.match(/theirs/g)?.length]).toEqual([false, 2]);
  });

  test("an empty text stores nothing, and a failing editor is reported", async () => {
    const dataDir = shop.fresh();
    const empty = editor("empty", `: > "$1"`);
    for (const [env, code, words] of [
      [empty, 2, "the text is empty, so nothing was stored"],
      [{ EDITOR: "true" }, 2, "the text was not changed, and domain is missing"],
      [{ EDITOR: "false" }, 74, "the editor: exited with code 1"],
      [{ EDITOR: "/no/such/editor" }, 74, "the editor: cannot be started"],
    ] as const) {
      const { exitCode, stderr } = await shop.run(dataDir, ["remember", "--edit"], env);
      expect([exitCode, stderr]).toEqual([code, expect.stringContaining(words)]);
    }
    expect(await listed(dataDir)).toEqual([]);
  });

  test("on a terminal, the editor reopens with the problem until it is fixed", async () => {
    const dataDir = shop.fresh();
    const twice = editor(
      "twice",
      'head -1 "$1"',
      `if grep -q '^# cra: ' "$1"; then sed -i 's/cooking/testing/' "$1"; else sed -i 's/^domain = .*/domain = "cooking"/' "$1"; fi`,
    );
    const words = ["remember", "--edit", "--goal", "again", ...FILLED, "--data-dir", dataDir];
    await using terminal = await openCra(words, { cwd: shop.repo.path, env: twice });
    expect(await terminal.ended).toEqual({ exitCode: 0, signal: null });
    expect(terminal.output()).toContain("# cra: domain is not one of debugging");
    expect(await listed(dataDir)).toMatchObject([{ goal: "again", domain: "testing" }]);
  });
});

describe("a task", () => {
  test("becomes one experience, which later rounds and arguments complete", async () => {
    const dataDir = shop.fresh();
    expect((await here(dataDir, ["remember", "--from-task", "abcd1234"])).exitCode).toBe(2);
    await here(dataDir, ["retrieve", SHOP_TASK, "--no-refresh", "-q"]);
    const { stdout: sessions } = await here(dataDir, ["sessions"]);
    const taskId = /[0-9a-f]{12}/.exec(sessions)?.[0] ?? "";
    const first = await here(dataDir, ["remember", "--from-task", taskId.slice(0, 4)]);
    const [entry] = await listed(dataDir);
    expect(first.stdout).toBe(`remembered ${entry?.id}\n`);
    expect(entry).toMatchObject({
      goal: SHOP_TASK,
      domain: "debugging",
      strategy: "research-first",
      task_id: taskId,
      outcome: null,
      iterations: [{ action: expect.stringMatching(/in 1 round: .*shop\/cart\.py/) }],
    });
    await here(dataDir, ["refine", taskId, "--reject", "shop/mail.py", "--accept", "shop/price.py", "-q"]);
    const words = ["--strategy", "read-the-error", "--outcome", "confirmed", "--result", "r", "--lesson", "l"];
    expect((await here(dataDir, ["remember", "--from-task", taskId, ...words])).stdout).toBe(`updated ${entry?.id}\n`);
    const action = expect.stringMatching(/in 2 rounds: .*\. Accepted: shop\/price\.py\. Rejected: shop\/mail\.py\.$/);
    const after = { id: entry?.id, strategy: "read-the-error", confidence: "gold", iterations: [{ action }] };
    expect(await listed(dataDir)).toMatchObject([after]);
    expect((await here(dataDir, ["remember", "--from-task", taskId])).stdout).toBe(`nothing changed in ${entry?.id}\n`);
  });

  test("is remembered with a sentence in the interface", async () => {
    const dataDir = shop.fresh();
    await using user = await openTui(["--no-refresh", SHOP_TASK], {
      cwd: shop.repo.path,
      env: { CRA_DATA_DIR: dataDir },
    });
    await user.until(at("review"));
    const remember = async (): Promise<void> => {
      user.press("review", "package.remember");
      await user.until(at("remember"));
      user.type("the cart forgets\r");
    };
    await remember();
    const [, id = ""] =
      /Remembered as (exp-[0-9a-f]{12})/.exec(await user.until(/Remembered as exp-[0-9a-f]{12}/)) ?? [];
    await remember();
    await user.until(`Already remembered as ${id}`);
    expect(await listed(dataDir)).toMatchObject([{ id, goal: SHOP_TASK }]);
  });
});

test("on a terminal, forget asks first, and stored escape sequences are escaped", async () => {
  const dataDir = shop.fresh();
  const { stdout } = await here(dataDir, ["remember", HOSTILE.join(" ")]);
  const id = stdout.trim().split(" ")[1] ?? "";
  await using terminal = await openCra(["forget", id, "--data-dir", dataDir], { cwd: shop.repo.path });
  await terminal.waitFor(/Delete 1 entry\?/);
  expect(terminal.output()).not.toMatch(/[\u001b\u009b\u202e]/);
  terminal.type("yes\n");
  expect(await terminal.ended).toEqual({ exitCode: 0, signal: null });
  expect(terminal.output()).toContain(`forgot ${id}`);
  expect(await listed(dataDir)).toEqual([]);
});
