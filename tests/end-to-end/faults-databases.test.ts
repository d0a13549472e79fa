/** Damaged, foreign or hostile databases are detected, moved aside and rebuilt; irreplaceable data is kept. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openKnowledgeBase } from "../../src/db/curated/open-knowledge-base.ts";
import { openRawLog } from "../../src/db/raw-log/open-raw-log.ts";
import { openSession } from "../../src/db/session/session.ts";
import { Failed } from "../../src/failure.ts";
import type { IndexSummary } from "../../src/indexing/update/index-summary.ts";
import { onOneThread, runIndex, sharedPool, world } from "../indexing/update/index-repo-world.ts";
import { ahead } from "../support/ahead.ts";
import { dumpCuratedFile } from "../support/dump.ts";
import { failureCode } from "../support/failure.ts";
import { ON_ONE_THREAD } from "../support/fault-subject.ts";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { runCra } from "../support/run-cra.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

const repo = shared(shopRepo());
const folder = shared(tempFolder()).path;
const RUN = {
  taskId: "0123456789ab",
  round: 1,
  command: "retrieve",
  task: "fix it",
  options: { depth: 1 },
  budget: { tokens: 1 },
  contentHash: "x",
  craVersion: "1",
  startedAt: "2026",
} as const;
const here = onOneThread(world(repo.path, join(folder, "data"), sharedPool()));
await runIndex(here);
const log = openRawLog(here.paths.raw);
for (const round of [1, 2]) log.appendTaskRun({ ...RUN, round });
log.close();
const session = openSession(here.paths.sessions, RUN.taskId);
session.set(session.begin("2026").round, "stage_outputs", { kept: true });
session.close();
cpSync(here.paths.folder, join(folder, "good"), { recursive: true });
const good = dumpCuratedFile(here.paths.curated);

/** Everything as it was when all was well. */
function restore(): void {
  rmSync(here.paths.folder, { recursive: true, force: true });
  cpSync(join(folder, "good"), here.paths.folder, { recursive: true });
}

/** Numbers below `below` that look random and are always the same (a linear congruential generator). */
function places(count: number, below: number): readonly number[] {
  let state = 20;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x8000_0000) * below);
  });
}

/** The file with one byte spoilt, at each of so many places. */
function* spoilt(path: string, count: number): Generator<number> {
  restore();
  const whole = readFileSync(path);
  for (const at of places(count, whole.length)) {
    restore();
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 0x55;
    writeFileSync(path, bytes);
    yield at;
  }
}

function readAll(): void {
  const kb = openKnowledgeBase(here.paths.curated, repo.path);
  try {
    const ids = kb.files().map(({ id }) => id);
    const symbols = kb.symbolsIn(ids).map(({ id }) => id);
    for (const ask of [kb.texts, kb.docstringsIn, kb.commentsIn, kb.dependenciesOf, kb.coChangesOf]) ask(ids);
    for (const ask of [kb.referencesFrom, kb.referencesTo]) ask(symbols);
    kb.search("cart", 5);
    kb.termStats();
  } finally {
    kb.close();
  }
}

const wasRebuilt = ({ notices }: IndexSummary): boolean => notices.some(({ code }) => code === "index-rebuilt");

describe("the index", () => {
  test("with any changed byte is read or refused, and the next index run rebuilds it", async () => {
    for (const at of spoilt(here.paths.curated, 20)) {
      expect(["none", "index-damaged", "index-newer"]).toContain(failureCode(readAll));
      const summary = await runIndex(here);
      expect({ at, rebuilt: wasRebuilt(summary), isGood: dumpCuratedFile(here.paths.curated) === good }).toEqual({
        at,
        rebuilt: true,
        isGood: true,
      });
    }
  });

  test("truncated at any page is rebuilt", async () => {
    restore();
    const whole = readFileSync(here.paths.curated);
    const pages = whole.length / 4096;
    for (let page = 0; page < pages; page += Math.ceil(pages / 6)) {
      restore();
      writeFileSync(here.paths.curated, whole.subarray(0, page * 4096));
      expect(wasRebuilt(await runIndex(here))).toBe(true);
      expect(dumpCuratedFile(here.paths.curated)).toBe(good);
    }
  });

  test.each([
    ["a view", "create view planted as select * from files"],
    ["a trigger", "create trigger planted after insert on files begin delete from symbols; end"],
    ["a table less", "drop table co_changes"],
    ["a column more", "alter table files add column planted text"],
    ["an index less", "drop index co_changes_b"],
  ])("with %s is not used", async (_, sql) => {
    restore();
    const db = new Database(here.paths.curated);
    db.run(sql);
    db.close();
    rmSync(`${here.paths.curated}.seal`);
    expect(failureCode(readAll)).toBe("index-damaged");
    expect(wasRebuilt(await runIndex(here))).toBe(true);
    expect(dumpCuratedFile(here.paths.curated)).toBe(good);
  });

  test.each([
    ["before the first", "start_line = -9223372036854775807, end_line = -5"],
    ["in the wrong order", "start_line = 2, end_line = 1"],
    ["beyond those of any text", "end_line = 9223372036854775807"],
  ])("with definitions on lines %s is not used", async (_, lines) => {
    restore();
    const db = new Database(here.paths.curated);
    db.run(`update symbols set ${lines}`);
    db.close();
    rmSync(`${here.paths.curated}.seal`);
    expect(failureCode(readAll)).toBe("index-damaged");
    await runIndex(here, { rebuild: true });
    expect(dumpCuratedFile(here.paths.curated)).toBe(good);
  });

  test("with a pipe in place of its journal is set aside with it, and rebuilt", async () => {
    restore();
    expect(Bun.spawnSync(["mkfifo", `${here.paths.curated}-journal`]).exitCode).toBe(0);
    expect(failureCode(readAll)).toBe("index-damaged");
    expect(wasRebuilt(await runIndex(here))).toBe(true);
    expect(dumpCuratedFile(here.paths.curated)).toBe(good);
    expect(readdirSync(here.paths.folder)).not.toContain("curated.sqlite-journal");
  });

  test("with the write-ahead log of another database is unchanged or rebuilt", async () => {
    restore();
    const other = join(folder, "other.sqlite");
    const writer = new Database(other);
    for (const sql of ["pragma journal_mode = wal", "create table t (a)", "insert into t values (zeroblob(20000))"])
      writer.run(sql);
    cpSync(`${other}-wal`, `${here.paths.curated}-wal`);
    writer.close();
    expect(["none", "index-damaged"]).toContain(failureCode(readAll));
    await runIndex(here);
    expect(dumpCuratedFile(here.paths.curated)).toBe(good);
  });

  test("of a newer version is left unchanged", async () => {
    restore();
    const db = new Database(here.paths.curated);
    db.run("pragma user_version = 99");
    db.close();
    rmSync(`${here.paths.curated}.seal`);
    const before = readFileSync(here.paths.curated);
    const refused = await runIndex(here).catch((error: unknown) => error);
    expect(refused instanceof Failed ? refused.failure.code : refused).toBe("index-newer");
    expect(readFileSync(here.paths.curated).equals(before)).toBe(true);
  });

  test("without a checksum is checked page by page, and gets one if intact", async () => {
    restore();
    rmSync(`${here.paths.curated}.seal`);
    expect((await runIndex(here)).changed).toBe(false);
    expect(readdirSync(here.paths.folder)).toContain("curated.sqlite.seal");
    writeFileSync(here.paths.curated, readFileSync(here.paths.curated).fill(0xa5, 8192, 12_288));
    rmSync(`${here.paths.curated}.seal`);
    expect(wasRebuilt(await runIndex(here))).toBe(true);
  });
});

test("a parse cache with any changed byte never changes the index", async () => {
  for (const at of spoilt(here.paths.parseCache, 12)) {
    const summary = await runIndex(here, { rebuild: true });
    expect({ at, rebuilt: wasRebuilt(summary), isGood: dumpCuratedFile(here.paths.curated) === good }).toEqual({
      at,
      rebuilt: false,
      isGood: true,
    });
  }
});

test("a log with any changed byte is read, refused or moved aside, and accepts new runs", () => {
  for (const _ of spoilt(here.paths.raw, 40)) {
    expect(["none", "io"]).toContain(
      failureCode(() => {
        const log = openRawLog(here.paths.raw);
        try {
          log.runs();
          log.decisions(RUN.taskId);
        } finally {
          log.close();
        }
      }),
    );
    const log = openRawLog(here.paths.raw);
    log.appendTaskRun({ ...RUN, round: 3 });
    log.close();
  }
});

test("a session with any changed byte is continued or refused, and never overwritten", () => {
  const path = join(here.paths.sessions, `${RUN.taskId}.sqlite`);
  for (const _ of spoilt(path, 30)) {
    const before = readFileSync(path);
    const failure = failureCode(() => {
      const session = openSession(here.paths.sessions, RUN.taskId);
      try {
        session.rounds();
        session.get(1, "stage_outputs");
      } finally {
        session.close();
      }
    });
    expect(["none", "io"]).toContain(failure);
    if (failure === "io") expect(readFileSync(path).equals(before)).toBe(true);
  }
});

describe("something else in place of a database", () => {
  const put: readonly (readonly [string, (path: string) => void])[] = [
    ["text", (path) => writeFileSync(path, "no database ".repeat(3_000))],
    ["a pipe", (path) => void Bun.spawnSync(["mkfifo", path])],
  ];
  const refused = (name: string, words: string) => expect.stringMatching(new RegExp(`^cra: \\S+${name}: ${words}\\n$`));
  /** A lock file holds nothing, so text in it is dropped; what is no file is left alone. */
  const unlockedBy = (name: string) =>
    name === "text"
      ? { exitCode: 0, stderr: "" }
      : { exitCode: 74, stderr: refused("lock.sqlite", "[^\\n]+; remove it") };
  /** All runs of one row, by what they were for. */
  const runs = ahead(put, async ([, make]) => {
    using shop = shopRepo();
    const cra = (...args: readonly string[]) =>
      runCra([...args, "-q"], { cwd: shop.path, env: { ...ON_ONE_THREAD, CRA_TOKENIZER: "approximate" } });
    const dataDir = join(shop.path, ".cra");
    await indexIn(shop);
    const whole = await cra("retrieve", SHOP_TASK);
    for (const name of ["curated.sqlite", "parse-cache.sqlite", "raw.sqlite"]) {
      for (const suffix of ["", "-wal", "-shm"]) rmSync(join(dataDir, name + suffix), { force: true });
      make(join(dataDir, name));
    }
    const damaged = await cra("retrieve", SHOP_TASK);
    const indexed = await cra("index");
    const mended = await cra("retrieve", SHOP_TASK);
    rmSync(join(dataDir, "lock.sqlite"));
    make(join(dataDir, "lock.sqlite"));
    const unlocked = await cra("index");
    const withoutLock = await cra("retrieve", SHOP_TASK);
    const aside = readdirSync(dataDir).filter((name) => name.includes(".bad-"));
    return { whole, damaged, indexed, mended, unlocked, withoutLock, aside: aside.sort() };
  });
  test.each(put.map(([name], at) => [name, at] as const))(
    "%s",
    async (name, at) => {
      const { whole, damaged, indexed, mended, unlocked, withoutLock, aside } = await runs(at);
      expect(whole).toMatchObject({ exitCode: 0, stderr: "" });
      expect(damaged).toMatchObject({
        exitCode: 12,
        stdout: "",
        stderr: refused("curated.sqlite", "the index is damaged \\([^)]+\\); run: cra index --rebuild"),
      });
      expect(indexed).toMatchObject({ exitCode: 0 });
      expect(mended).toMatchObject({ exitCode: 0, stdout: whole.stdout });
      expect(aside).toEqual(["curated.sqlite.bad-1", "raw.sqlite.bad-1"]);
      expect(unlocked).toMatchObject(unlockedBy(name));
      expect(withoutLock).toMatchObject({ exitCode: 0, stdout: whole.stdout });
    },
    HANG_MS,
  );
});
