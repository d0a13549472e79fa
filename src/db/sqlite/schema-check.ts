/**
 * Tells whether a database has exactly the tables, indexes, views and triggers that its migrations make.
 *
 * A damaged or planted definition would else show as a strange error, or act, long after the file was opened.
 * Not here: its rows, and which definitions belong to the version of the file (`open.ts`).
 */
import type { Database } from "bun:sqlite";

/** What a database says of one of its parts. */
export type Part = { readonly type: string; readonly name: string; readonly of: string; readonly sql: string | null };

/** The definitions of a database, without those that SQLite makes itself. */
export const PARTS =
  "select type, name, tbl_name as of, sql from sqlite_schema where name not like 'sqlite!_%' escape '!'";

/** A pragma whose value is a number; 0 where there is none. */
export function pragmaNumber(raw: Database, name: string): number {
  const row = raw.query<Record<string, number>, []>(`pragma ${name}`).get();
  return row?.[name] ?? 0;
}

const isVirtual = ({ sql }: Part): boolean => /^create virtual table/i.test(sql ?? "");

/**
 * What tells definitions from others: the SHA-256 of their text, in hexadecimal digits. What full-text search keeps its
 * words in depends on the version of SQLite, so it is left out.
 */
export function digestOf(parts: readonly Part[]): string {
  const kept = new Set(parts.filter(isVirtual).flatMap(({ name }) => SHADOWS.map((shadow) => `${name}_${shadow}`)));
  const lines = parts.flatMap(({ type, name, of, sql }) =>
    kept.has(name) && type === "table" ? [] : [JSON.stringify([type, name, of, sql])],
  );
  return new Bun.CryptoHasher("sha256").update(lines.sort().join("\n")).digest("hex");
}

const SHADOWS = ["data", "idx", "content", "docsize", "config"] as const;
