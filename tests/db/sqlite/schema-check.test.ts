/** The digests of definitions, and that the schemas state the right ones. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { MEMORY_SCHEMA } from "../../../src/db/memory/schema.ts";
import { STAT_CACHE_SCHEMA } from "../../../src/db/parse-cache/stat-cache.ts";
import { RAW_SCHEMA } from "../../../src/db/raw-log/schema.ts";
import { SESSION_SCHEMA } from "../../../src/db/session/session.ts";
import type { Schema } from "../../../src/db/sqlite/db.ts";
import { openDatabase } from "../../../src/db/sqlite/open.ts";
import { digestOf, PARTS, type Part } from "../../../src/db/sqlite/schema-check.ts";
import { VECTOR_CACHE_SCHEMA } from "../../../src/db/vectors/vector-cache.ts";
import { failureOf } from "../../support/failure.ts";
import { WITH_VERSION_1 } from "../curated/version-1.ts";
import { folder } from "../folder.ts";
import { WITH_VERSION_5 } from "../parse-cache/version-5.ts";

/** `isOpenedAtEachTask`: its newest version has a digest, as making an empty database takes a millisecond or two. */
const SCHEMAS: readonly (readonly [name: string, schema: Schema, isOpenedAtEachTask: boolean])[] = [
  ["curated", WITH_VERSION_1, true],
  ["raw", RAW_SCHEMA, true],
  ["session", SESSION_SCHEMA, true],
  ["parse cache", WITH_VERSION_5, true],
  ["stat cache", STAT_CACHE_SCHEMA, true],
  ["memory", MEMORY_SCHEMA, false],
  ["vector cache", VECTOR_CACHE_SCHEMA, false],
];

/** What the migrations up to a version make, without asking the schema. */
function madeAt(version: number, { migrations }: Schema): string {
  const db = new Database(":memory:");
  try {
    for (const migration of migrations.slice(0, version)) db.run(migration);
    return digestOf(db.query<Part, []>(PARTS).all());
  } finally {
    db.close();
  }
}

for (const [name, schema, isOpenedAtEachTask] of SCHEMAS)
  test(`the digests of the ${name} schema are those of what it makes`, () => {
    const given = Object.entries(schema.digests ?? {});
    const newest = schema.migrations.length;
    const made = Object.fromEntries(given.map(([version]) => [version, madeAt(Number(version), schema)]));
    expect(schema.digests ?? {}).toEqual(isOpenedAtEachTask ? { ...made, [newest]: madeAt(newest, schema) } : made);
    if (!isOpenedAtEachTask) expect(schema.digests).not.toHaveProperty(`${newest}`);
  });

test("a planted, a changed and a missing definition are refused, whether or not the schema has a digest", () => {
  for (const schema of [RAW_SCHEMA, { ...RAW_SCHEMA, digests: {} }])
    for (const change of [
      "create trigger planted after insert on stages begin select 1; end",
      "alter table stages add column more text",
      "drop trigger stages_no_update",
    ]) {
      using dir = folder();
      const path = dir.at("raw.sqlite");
      openDatabase(path, "write", schema).close();
      openDatabase(path, "read", schema).close();
      const raw = new Database(path);
      raw.run(change);
      raw.close();
      for (const access of ["read", "append"] as const) {
        const failure = failureOf(() => openDatabase(path, access, schema));
        expect(JSON.stringify(failure)).toContain("its tables are not those that cra makes");
      }
    }
});

test("a planted trigger is refused whose name is like those of SQLite", () => {
  using dir = folder();
  const path = dir.at("raw.sqlite");
  openDatabase(path, "write", RAW_SCHEMA).close();
  const raw = new Database(path);
  raw.run("create trigger sqlite0planted after insert on stages begin select 1; end");
  raw.close();
  // SQLite makes none with such a name, and runs the one that a file has.
  writeFileSync(path, readFileSync(path, "latin1").replaceAll("sqlite0planted", "sqlite_planted"), "latin1");
  for (const access of ["read", "append"] as const) {
    const failure = failureOf(() => openDatabase(path, access, RAW_SCHEMA));
    expect(JSON.stringify(failure)).toContain("its tables are not those that cra makes");
  }
});
