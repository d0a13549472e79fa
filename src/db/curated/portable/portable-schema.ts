/** The tables of a portable index: those of an index, without the SQL indexes, which take longer to send than to make again. */
import type { Schema } from "../../sqlite/db.ts";
import { openDatabase } from "../../sqlite/open.ts";
import { digestOf, PARTS, type Part } from "../../sqlite/schema-check.ts";
import { CURATED_SCHEMA } from "../schema.ts";

/** Counts the forms of a portable index besides its schema. */
export const PORTABLE_VERSION = 3;

/** The SQL indexes that a portable index lacks. */
export const portableIndexes = (): readonly Part[] => definitions().filter(({ type }) => type === "index");

export const portableSchema = (): Schema => {
  const tables = definitions().filter(({ type }) => type !== "index");
  return { ...CURATED_SCHEMA, digests: { [CURATED_SCHEMA.migrations.length]: digestOf(tables) } };
};

/** The definitions of an empty index. */
function definitions(): readonly Part[] {
  const db = openDatabase(":memory:", "write", CURATED_SCHEMA);
  try {
    return db.all<Part>(PARTS);
  } finally {
    db.close();
  }
}
