/** The check of the memory store. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { checkMemory } from "../../../src/db/check/memory.ts";
import { openMemory } from "../../../src/db/memory/open-store.ts";
import { experience, idOf, memory, value } from "../../support/entries.ts";
import { type Folder, folder } from "../folder.ts";

function filled(dir: Folder): string {
  const path = dir.at("memory.sqlite");
  const store = openMemory(path, "write");
  store.put([memory(1), memory(2), experience(1), experience(2, { outcome: null, surprise: null })]);
  store.replaceValues([value(1)]);
  store.putVectors("m", [{ id: idOf("mem", 1), axis: null, textHash: "h", vector: Float32Array.of(1) }]);
  store.removeAll([idOf("mem", 2)]);
  store.close();
  return path;
}

const found = (path: string) => checkMemory(path, () => {}).map(({ severity, code, what }) => [severity, code, what]);

test("a sound or missing store has no diagnostics, and checking changes nothing", () => {
  using dir = folder();
  expect(found(dir.at("memory.sqlite"))).toEqual([]);
  const path = filled(dir);
  const before = readFileSync(path);
  expect(found(path)).toEqual([]);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(dir.path)).toEqual(["memory.sqlite"]);
});

test("a damaged version of a full-text table is damage, and no bug of cra", () => {
  using dir = folder();
  const path = filled(dir);
  const bytes = readFileSync(path);
  // Its key and its value in a row of the table's configuration.
  const at = bytes.indexOf("version\x04");
  expect(at).toBeGreaterThan(0);
  bytes[at + "version".length] = 0;
  writeFileSync(path, bytes);
  expect(found(path)).toEqual([["error", "memory-damaged", expect.stringContaining("invalid fts5 file format")]]);
});

describe("names rows that cra does not write", () => {
  const rows: readonly (readonly [sql: string, what: string])[] = [
    [
      "update memories set importance = 2",
      `${idOf("mem", 1)} of memories is not a row that cra writes: importance is more than 1`,
    ],
    [
      "update memories set content = ''",
      `${idOf("mem", 1)} of memories is not a row that cra writes: content is empty`,
    ],
    [
      "update experiences set iterations = '[]' where number = 2",
      `${idOf("exp", 2)} of experiences is not a row that cra writes: iterations is empty`,
    ],
    [
      "update experience_values set experience_ids = '{}'",
      `${idOf("val", 1)} of experience_values is not a row that cra writes: experience_ids is not a list`,
    ],
    ["delete from memory_search", `1 rows of memories missing from memory_search, such as ${idOf("mem", 1)}`],
    ["delete from surprise_search", `1 rows of experiences missing from surprise_search, such as ${idOf("exp", 1)}`],
    [
      "insert into strategy_search(rowid, text) values (2, 'x')",
      "1 rows of strategy_search without a source row, such as 2",
    ],
    ["insert into value_search(rowid, text) values (9, 'x')", "1 rows of value_search without a source row, such as 9"],
    ["drop index memories_newest", "its tables are not those that cra makes"],
  ];
  for (const [sql, what] of rows)
    test(what, () => {
      using dir = folder();
      const path = filled(dir);
      const db = new Database(path);
      db.run(sql);
      db.close();
      expect(found(path)).toEqual([["error", "memory-damaged", what]]);
      expect(checkMemory(path, () => {})[0]?.mend).toBe(`mv ${path} ${path}.damaged`);
    });
});

test("an active or interrupted writer is not damage", () => {
  using dir = folder();
  const path = filled(dir);
  writeFileSync(`${path}-journal`, "begun");
  expect(checkMemory(path, () => {})).toEqual([
    {
      severity: "note",
      code: "cut-off",
      where: path,
      what: "another cra is writing it, or was interrupted; the next command that uses it rolls back",
      mend: null,
    },
  ]);
});
