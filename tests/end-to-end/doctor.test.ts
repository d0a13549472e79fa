/**
 * `cra doctor` names each damage with the command that repairs it, the command repairs it, and checking changes
 * nothing.
 */
import { Database } from "bun:sqlite";
import { beforeEach, expect, test } from "bun:test";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { z } from "zod";
import { dataPaths } from "../../src/db/data-folder/paths.ts";
import { openMemory } from "../../src/db/memory/open-store.ts";
import { takeIndexLock } from "../../src/db/sqlite/lock.ts";
import { dumpCuratedFile } from "../support/dump.ts";
import { memory } from "../support/entries.ts";
import { listing, tempFolder } from "../support/folder.ts";
import { indexIn } from "../support/index-in.ts";
import { runQuickest } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

const data = (): string => join(repo.path, ".cra");
const cache = (): string => join(repo.path, ".git/cra");
const paths = () => dataPaths(data(), cache());
const cra = (...args: readonly string[]) => runQuickest(args, { cwd: repo.path });
const session = (): string => join(paths().sessions, `${taskId}.sqlite`);

const FORCE = { force: true } as const;
const repo = shared(shopRepo());
const kept = shared(tempFolder());
await indexIn(repo);
const run = await cra("retrieve", SHOP_TASK, "--format", "json", "-q");
const taskId = z.object({ task_id: z.string() }).parse(JSON.parse(run.stdout)).task_id;
// As sealed as an index run leaves it, without what readers leave beside it.
expect((await cra("index", "-q")).exitCode).toBe(0);
const good = dumpCuratedFile(paths().curated);
for (const path of [paths().curated, paths().raw]) for (const end of ["-wal", "-shm"]) rmSync(path + end, FORCE);
cpSync(data(), join(kept.path, "good"), { recursive: true });
cpSync(cache(), join(kept.path, "cache"), { recursive: true });
beforeEach(() => {
  rmSync(data(), { ...FORCE, recursive: true });
  cpSync(join(kept.path, "good"), data(), { recursive: true });
  rmSync(cache(), { force: true, recursive: true });
  cpSync(join(kept.path, "cache"), cache(), { recursive: true });
});

const Report = z.strictObject({
  schema_version: z.literal(1),
  repository: z.string(),
  data_dir: z.string(),
  indexed: z.boolean(),
  ok: z.boolean(),
  files: z.int(),
  bytes: z.int(),
  findings: z.array(
    z.strictObject({
      severity: z.enum(["error", "warning", "note"]),
      code: z.string(),
      path: z.string(),
      message: z.string(),
      mend: z.string().nullable(),
    }),
  ),
  repositories: z.array(z.never()),
  agents: z.array(z.never()),
});

async function doctor(...args: readonly string[]) {
  const { exitCode, stdout, stderr } = await cra("doctor", "--json", ...args);
  expect(stderr).toBe("");
  return { exitCode, ...Report.parse(JSON.parse(stdout)) };
}

test("a normal run leaves no damage, and checking changes nothing", async () => {
  const before = listing(repo.path);
  const { stdout, stderr, exitCode } = await cra("doctor");
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: expect.stringMatching(
      /^repository {2}\S+\ndata {8}\S+ \(\d+ files, [\d.]+ KiB\)\nverdict {5}nothing is wrong\n$/,
    ),
    stderr: "",
    exitCode: 0,
  });
  expect(await doctor()).toMatchObject({ exitCode: 0, ok: true, indexed: true, findings: [] });
  expect(listing(repo.path)).toEqual(before);
});

test("each kind of damage is reported with its repair and repaired, and no irreplaceable data is lost", async () => {
  const spoil = (path: string, sql: string): void => {
    const db = new Database(path);
    db.run("pragma foreign_keys = off");
    db.run(sql);
    db.close();
  };
  spoil(paths().curated, "delete from file_search");
  const log = new Database(paths().raw);
  log.run("drop trigger task_runs_no_delete");
  log.close();
  spoil(session(), "update state_texts set text_id = 999 where key = 'stage_outputs'");
  spoil(paths().parseCache, "update entries set facts = x'00' where rowid = 1");
  for (const name of ["curated.sqlite.bad-1", "memory.sqlite-wal", `sessions/${taskId}.sqlite.round-7`, "notes.txt"])
    writeFileSync(join(data(), name), "");
  rmSync(join(data(), ".gitignore"));
  const before = listing(repo.path);
  const { exitCode, findings } = await doctor();
  const said = findings.map(
    ({ severity, code, path, mend }) => `${severity} ${code} ${relative(data(), path)} ${mend}`,
  );
  expect(said).toEqual([
    "error index-damaged curated.sqlite cra index --rebuild",
    "error log-damaged raw.sqlite cra index --rebuild",
    `error session-damaged sessions/${taskId}.sqlite cra index --rebuild`,
    "warning folder-seen .gitignore cra index",
    "warning cache-damaged ../.git/cra/parse-cache.sqlite cra clean --cache",
    "note set-aside curated.sqlite.bad-1 cra clean --set-aside",
    "note leftover memory.sqlite-wal cra clean --set-aside",
    "note foreign notes.txt null",
    `note leftover sessions/${taskId}.sqlite.round-7 cra clean --set-aside`,
  ]);
  expect(exitCode).toBe(1);
  expect(listing(repo.path)).toEqual(before);

  const mended = await cra("index", "--rebuild");
  expect(mended.exitCode).toBe(0);
  expect(mended.stderr.match(/was damaged/g)).toHaveLength(3);
  expect(dumpCuratedFile(paths().curated)).toBe(good);
  expect(await cra("clean", "--cache", "--set-aside", "-q")).toMatchObject({ exitCode: 0, stderr: "" });
  const after = await doctor();
  expect(after.findings.map(({ code, path }) => `${code} ${relative(data(), path)}`)).toEqual(["foreign notes.txt"]);
  expect(after.exitCode).toBe(0);
  expect((await cra("retrieve", SHOP_TASK, "-q")).exitCode).toBe(0);
});

test("a folder in the place of a cache is removed by the command that is named", async () => {
  for (const path of [paths().vectors, paths().statCache, paths().parseCache]) {
    rmSync(path, FORCE);
    mkdirSync(path);
  }
  const { findings } = await doctor();
  expect(findings.map(({ code, message }) => `${code}: ${message}`)).toEqual(
    Array(3).fill("cache-damaged: it is not a regular file"),
  );
  for (const { mend } of findings) expect(Bun.spawnSync(["sh", "-c", mend ?? "false"]).exitCode).toBe(0);
  expect(await doctor()).toMatchObject({ exitCode: 0, findings: [] });
});

test("a damaged memory store is reported and left to the user", async () => {
  const { memory: path } = paths();
  const store = openMemory(path, "write");
  store.put([memory(1)]);
  store.close();
  expect(await doctor()).toMatchObject({ exitCode: 0, findings: [] });
  const db = new Database(path);
  db.run("update memories set category = 'joke'");
  db.close();
  const before = readFileSync(path);
  const { exitCode, findings } = await doctor();
  expect(exitCode).toBe(1);
  expect(findings).toMatchObject([{ severity: "error", code: "memory-damaged", mend: `mv ${path} ${path}.damaged` }]);
  expect((await cra("index", "--rebuild", "-q")).exitCode).toBe(0);
  expect((await cra("clean", "--all", "--log", "--sessions", "--yes", "-q")).exitCode).toBe(0);
  expect(await cra("recall", "--list")).toMatchObject({ exitCode: 12, stdout: "" });
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(existsSync(`${path}.bad-1`)).toBe(false);
});

test("without an index it says so, and its command includes the typed options", async () => {
  const text = await cra("doctor", "--data-dir", "it's elsewhere");
  expect(text).toMatchObject({ exitCode: 10, stderr: "" });
  expect(text.stdout).toContain("none; run: cra index --data-dir 'it'\\''s elsewhere'\n");
  expect(existsSync(join(repo.path, "it's elsewhere"))).toBe(false);
});

test("a running index run is reported and not waited for", async () => {
  const holder = await takeIndexLock(paths().lock, { pid: 4321, host: "afar", startedAt: "noon" }, 0);
  try {
    const { exitCode, findings } = await doctor();
    expect({ exitCode, said: findings.map(({ message }) => message) }).toEqual({
      exitCode: 0,
      said: ["an index run is in progress: process 4321 on afar, since noon"],
    });
  } finally {
    holder.release();
  }
});

test("a data folder that git tracks, that everyone can write, or that git shows is reported", async () => {
  const elsewhere = join(repo.path, "kept");
  cpSync(data(), elsewhere, { recursive: true });
  repo.git("add", "--force", "kept/.gitignore");
  chmodSync(elsewhere, 0o777);
  const { exitCode, findings } = await doctor("--data-dir", "kept");
  expect(findings.map(({ code, mend }) => `${code}: ${mend}`)).toEqual([
    `folder-open: chmod o-w ${elsewhere}`,
    `folder-tracked: git -C ${repo.path} rm -r -q --cached kept`,
  ]);
  expect(exitCode).toBe(1);
  for (const { mend } of findings) Bun.spawnSync(["sh", "-c", mend ?? "false"]);
  // cra does not read a large one.
  for (const text of ["*.sqlite\n", `*\n#${" ".repeat(64 * 1024)}`]) {
    writeFileSync(join(elsewhere, ".gitignore"), text);
    const then = await doctor("--data-dir", "kept");
    expect(then.findings.map(({ code, mend }) => `${code}: ${mend}`)).toEqual([
      `folder-seen: echo "*" > ${elsewhere}/.gitignore`,
    ]);
  }
  rmSync(elsewhere, { recursive: true });
});
