import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKnowledgeBase } from "../../../src/db/curated/open-knowledge-base.ts";
import { Failed } from "../../../src/failure.ts";

/** The code of the failure that opening the file ends in. */
function failureOf(make: (path: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "cra-kb-"));
  try {
    const path = join(folder, "curated.sqlite");
    make(path);
    openKnowledgeBase(path, "/r").close();
    return "opened";
  } catch (error) {
    if (error instanceof Failed) return error.failure.code;
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each([
  ["there is no file", () => {}, "not-indexed"],
  ["somebody has only just created it", (path: string) => writeFileSync(path, ""), "not-indexed"],
  [
    "it is a database that nothing was written to yet",
    (path: string) => {
      const db = new Database(path);
      db.run("pragma journal_mode = wal");
      db.close();
    },
    "not-indexed",
  ],
  ["it is text", (path: string) => writeFileSync(path, "text ".repeat(1000)), "index-damaged"],
  [
    "somebody else's database",
    (path: string) => {
      const db = new Database(path);
      db.run("create table t(x)");
      db.close();
    },
    "index-damaged",
  ],
])("%s", (_, make, code) => {
  expect(failureOf(make)).toBe(code);
});
