/**
 * The versions that results depend on besides cra's own: what parses, counts and stores.
 */
import { dependencies } from "../../package.json";
import { CURATED_SCHEMA } from "../db/curated/schema.ts";
import { MEMORY_SCHEMA } from "../db/memory/schema.ts";
import { RAW_SCHEMA } from "../db/raw-log/schema.ts";
import { openDatabase } from "../db/sqlite/open.ts";
import { EXTRACTOR_VERSION, GRAMMAR_VERSION } from "../languages/grammar-packages.ts";
import { SCHEMA_VERSION } from "../retrieval/model/package-schema.ts";

/** Names and versions, for people. */
export function versionsOfParts(): readonly (readonly [string, string])[] {
  return [
    ["bun", Bun.version],
    ["sqlite", sqliteVersion()],
    ["grammars", GRAMMAR_VERSION],
    ["extractor", EXTRACTOR_VERSION],
    ["tokenizer", `gpt-tokenizer ${dependencies["gpt-tokenizer"]}`],
    ["index schema", String(CURATED_SCHEMA.migrations.length)],
    ["log schema", String(RAW_SCHEMA.migrations.length)],
    ["memory schema", String(MEMORY_SCHEMA.migrations.length)],
    ["package schema", String(SCHEMA_VERSION)],
  ];
}

function sqliteVersion(): string {
  const db = openDatabase(":memory:", "append", RAW_SCHEMA);
  try {
    return db.get<{ version: string }>("select sqlite_version() as version")?.version ?? "not known";
  } finally {
    db.close();
  }
}
