/** `cra clean` shows disk use, removes only what is named, and everything works afterwards. */
import { beforeEach, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dataPaths } from "../../src/db/data-folder/paths.ts";
import { openSession } from "../../src/db/session/session.ts";
import { takeIndexLock } from "../../src/db/sqlite/lock.ts";
import { dumpCuratedFile } from "../support/dump.ts";
import { listing, tempFolder } from "../support/folder.ts";
import { indexIn } from "../support/index-in.ts";
import { openCra } from "../support/run-cra.ts";
import { runQuickest } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

const data = (): string => join(repo.path, ".cra");
const cache = (): string => join(repo.path, ".git/cra");
const paths = () => dataPaths(data(), cache());
/** The task ids that have a session. */
const sessions = (): readonly string[] =>
  existsSync(paths().sessions)
    ? readdirSync(paths().sessions).flatMap((name) => /^([0-9a-f]+)\.sqlite$/.exec(name)?.[1] ?? [])
    : [];
const there = () =>
  (["curated", "parseCache", "raw"] as const).filter((name) => existsSync(paths()[name])).join(" ") +
  (sessions().length > 0 ? " sessions" : "");
const cra = (...args: readonly string[]) => runQuickest(args, { cwd: repo.path });

const repo = shared(shopRepo());
const kept = shared(tempFolder());
await indexIn(repo);
expect((await cra("retrieve", SHOP_TASK, "-q")).exitCode).toBe(0);
cpSync(data(), join(kept.path, "good"), { recursive: true });
cpSync(cache(), join(kept.path, "cache"), { recursive: true });
beforeEach(() => {
  rmSync(data(), { force: true, recursive: true });
  cpSync(join(kept.path, "good"), data(), { recursive: true });
  rmSync(cache(), { force: true, recursive: true });
  cpSync(join(kept.path, "cache"), cache(), { recursive: true });
});

test("without options it lists everything and removes nothing", async () => {
  const before = listing(repo.path);
  const { exitCode, stdout, stderr } = await cra("clean");
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/\nindex +[\d.]+ KiB +\d +cra clean --index +curated\.sqlite/);
  expect(stdout).toMatch(/\nparse cache +[\d.]+ KiB +\d +cra clean --cache /);
  expect(stdout).toMatch(/\nlog +[\d.]+ KiB +\d +cra clean --log /);
  expect(stdout).toMatch(/\nsessions +[\d.]+ KiB +\d +cra clean --sessions /);
  expect(await cra("clean", "--all", "--log", "--sessions", "--dry-run")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/\nwould free [\d.]+ KiB\n$/),
  });
  expect(listing(repo.path)).toEqual(before);
});

test("without the parse cache an unchanged index stays current", async () => {
  const good = dumpCuratedFile(paths().curated);
  expect(await cra("clean", "--cache")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^removed +size +files\nparse cache .*\nfreed [\d.]+ KiB\n$/),
  });
  expect(there()).toBe("curated raw sessions");
  expect((await cra("status")).stdout).toMatch(/\nindex +up to date\n/);
  expect((await cra("index")).stdout).toMatch(/\nchanges +none\n/);
  expect(dumpCuratedFile(paths().curated)).toBe(good);
});

test("--all keeps the log and sessions, and indexing recreates the rest", async () => {
  const good = dumpCuratedFile(paths().curated);
  for (const name of ["raw.sqlite.bad-2", "memory.sqlite-wal", ".half.0123456789ab.tmp"])
    writeFileSync(join(data(), name), "x");
  const { stdout } = await cra("clean", "--all", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    schema_version: 1,
    dry_run: false,
    freed_bytes: expect.any(Number),
    in_use: [],
  });
  expect(there()).toBe("raw sessions");
  expect(listing(data()).filter((line) => /bad-|-wal|tmp|curated|parse-cache\.sqlite/.test(line))).toEqual([]);
  expect((await cra("search", "cart", "--no-quick")).exitCode).toBe(10);
  expect((await cra("index", "-q")).exitCode).toBe(0);
  expect(dumpCuratedFile(paths().curated)).toBe(good);
  expect((await cra("doctor")).exitCode).toBe(0);
});

test("data that cannot be recreated is removed only after confirmation", async () => {
  expect(await cra("clean", "--log", "--sessions")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(
      /^cra: removing the log \(.*\) and the sessions \(.*\) cannot be undone; to confirm, add --yes\n$/,
    ),
  });
  for (const [answer, code, left] of [
    ["n", 1, "curated parseCache raw sessions"],
    ["y", 0, "curated parseCache raw"],
  ] as const) {
    await using terminal = await openCra(["clean", "--sessions"], { cwd: repo.path });
    await terminal.waitFor(/Remove the sessions .*\[y\/N\] /);
    terminal.type(`${answer}\r`);
    expect(await terminal.ended).toEqual({ exitCode: code, signal: null });
    expect(there()).toBe(left);
  }
  expect((await cra("clean", "--log", "--yes")).exitCode).toBe(0);
  expect(there()).toBe("curated parseCache");
  expect((await cra("retrieve", SHOP_TASK, "-q")).exitCode).toBe(0);
});

test("running index runs and tasks are not disturbed", async () => {
  const holder = await takeIndexLock(paths().lock, { pid: 4321, host: "afar", startedAt: "noon" }, 0);
  const before = listing(data());
  expect(await cra("clean", "--all")).toMatchObject({
    exitCode: 11,
    stderr: expect.stringContaining("process 4321 on afar"),
  });
  expect(listing(data())).toEqual(before);
  holder.release();
  const [task = ""] = sessions();
  const session = openSession(paths().sessions, task);
  session.begin("2026-01-01T00:00:00Z");
  expect(await cra("clean", "--sessions", "--yes")).toMatchObject({
    exitCode: 0,
    stderr: `cra: note: the session of task ${task} is in use and was kept\n`,
  });
  session.close();
  expect(sessions()).toEqual([task]);
});

test("links, folders and foreign files stay, and nothing is created", async () => {
  using outside = tempFolder();
  writeFileSync(join(outside.path, "kept"), "kept");
  rmSync(paths().curated);
  symlinkSync(join(outside.path, "kept"), paths().curated);
  mkdirSync(join(data(), "raw.sqlite.bad-1"));
  writeFileSync(join(data(), "curated.sqlite.bak"), "mine");
  const before = listing(data());
  const refused = await cra("clean", "--all", "--log", "--sessions", "--yes");
  expect(refused).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("is a symbolic link") });
  expect(listing(data())).toEqual(before);
  rmSync(paths().curated);
  expect((await cra("clean", "--all", "--log", "--sessions", "--yes")).exitCode).toBe(0);
  expect(existsSync(join(outside.path, "kept"))).toBe(true);
  const names = listing(data()).map((line) => line.split(" ")[0]);
  expect(names).toEqual([
    ".gitignore",
    "curated.sqlite.bak",
    "lock.sqlite",
    "lock.sqlite.holder.json",
    "parse-cache-lock.sqlite",
    "raw.sqlite.bad-1",
    "sessions",
  ]);
  const none = await cra("clean", "--all", "--data-dir", "none");
  expect([none.exitCode, none.stdout, existsSync(join(repo.path, "none"))]).toEqual([0, "freed 0 B\n", false]);
});
