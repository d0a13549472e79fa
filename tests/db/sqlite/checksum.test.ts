/** The checksum of a database file, after a change that reads only what it wrote. */
import { expect, test } from "bun:test";
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import {
  CHECKSUM_SUFFIX,
  checksumState,
  hasChecksum,
  takeChecksum,
  writeChecksum,
} from "../../../src/db/sqlite/checksum.ts";
import type { Schema } from "../../../src/db/sqlite/db.ts";
import { openDatabase } from "../../../src/db/sqlite/open.ts";
import { folder } from "../folder.ts";

const SCHEMA: Schema = {
  applicationId: 0x63726100,
  migrations: ["create table rows (id integer primary key, text blob not null) strict"],
  journal: "wal",
  damaged: (path, why) => ({ code: "index-damaged", path, why }),
};

/** A database of some 2 MB, and its checksum. */
function database(path: string): string {
  const db = openDatabase(path, "write", SCHEMA);
  db.transaction(() =>
    db.runAll(
      "insert into rows(id, text) values (?1, ?2)",
      Array.from({ length: 2_000 }, (_, id) => [id, new Uint8Array(1_000).fill(id % 256)]),
    ),
  );
  db.close();
  writeChecksum(path, SCHEMA);
  return path;
}

/** One transaction that nothing checkpoints, and the checksum after it. `meanwhile` is called between the two. */
function change(path: string, sql: string, meanwhile: () => void = () => undefined): void {
  const other = openDatabase(path, "read", SCHEMA);
  const db = openDatabase(path, "write", SCHEMA);
  db.script("pragma wal_autocheckpoint = 0");
  const before = takeChecksum(path);
  expect(before).not.toBeNull();
  db.transaction(() => db.script(sql));
  db.close();
  meanwhile();
  writeChecksum(path, SCHEMA, before);
  other.close();
}

function damage(path: string, position: number): void {
  const file = openSync(path, "r+");
  writeSync(file, "damage", position);
  closeSync(file);
}

const sealOf = (path: string): string => readFileSync(path + CHECKSUM_SUFFIX, "utf8");

test("after a small change, and when the file grows, the checksum is that of the whole file", () => {
  using dir = folder();
  const path = database(dir.at("rows.sqlite"));
  expect(checksumState(path)).toBe("whole");
  for (const sql of [
    "update rows set text = zeroblob(1000) where id = 700",
    "insert into rows select id + 5000, text from rows",
    "delete from rows where id = 3",
  ]) {
    const before = sealOf(path);
    change(path, sql);
    const after = sealOf(path);
    expect([checksumState(path), after === before]).toEqual(["whole", false]);
    writeChecksum(path, SCHEMA);
    expect(sealOf(path)).toBe(after);
  }
});

test("damage in what a change did not write is found after it", () => {
  using dir = folder();
  const path = database(dir.at("rows.sqlite"));
  change(path, "update rows set text = zeroblob(1000) where id = 1900", () => damage(path, 900_000));
  expect(checksumState(path)).toBe("broken");
});

test("any changed byte is found, also of the last chunk", () => {
  using dir = folder();
  const path = database(dir.at("rows.sqlite"));
  const { size } = statSync(path);
  damage(path, size - 10);
  expect(checksumState(path)).toBe("broken");
});

test("a checksum of another size, or beside a write-ahead log, is of no use", () => {
  using dir = folder();
  const path = database(dir.at("rows.sqlite"));
  const db = openDatabase(path, "write", SCHEMA);
  db.transaction(() => db.run("delete from rows where id = 1"));
  expect(takeChecksum(path)).toBeNull();
  db.close();
  writeChecksum(path, SCHEMA);
  expect(checksumState(path)).toBe("whole");
});

test("a pipe or a link in place of the checksum is replaced", () => {
  using dir = folder();
  const [path, other] = [database(dir.at("rows.sqlite")), dir.at("precious")];
  writeFileSync(other, "precious");
  for (const make of [
    (at: string) => expect(Bun.spawnSync(["mkfifo", at]).exitCode).toBe(0),
    (at: string) => symlinkSync(other, at),
  ]) {
    rmSync(path + CHECKSUM_SUFFIX);
    make(path + CHECKSUM_SUFFIX);
    writeChecksum(path, SCHEMA);
    expect(checksumState(path)).toBe("whole");
    expect(readFileSync(other, "utf8")).toBe("precious");
  }
});

test("a checksum that is larger than any is not read", () => {
  using dir = folder();
  const path = database(dir.at("rows.sqlite"));
  expect(hasChecksum(path)).toBe(true);
  appendFileSync(path + CHECKSUM_SUFFIX, " ".repeat(16 * 1024 * 1024));
  expect(hasChecksum(path)).toBe(false);
  writeChecksum(path, SCHEMA);
  expect(checksumState(path)).toBe("whole");
});
