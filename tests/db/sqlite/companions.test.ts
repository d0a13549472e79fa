/** What lies beside a database where SQLite would open it, and is not what cra left there. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { Schema } from "../../../src/db/sqlite/db.ts";
import { openDatabase, openUntouched } from "../../../src/db/sqlite/open.ts";
import { failureOf } from "../../support/failure.ts";
import { folder } from "../folder.ts";

const SCHEMA: Schema = {
  applicationId: 0x63726190,
  migrations: ["create table numbers (n integer primary key) strict;"],
  journal: "wal",
  damaged: (path, why) => ({ code: "index-damaged", path, why }),
};
const PAGE_BYTES = 4_096;

const OPENINGS: readonly ((path: string) => void)[] = [
  (path) => openDatabase(path, "read", SCHEMA).close(),
  (path) => openDatabase(path, "write", SCHEMA).close(),
  (path) => openUntouched(path, SCHEMA).db.close(),
];

const expectRefused = (path: string, why: RegExp): void => {
  for (const open of OPENINGS)
    expect(failureOf(() => open(path))).toMatchObject({ code: "index-damaged", why: expect.stringMatching(why) });
};

test.each(["-wal", "-journal"])(
  "a pipe, a link or a folder in place of %s is refused before SQLite opens it",
  (suffix) => {
    for (const make of [
      (at: string) => expect(Bun.spawnSync(["mkfifo", at]).exitCode).toBe(0),
      (at: string, other: string) => symlinkSync(other, at),
      (at: string) => mkdirSync(at),
    ]) {
      using dir = folder();
      const [path, other] = [dir.at("x.sqlite"), dir.at("precious")];
      openDatabase(path, "write", SCHEMA).close();
      writeFileSync(other, "precious");
      make(path + suffix, other);
      expectRefused(path, new RegExp(`^x\\.sqlite${suffix} is not a regular file$`));
      expect(readFileSync(other, "utf8")).toBe("precious");
    }
  },
);

/** A journal without pages that names another one (sqlite.org/fileformat2.html). */
function journalNaming(other: string, pages: number): Buffer {
  const magic = Buffer.from("d9d505f920a163d7", "hex");
  const sector = Buffer.alloc(512);
  magic.copy(sector);
  for (const [at, word] of [0, 1, pages, sector.length, PAGE_BYTES].entries()) sector.writeUInt32BE(word, 8 + 4 * at);
  const name = Buffer.from(other);
  const [before, after] = [Buffer.alloc(4), Buffer.alloc(8)];
  before.writeUInt32BE(0x4000_0000 / PAGE_BYTES + 1);
  after.writeUInt32BE(name.length);
  after.writeUInt32BE(
    name.reduce((sum, byte) => sum + byte, 0),
    4,
  );
  return Buffer.concat([sector, before, name, after, magic]);
}

test("a journal that names another file is refused, and that file stays", () => {
  using dir = folder();
  const [path, other] = [dir.at("x.sqlite"), dir.at("precious")];
  openDatabase(path, "write", SCHEMA).close();
  writeFileSync(other, "precious");
  writeFileSync(`${path}-journal`, journalNaming(other, readFileSync(path).length / PAGE_BYTES));
  expectRefused(path, /^x\.sqlite-journal names another file/);
  expect(existsSync(other)).toBe(true);
});

test("the journal of a writer that was killed is rolled back", () => {
  using dir = folder();
  const [path, copy] = [dir.at("x.sqlite"), dir.at("copy.sqlite")];
  const schema: Schema = { ...SCHEMA, journal: "delete" };
  openDatabase(path, "write", schema).close();
  const writer = new Database(path);
  for (const sql of ["pragma cache_size = 1", "begin", "insert into numbers values (1)"]) writer.run(sql);
  // More than the cache holds, so that the file has changed before the commit.
  writer.run(
    "with recursive n(i) as (select 2 union all select i + 1 from n limit 5000) insert into numbers select i from n",
  );
  for (const suffix of ["", "-journal"]) writeFileSync(copy + suffix, readFileSync(path + suffix));
  writer.close();
  const db = openDatabase(copy, "write", schema);
  expect(db.all("select n from numbers")).toEqual([]);
  db.close();
});
