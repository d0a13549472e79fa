/** An index and a parse cache that somebody planted, with sound checksums and texts that unpack to far more than memory holds. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { binary } from "../support/binary.ts";
import { indexIn } from "../support/index-in.ts";
import { type TempRepo, tempRepo } from "../support/repo.ts";
import { cleanEnvironment, FOR_BRIEF_RUNS } from "../support/run-cra.ts";
import { zstdRuns } from "../support/zstd-runs.ts";

/** 800 MiB of spaces in 25 kB: one frame of 6,400 runs. Made by hand. */
const BOMB = zstdRuns(6_400, 0x20);
/** What the program and its grammars take, with room; a sixteenth of what the planted texts unpack to. */
const MEMORY_BYTES_MAX = 400 * 1024 * 1024;
const FILES = 8;

const planted = async (): Promise<TempRepo> => {
  const names = Array.from({ length: FILES }, (_, at) => `login${at}.py`);
  const repo = tempRepo(Object.fromEntries(names.map((name) => [name, `def ${name.slice(0, -3)}():\n    return 1\n`])));
  await indexIn(repo);
  return repo;
};

/** Replaces every text of the index. */
function plantIndex({ path }: TempRepo): void {
  using db = new Database(join(path, ".cra/curated.sqlite"));
  db.run("update file_texts set text = ?1", [BOMB]);
  db.run("pragma wal_checkpoint(truncate)");
  rmSync(join(path, ".cra/curated.sqlite.seal"), { force: true });
}

const Key = z.object({ key: z.instanceof(Uint8Array) });
const sumOf = (...parts: readonly (string | Uint8Array)[]): number =>
  parts.reduce((sum: number, part) => Bun.hash.crc32(part, sum), 0);

/** Replaces every part of the parse cache, with its checksums. */
function plantCache({ path }: TempRepo): void {
  using db = new Database(join(path, ".cra/parse-cache.sqlite"));
  for (const { key } of z.array(Key).parse(db.query("select key from entries").all()))
    db.run(
      `update entries set facts = ?1, uses = ?1, prose = ?1, facts_sum = ?2, uses_sum = ?2, prose_sum = ?2 where key = ?3`,
      [BOMB, sumOf(key, BOMB), key],
    );
}

const PEAK = join(import.meta.dir, "../support/peak-memory.ts");

async function run(repo: TempRepo, ...args: readonly string[]) {
  const peak = join(repo.path, ".cra", "peak");
  const child = Bun.spawn([process.execPath, PEAK, peak, repo.path, await binary(), ...args], {
    cwd: tmpdir(),
    env: { ...cleanEnvironment(repo.path), ...FOR_BRIEF_RUNS, CRA_INDEX_WORKERS: "1" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  await child.exited;
  expect(Number(readFileSync(peak, "utf8"))).toBeLessThan(MEMORY_BYTES_MAX);
  return { code: child.exitCode, stdout, stderr };
}

const APPROXIMATE = ["--tokenizer", "approximate"] as const;
const DAMAGED = /the index is damaged \([^)]*unpack[^)]*\); run: cra index --rebuild\n$/;

describe("a planted index", () => {
  test("ends commands that read its texts with a failure, and is rebuilt", async () => {
    using repo = await planted();
    plantIndex(repo);
    for (const args of [
      ["retrieve", "login", ...APPROXIMATE],
      ["search", "return"],
    ])
      expect(await run(repo, ...args)).toEqual({ code: 12, stdout: "", stderr: expect.stringMatching(DAMAGED) });
    const doctor = await run(repo, "doctor");
    expect([doctor.code, doctor.stdout.includes(`${FILES} texts that do not match their files`)]).toEqual([1, true]);
    expect((await run(repo, "index", "--rebuild", "-q")).code).toBe(0);
    const retrieved = await run(repo, "retrieve", "login3", ...APPROXIMATE);
    expect([retrieved.code, retrieved.stdout.includes("def login3")]).toEqual([0, true]);
  });
});

describe("a planted parse cache", () => {
  test("is not used: files are parsed again", async () => {
    using repo = await planted();
    plantCache(repo);
    rmSync(join(repo.path, ".cra/curated.sqlite"));
    expect(await run(repo, "index", "-q")).toMatchObject({ code: 0, stderr: "" });
    const found = await run(repo, "search", "login5");
    expect([found.code, found.stdout.includes("login5.py")]).toEqual([0, true]);
    plantCache(repo);
    expect((await run(repo, "index", "--export", "facts")).code).toBe(0);
  });
});
