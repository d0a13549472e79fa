/** Opening a database: what is refused, what is waited for, what a transaction guarantees. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import type { Db, Schema } from "../../../src/db/sqlite/db.ts";
import { openDatabase, openLockFile } from "../../../src/db/sqlite/open.ts";
import { Failed } from "../../../src/failure.ts";
import { failureOf } from "../../support/failure.ts";
import { folder } from "../folder.ts";

const SCHEMA: Schema = {
  applicationId: 0x63726190,
  migrations: ["create table numbers (n integer primary key) strict;"],
  journal: "wal",
  damaged: (path, why) => ({ code: "index-damaged", path, why }),
};
const V2: Schema = { ...SCHEMA, migrations: [...SCHEMA.migrations, "alter table numbers add column word text;"] };

const filled = (path: string, rows = 3): void => {
  const db = openDatabase(path, "write", SCHEMA);
  for (let n = 1; n <= rows; n += 1) db.run("insert into numbers(n) values (?1)", n);
  db.close();
};
const numbers = (db: Db): readonly number[] =>
  db.all<{ n: number }>("select n from numbers order by n").map(({ n }) => n);

describe("a file that cra did not write", () => {
  const refused = (name: string, make: (path: string) => void, access: "read" | "write" = "read"): void =>
    test(`${name}, to ${access}`, () => {
      using dir = folder();
      const path = dir.at("x.sqlite");
      make(path);
      expect(failureOf(() => openDatabase(path, access, SCHEMA)).code).toBe("index-damaged");
    });
  for (const access of ["read", "write"] as const) {
    refused("text", (path) => writeFileSync(path, "not a database ".repeat(500)), access);
    refused("a folder", (path) => mkdirSync(path), access);
    refused(
      "a link to a good one",
      (path) => {
        filled(`${path}2`);
        symlinkSync(`${path}2`, path);
      },
      access,
    );
    refused("a pipe", (path) => expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0), access);
    refused(
      "a database of another program",
      (path) => {
        filled(path);
        const bytes = readFileSync(path);
        bytes.writeUInt32BE(7, 68); // application_id, sqlite.org/fileformat.html
        writeFileSync(path, bytes);
      },
      access,
    );
  }
  refused("nothing", (path) => writeFileSync(path, ""));
});

test("a truncated header is damage for every access", () => {
  using dir = folder();
  const path = dir.at("x.sqlite");
  filled(path);
  truncateSync(path, 1000);
  expect(failureOf(() => numbers(openDatabase(path, "read", SCHEMA))).code).toBe("index-damaged");
});

test("flipped bytes are noticed or harmless, never a crash", () => {
  using dir = folder();
  const path = dir.at("x.sqlite");
  filled(path, 2_000);
  const good = readFileSync(path);
  for (let at = 0; at < good.length; at += 97) {
    const bytes = Buffer.from(good);
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    writeFileSync(path, bytes);
    try {
      const db = openDatabase(path, "read", SCHEMA);
      try {
        numbers(db);
      } finally {
        db.close();
      }
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      expect(["index-damaged", "index-newer", "io"]).toContain(error.failure.code);
    }
  }
});

test("a missing file fails for a reader and is created by a writer", () => {
  using dir = folder();
  expect(failureOf(() => openDatabase(dir.at("x"), "read", SCHEMA)).code).toBe("io");
  filled(dir.at("x"));
  expect(numbers(openDatabase(dir.at("x"), "read", SCHEMA))).toEqual([1, 2, 3]);
});

test("an interrupted creation is continued", () => {
  using dir = folder();
  writeFileSync(dir.at("x"), "");
  filled(dir.at("x"));
  expect(numbers(openDatabase(dir.at("x"), "read", SCHEMA))).toEqual([1, 2, 3]);
});

test("the first reader rolls back a killed writer", () => {
  using dir = folder();
  const path = dir.at("x.sqlite");
  filled(path);
  const script = `
    const { Database } = require("bun:sqlite");
    const db = new Database(${JSON.stringify(path)});
    for (const sql of ["pragma journal_mode = delete", "pragma cache_size = 1", "pragma cache_spill = 1", "begin immediate"]) db.run(sql);
    for (let n = 10; n < 20000; n += 1) db.run("insert into numbers values (" + n + ")");
    process.kill(process.pid, "SIGKILL");`;
  Bun.spawnSync([process.execPath, "-e", script]);
  expect(statSync(`${path}-journal`).size).toBeGreaterThan(0);
  expect(numbers(openDatabase(path, "read", SCHEMA))).toEqual([1, 2, 3]);
});

test("a newer schema is refused and left alone", () => {
  using dir = folder();
  const path = dir.at("x.sqlite");
  openDatabase(path, "write", V2).close();
  const before = readFileSync(path);
  for (const access of ["read", "write", "append"] as const)
    expect(failureOf(() => openDatabase(path, access, SCHEMA))).toEqual({
      code: "index-newer",
      path,
      found: 2,
      known: 1,
    });
  expect(readFileSync(path).equals(before)).toBe(true);
});

for (const access of ["read", "write"] as const)
  test(`an older schema is brought up to date when opened to ${access}, and keeps its rows`, () => {
    using dir = folder();
    filled(dir.at("x"));
    const db = openDatabase(dir.at("x"), access, V2);
    expect(db.all("select n, word from numbers where n < 3")).toEqual([
      { n: 1, word: null },
      { n: 2, word: null },
    ]);
    expect(db.get("pragma user_version")).toEqual({ user_version: 2 });
  });

test("a new file has all versions or none: one in between may not be what an older cra wrote", () => {
  using dir = folder();
  const broken = { ...V2, migrations: [...V2.migrations, "create table numbers (b);"] };
  expect(() => openDatabase(dir.at("x"), "write", broken)).toThrow("already exists");
  expect(openDatabase(dir.at("x"), "write", { ...SCHEMA, migrations: [] }).get("pragma user_version")).toEqual({
    user_version: 0,
  });
  expect(openDatabase(dir.at("x"), "write", V2).get("pragma user_version")).toEqual({ user_version: 2 });
});

test("a failed migration leaves the older version intact", () => {
  using dir = folder();
  filled(dir.at("x"));
  const broken = { ...SCHEMA, migrations: [...SCHEMA.migrations, "create table more (a); create table numbers (b);"] };
  expect(() => openDatabase(dir.at("x"), "write", broken)).toThrow("already exists");
  expect(openDatabase(dir.at("x"), "write", SCHEMA).all("select name from sqlite_schema where name = 'more'")).toEqual(
    [],
  );
});

test("a reader cannot write and an appender cannot change rows", () => {
  using dir = folder();
  filled(dir.at("x"));
  const reader = openDatabase(dir.at("x"), "read", SCHEMA);
  expect(failureOf(() => reader.run("insert into numbers values (9)")).code).toBe("io");
  const appender = openDatabase(dir.at("x"), "append", SCHEMA);
  expect(appender.run("insert into numbers values (9)")).toBe(1);
  for (const sql of [
    "delete from numbers",
    "update numbers set n = 1",
    "replace into numbers values (1)",
    "drop table numbers",
  ])
    expect(failureOf(() => appender.run(sql)).code).toBe("internal");
  expect(failureOf(() => appender.script("delete from numbers")).code).toBe("internal");
});

test("a missing value is an error", () => {
  using dir = folder();
  const db = openDatabase(dir.at("x"), "write", SCHEMA);
  expect(() => db.run("insert into numbers(n) values (?1)")).toThrow("expects 1 values");
});

describe("a transaction", () => {
  test("that throws leaves nothing", () => {
    using dir = folder();
    filled(dir.at("x"));
    const db = openDatabase(dir.at("x"), "write", SCHEMA);
    expect(() =>
      db.transaction(() => {
        db.run("delete from numbers");
        throw new Error("stop");
      }),
    ).toThrow("stop");
    expect(numbers(db)).toEqual([1, 2, 3]);
  });
  test("cannot be nested or asynchronous", () => {
    using dir = folder();
    const db = openDatabase(dir.at("x"), "write", SCHEMA);
    expect(failureOf(() => db.transaction(() => db.transaction(() => 1))).code).toBe("internal");
    expect(failureOf(() => db.transaction(async () => db.run("insert into numbers values (1)"))).code).toBe("internal");
    expect(numbers(db)).toEqual([]);
  });
  test("that fills the disk fails, keeps the data, and leaves the connection usable", () => {
    using dir = folder();
    filled(dir.at("x"));
    const db = openDatabase(dir.at("x"), "write", SCHEMA);
    const pages = db.get<{ page_count: number }>("pragma page_count")?.page_count ?? 0;
    db.script(`pragma max_page_count = ${pages}`);
    const fill = (): void =>
      db.transaction(() =>
        db.runAll(
          "insert into numbers values (?1)",
          Array.from({ length: 20_000 }, (_, n) => [n + 10]),
        ),
      );
    expect(failureOf(fill)).toMatchObject({ code: "io", where: dir.at("x") });
    expect(numbers(db)).toEqual([1, 2, 3]);
    db.script(`pragma max_page_count = ${pages + 1000}`);
    fill();
    expect(numbers(db).length).toBe(20_003);
  });
  test("waits for another writer, then fails as locked", () => {
    using dir = folder();
    const first = openDatabase(dir.at("x"), "write", SCHEMA);
    const second = openDatabase(dir.at("x"), "write", SCHEMA, 50);
    first.transaction(() => expect(failureOf(() => second.transaction(() => 1)).code).toBe("locked"));
    expect(second.transaction(() => 1)).toBe(1);
  });
});

test("a reader keeps the generation it began with", () => {
  using dir = folder();
  filled(dir.at("x"));
  const reader = openDatabase(dir.at("x"), "read", SCHEMA);
  reader.script("begin");
  expect(numbers(reader)).toEqual([1, 2, 3]);
  const writer = openDatabase(dir.at("x"), "write", SCHEMA);
  writer.run("delete from numbers");
  expect(numbers(reader)).toEqual([1, 2, 3]);
  reader.script("commit");
  expect(numbers(reader)).toEqual([]);
});

test("reads a file without shared memory unless its log holds commits", () => {
  using dir = folder();
  const path = dir.at("odd name?#%.sqlite");
  filled(path);
  symlinkSync("/nowhere/shm", `${path}-shm`); // As on a read-only folder, SQLite cannot make its shared memory here.
  expect(numbers(openDatabase(path, "read", SCHEMA))).toEqual([1, 2, 3]);
  writeFileSync(`${path}-wal`, "commits".repeat(1_000));
  expect(failureOf(() => openDatabase(path, "read", SCHEMA)).code).toBe("io");
});

test("refuses a lock path that is not a file", () => {
  using dir = folder();
  mkdirSync(dir.at("lock"));
  expect(failureOf(() => openLockFile(dir.at("lock"))).code).toBe("io");
});
