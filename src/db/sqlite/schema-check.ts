/**
 * Checks that a database has exactly the tables, indexes, views and triggers that its migrations create.
 *
 * Otherwise a damaged or planted definition would only show later, as a strange error or a trigger that acts.
 */
import type { Database } from "bun:sqlite";

/** One definition in a database. */
export type Part = { readonly type: string; readonly name: string; readonly of: string; readonly sql: string | null };

/**
 * All definitions except those of the indexes that SQLite makes itself, which have no text. Their names tell nothing: SQLite accepts a
 * planted trigger that has one like theirs.
 */
export const PARTS = "select type, name, tbl_name as of, sql from sqlite_schema where sql is not null";

/** The value of a numeric pragma; 0 if it has none. */
export function pragmaNumber(raw: Database, name: string): number {
  const row = raw.query<Record<string, number>, []>(`pragma ${name}`).get();
  return row?.[name] ?? 0;
}

const isVirtual = ({ sql }: Part): boolean => /^create virtual table/i.test(sql ?? "");

/** The hex SHA-256 of the definitions. The shadow tables of FTS5 depend on SQLite's version, so they are left out. */
export function digestOf(parts: readonly Part[]): string {
  const shadows = new Set(parts.filter(isVirtual).flatMap(({ name }) => SHADOWS.map((shadow) => `${name}_${shadow}`)));
  const lines = parts.flatMap(({ type, name, of, sql }) =>
    shadows.has(name) && type === "table" ? [] : [JSON.stringify([type, name, of, sql])],
  );
  return new Bun.CryptoHasher("sha256").update(lines.sort().join("\n")).digest("hex");
}

const SHADOWS = ["data", "idx", "content", "docsize", "config"] as const;
