/** Archiving a session: no failure on the way loses it. */
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sessionDamage } from "../../../src/db/check/session.ts";
import { openRawLog } from "../../../src/db/raw-log/open-raw-log.ts";
import type { RawLog } from "../../../src/db/raw-log/raw-log.ts";
import { type ArchiveOptions, archiveSession } from "../../../src/db/session/archive.ts";
import { openSession, SESSION_SCHEMA } from "../../../src/db/session/session.ts";
import { openDatabase } from "../../../src/db/sqlite/open.ts";
import { Failed } from "../../../src/failure.ts";
import { SESSION_SHAPES } from "../../../src/retrieval/record/selection-json.ts";
import { failureOf } from "../../support/failure.ts";
import { type Folder, folder } from "../folder.ts";

const TASK = "0123abcd4567";
const NOW = "2026-02-02T00:00:00Z";

/** A session with one finished round. */
function finished(dir: Folder, taskId = TASK): void {
  const session = openSession(dir.path, taskId);
  const { round } = session.begin("2026-01-01T00:00:00Z");
  session.set(round, "stage_progress", [{ stage: "scope", status: "finished" }]);
  session.finish(round, "2026-01-01T00:00:01Z");
  session.close();
}

const archiving = (dir: Folder, log: ArchiveOptions["log"], more: Partial<ArchiveOptions> = {}): ArchiveOptions => ({
  log,
  logPath: dir.at("raw"),
  damageIn: (path) => sessionDamage(path, SESSION_SHAPES),
  claims: () =>
    readdirSync(dir.path)
      .filter((name) => name.includes(".round-"))
      .map((name) => dir.at(name)),
  now: NOW,
  token: "0123456789ab",
  ...more,
});

const kept = (log: RawLog): readonly string[] => [...log.sessionArchives()].map(({ taskId }) => taskId);
const files = (dir: Folder): readonly string[] => readdirSync(dir.path).filter((name) => !name.startsWith("raw"));

test("the copy equals the session, and the file and its companions are gone", () => {
  using dir = folder();
  finished(dir);
  writeFileSync(dir.at(`${TASK}.sqlite.round-1`), "");
  writeFileSync(dir.at(`${TASK}.draft.json`), "{}");
  const log = openRawLog(dir.at("raw"));
  const archived = archiveSession(dir.path, TASK, archiving(dir, log));
  expect(archived).toEqual({ ok: true, bytes: expect.any(Number) });
  expect(files(dir)).toEqual([]);
  const [copy] = [...log.sessionArchives(TASK)];
  log.close();
  expect(copy).toMatchObject({ taskId: TASK, createdAt: NOW });
  writeFileSync(dir.at(`${TASK}.sqlite`), copy?.session ?? "");
  const session = openSession(dir.path, TASK);
  expect(session.rounds()).toMatchObject([{ round: 1, status: "finished" }]);
  expect(session.get(1, "stage_progress")).toEqual([{ stage: "scope", status: "finished" }]);
  session.close();
});

test("the copy includes the write-ahead log", () => {
  using dir = folder();
  const open = openSession(dir.path, TASK);
  const { round } = open.begin("t1");
  open.finish(round, "t2");
  expect(existsSync(dir.at(`${TASK}.sqlite-wal`))).toBe(true);
  const log = openRawLog(dir.at("raw"));
  expect(archiveSession(dir.path, TASK, archiving(dir, log, { claims: () => [] })).ok).toBe(true);
  open.close();
  expect(files(dir).filter((name) => !name.includes(".round-"))).toEqual([]);
  const [copy] = [...log.sessionArchives()];
  writeFileSync(dir.at("copy"), copy?.session ?? "");
  expect(openDatabase(dir.at("copy"), "read", SESSION_SCHEMA).all<unknown>("select status from rounds")).toEqual([
    { status: "finished" },
  ]);
  log.close();
});

describe("a session stays that", () => {
  const staying = (dir: Folder, taskId = TASK): string => {
    const log = openRawLog(dir.at("raw"));
    const before = files(dir);
    const archived = archiveSession(dir.path, taskId, archiving(dir, log));
    expect(kept(log)).toEqual([]);
    expect(files(dir)).toEqual([...before]);
    log.close();
    return archived.ok ? "archived" : archived.why;
  };
  test("is in use", () => {
    using dir = folder();
    const session = openSession(dir.path, TASK);
    const { round } = session.begin("t1");
    expect(staying(dir)).toBe("it is in use");
    session.finish(round, "t2");
    expect(staying(dir)).toBe("it is in use");
    session.close();
  });
  test("has an unfinished round", () => {
    using dir = folder();
    const session = openSession(dir.path, TASK);
    session.begin("t1");
    session.close();
    expect(staying(dir)).toBe("it has an unfinished round, which can be continued");
  });
  test("has no round", () => {
    using dir = folder();
    openSession(dir.path, TASK).close();
    expect(staying(dir)).toBe("it has no round");
  });
  test("is damaged or not a session", () => {
    using dir = folder();
    writeFileSync(dir.at(`${TASK}.sqlite`), "no database".repeat(100));
    expect(staying(dir)).toMatch(/the session is damaged/);
  });
  test("is being written", () => {
    using dir = folder();
    finished(dir);
    const db = openDatabase(dir.at(`${TASK}.sqlite`), "write", SESSION_SCHEMA);
    db.begin();
    expect(staying(dir)).toMatch(/is busy/);
    db.close();
  });
});

describe("nothing is lost when", () => {
  test("the log cannot be written", () => {
    using dir = folder();
    finished(dir);
    const full: ArchiveOptions["log"] = {
      appendSessionArchive: () => {
        throw new Failed({ code: "io", message: "database or disk is full", where: "raw" });
      },
      sessionArchives: () => [],
    };
    expect(failureOf(() => archiveSession(dir.path, TASK, archiving(dir, full)))).toMatchObject({ code: "io" });
    expect(files(dir)).toEqual([`${TASK}.sqlite`]);
  });
  test("the log returns something else", () => {
    using dir = folder();
    finished(dir);
    const lying: ArchiveOptions["log"] = {
      appendSessionArchive: () => undefined,
      sessionArchives: () => [{ taskId: TASK, session: new Uint8Array([1, 2, 3]), createdAt: NOW }],
    };
    expect(archiveSession(dir.path, TASK, archiving(dir, lying))).toEqual({
      ok: false,
      why: "the log returned another copy than was written",
    });
    expect(files(dir)).toEqual([`${TASK}.sqlite`]);
  });
  test("it contains an invalid value", () => {
    using dir = folder();
    finished(dir);
    const session = openSession(dir.path, TASK);
    session.set(1, "stage_progress", "nonsense");
    session.close();
    const log = openRawLog(dir.at("raw"));
    expect(archiveSession(dir.path, TASK, archiving(dir, log))).toMatchObject({
      ok: false,
      why: expect.stringContaining("its copy is damaged"),
    });
    expect(files(dir)).toEqual([`${TASK}.sqlite`]);
    log.close();
  });
  test("it is killed between copy and removal; the retry stores nothing twice", async () => {
    using dir = folder();
    finished(dir);
    const source = (path: string): string => JSON.stringify(join(import.meta.dir, "../../../src", path));
    const child = Bun.spawn([
      process.execPath,
      "-e",
      `const { openRawLog } = await import(${source("db/raw-log/open-raw-log.ts")});
       const { archiveSession } = await import(${source("db/session/archive.ts")});
       const log = openRawLog(${JSON.stringify(dir.at("raw"))});
       const dying = { ...log, sessionArchives: () => process.kill(process.pid, "SIGKILL") };
       archiveSession(${JSON.stringify(dir.path)}, "${TASK}", { log: dying, logPath: ${JSON.stringify(dir.at("raw"))},
         damageIn: () => null, claims: () => [], now: "t", token: "0123456789ab" });`,
    ]);
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
    const log = openRawLog(dir.at("raw"));
    expect(kept(log)).toEqual([TASK]);
    expect(files(dir)).toContain(`${TASK}.sqlite`);
    expect(archiveSession(dir.path, TASK, archiving(dir, log)).ok).toBe(true);
    expect(kept(log)).toEqual([TASK]);
    expect(files(dir)).toEqual([]);
    log.close();
  });
});

test("a session opened before archiving starts a round in a new file", () => {
  using dir = folder();
  finished(dir);
  const waiting = openSession(dir.path, TASK);
  expect(waiting.rounds()).toHaveLength(1);
  const log = openRawLog(dir.at("raw"));
  expect(archiveSession(dir.path, TASK, archiving(dir, log)).ok).toBe(true);
  expect(waiting.begin("t3")).toEqual({ round: 1, continued: false });
  waiting.set(1, "stage_progress", []);
  waiting.finish(1, "t4");
  waiting.close();
  const next = openSession(dir.path, TASK);
  expect(next.rounds()).toEqual([{ round: 1, status: "finished", startedAt: "t3", finishedAt: "t4" }]);
  next.close();
  expect(archiveSession(dir.path, TASK, archiving(dir, log)).ok).toBe(true);
  expect(kept(log)).toEqual([TASK, TASK]);
  log.close();
});
