/** Databases whose writer was killed: whatever is left of the write-ahead log and its shared memory, they are read and checked. */
import { describe, expect, test } from "bun:test";
import { copyFileSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { checkDatabase } from "../../../src/db/check/database.ts";
import type { Db, Schema } from "../../../src/db/sqlite/db.ts";
import { openDatabase, openUntouched } from "../../../src/db/sqlite/open.ts";
import { shared } from "../../support/shared.ts";
import { folder } from "../folder.ts";

const SCHEMA: Schema = {
  applicationId: 0x63726190,
  migrations: ["create table numbers (n integer primary key) strict;"],
  journal: "wal",
  damaged: (path, why) => ({ code: "index-damaged", path, why }),
};
const PARTS = ["", "-wal", "-shm"] as const;

const countIn = (db: Db): number => db.get<{ n: number }>("select count(*) as n from numbers")?.n ?? -1;

/** So many rows fill some pages. */
const ROWS = 2_000;

/** A database with one row, and in its log a transaction with more; copied as a kill would leave it. */
function killedWriter(at: (name: string) => string): string {
  const first = openDatabase(at("whole"), "write", SCHEMA);
  first.run("insert into numbers(n) values (1)");
  first.close();
  const writer = openDatabase(at("whole"), "write", SCHEMA);
  writer.transaction(() => {
    for (let n = 2; n <= ROWS; n += 1) writer.run("insert into numbers(n) values (?1)", n);
  });
  for (const part of PARTS) copyFileSync(at("whole") + part, at("killed") + part);
  writer.close();
  return at("killed");
}

describe("a log cut off at any byte that matters", () => {
  const killed = killedWriter(shared(folder()).at);
  const bytes = readFileSync(`${killed}-wal`).length;
  // Around the ends of the log's header, of a page's header, and of the pages.
  const frame = 24 + 4096;
  const ends = [
    0,
    32,
    32 + 24,
    ...Array.from({ length: Math.floor((bytes - 32) / frame) }, (_, n) => 32 + frame * (n + 1)),
  ];
  const lengths = [...new Set(ends.flatMap((end) => [end - 1, end, end + 1]))].filter((at) => at >= 0 && at <= bytes);

  /** What is found in a copy: by a check, by a reader that changes nothing, and by an ordinary one. */
  function foundIn(length: number, parts: readonly (typeof PARTS)[number][]): unknown {
    using copy = folder();
    const path = copy.at("x.sqlite");
    for (const part of parts) copyFileSync(killed + part, path + part);
    truncateSync(`${path}-wal`, length);
    const findings = checkDatabase(path, SCHEMA, [], { code: "damaged", mend: "" }, () => undefined);
    const untouched = openUntouched(path, SCHEMA);
    const rows = [countIn(untouched.db)];
    untouched.db.close();
    for (const access of ["read", "write", "read"] as const) {
      const db = openDatabase(path, access, SCHEMA);
      rows.push(countIn(db));
      db.close();
    }
    return { findings, rows };
  }

  test.each(lengths)("%d bytes, with and without the shared memory", (length) => {
    const rows = Array.from({ length: 4 }, () => (length === bytes ? ROWS : 1));
    for (const parts of [PARTS, ["", "-wal"] as const]) expect(foundIn(length, parts)).toEqual({ findings: [], rows });
  });
});

test("shared memory of another log, or of a log that is gone, changes nothing", () => {
  using dir = folder();
  const killed = killedWriter(dir.at);
  for (const prepare of [() => rmSync(`${killed}-wal`), () => truncateSync(`${killed}-shm`, 0)]) {
    prepare();
    expect(checkDatabase(killed, SCHEMA, [], { code: "damaged", mend: "" }, () => undefined)).toEqual([]);
    const db = openDatabase(killed, "read", SCHEMA);
    expect(countIn(db)).toBe(1);
    db.close();
  }
});
