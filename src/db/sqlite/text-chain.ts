/**
 * Stores long texts that resemble each other, each as its difference from an earlier one.
 *
 * A chain of differences ends with a text that needs no other, after a few steps. Short texts are stored as they are. Rows never change.
 */
import { packZstd, STORED_BYTES_MAX, unpackZstd } from "../../text/zstd.ts";
import type { Db } from "./db.ts";

/** The columns of a text, for `create table`. `steps` is the number of texts before this one is readable. */
export const textColumns = (table: string): string =>
  `base integer references ${table}(id), steps integer not null, packed any not null`;

/** A text as it is stored. */
export type ChainedText = {
  readonly base: number | null;
  readonly steps: number;
  readonly packed: string | Uint8Array;
};

/** Shorter texts are not packed. In characters. */
const CHARS_MIN = 1_000;

/** Each step takes about a millisecond. */
const STEPS_MAX = 12;

/** The form of a text to store. `previous` is the id of a text that may resemble it. */
export function chainText(db: Db, table: string, text: string, previous: number | null): ChainedText {
  if (text.length < CHARS_MIN) return { base: null, steps: 0, packed: text };
  const bytes = Buffer.from(text);
  const before =
    previous === null
      ? null
      : db.get<Pick<ChainedText, "steps" | "packed">>(`select steps, packed from ${table} where id = ?1`, previous);
  const isUsable = before !== null && typeof before.packed !== "string" && before.steps < STEPS_MAX;
  const base = isUsable && previous !== null ? readChained(db, table, previous) : null;
  if (before === null || base === null) return { base: null, steps: 0, packed: packZstd(bytes, null) };
  return { base: previous, steps: before.steps + 1, packed: packZstd(bytes, Buffer.from(base)) };
}

/** The text of a row; null if it is missing or unreadable. */
export function readChained(db: Db, table: string, id: number): string | null {
  const rows = db.all<{ readonly packed: string | Uint8Array }>(
    // An append-only database takes no statement that begins otherwise.
    `select packed from (
       with recursive chain(id, base, packed, number) as (
         select id, base, packed, 0 from ${table} where id = ?1
         union all
         select t.id, t.base, t.packed, c.number + 1
         from chain c join ${table} t on t.id = c.base where c.number < ${STEPS_MAX}
       )
       select packed, number from chain
     ) order by number desc`,
    id,
  );
  let text: Buffer | null = null;
  for (const { packed } of rows) {
    if (typeof packed === "string") text = Buffer.from(packed);
    else {
      try {
        text = unpackZstd(packed, STORED_BYTES_MAX, text);
      } catch {
        return null; // Somebody changed the bytes.
      }
    }
  }
  return text?.toString() ?? null;
}
