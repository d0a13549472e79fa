/** Databases and an export that somebody planted, with sound checksums and contents that take far more memory than they should. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
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

/** Text of 24 MB, which parsing turns into 700 MB of empty lists. */
const LISTS = `[${"[],".repeat(8_000_000)}[]]`;

describe("a planted session", () => {
  test("of lists without end is reported, and does not end a task", async () => {
    using repo = await planted();
    const { stderr } = await run(repo, "retrieve", "login", ...APPROXIMATE);
    const [id = ""] = readdirSync(join(repo.path, ".cra/sessions")).map((name) => name.split(".")[0]);
    expect(stderr).toContain(id);
    {
      using db = new Database(join(repo.path, ".cra/sessions", `${id}.sqlite`));
      db.run("update texts set base = null, steps = 0, packed = ?1", [zstdCompressSync(LISTS)]);
    }
    expect(await run(repo, "retrieve", "login", ...APPROXIMATE)).toMatchObject({ code: 0 });
    expect((await run(repo, "doctor")).stdout).toContain("final_context of round 1 is unreadable");
  });
});

describe("a planted export", () => {
  test("of lists without end is refused", async () => {
    using repo = await planted();
    const file = join(repo.path, ".cra", "facts");
    expect((await run(repo, "index", "--export", file)).code).toBe(0);
    writeFileSync(file, withLists(readFileSync(file)));
    expect(await run(repo, "index", "--import", file)).toMatchObject({
      code: 12,
      stderr: expect.stringContaining("not imported: entry 1 is inconsistent"),
    });
  });
});

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/** The export with one row, whose facts are `LISTS`. */
function withLists(exported: Buffer): Buffer {
  const headerAt = exported.indexOf("\n") + 1;
  const bodyAt = exported.indexOf("\n", headerAt) + 1;
  const header = z.looseObject({}).parse(JSON.parse(exported.toString("utf8", headerAt, bodyAt)));
  const sizesAt = bodyAt + 33 + (exported[bodyAt + 32] ?? 0);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(LISTS.length);
  const raw = Buffer.concat([length, Buffer.from(LISTS)]);
  const packed = zstdCompressSync(raw);
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32LE(raw.length);
  sizes.writeUInt32LE(packed.length, 4);
  const body = Buffer.concat([exported.subarray(bodyAt, sizesAt), sizes, packed]);
  const changed = { files: 1, bytes: body.length, raw_bytes: raw.length, sha256: sha256(body) };
  const line = `${JSON.stringify({ ...header, ...changed })}\n`;
  return Buffer.concat([Buffer.from(`cra index export ${sha256(line)}\n${line}`), body]);
}
