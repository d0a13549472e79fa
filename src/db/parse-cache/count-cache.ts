/**
 * Stores the term counts of texts that were counted and not parsed, by the hash of their content, so that a text is counted once.
 *
 * They live in the stat cache and may be lost at any time. An index makes them useless: it has the term statistics of parsed files.
 */
import type { Db } from "../sqlite/db.ts";

/**
 * The counts of one text: `lines` and `chars` are its size, `stats` its term statistics as if it had no definitions. `hash` is the
 * hex SHA-256 of the file's bytes.
 */
export type TextCounts = {
  readonly hash: string;
  readonly lines: number;
  readonly chars: number;
  readonly stats: Uint8Array;
};

export type CountCache = {
  /** The counts of every text, by hash. */
  all(): ReadonlyMap<string, TextCounts>;
  put(rows: readonly TextCounts[]): void;
  /** Deletes the counts of all texts but these. */
  keep(hashes: ReadonlySet<string>): void;
};

export const COUNT_TABLES = `
create table counts (
  hash text primary key,
  extractor text not null,
  lines integer not null,
  chars integer not null,
  sum integer not null,
  stats blob not null
) strict;
`;

/** The counts that one extractor version made; others are invisible, and replaced. */
export const countCache = (db: Db, extractorVersion: string): CountCache => ({
  all() {
    const rows = db.all<CountRow>(
      "select hash, lines, chars, sum, stats from counts where extractor = ?1",
      extractorVersion,
    );
    const counts = new Map<string, TextCounts>();
    for (const row of rows) if (isWholeCount(row)) counts.set(row.hash, row);
    return counts;
  },
  put: (rows) =>
    db.transaction(() =>
      db.runAll(
        `insert into counts(hash, extractor, lines, chars, sum, stats) values (?1, ?2, ?3, ?4, ?5, ?6)
         on conflict(hash) do update set extractor = excluded.extractor, lines = excluded.lines, chars = excluded.chars,
           sum = excluded.sum, stats = excluded.stats`,
        rows.map((row) => [row.hash, extractorVersion, row.lines, row.chars, sumOf(row), row.stats]),
      ),
    ),
  keep(hashes) {
    const stored = db.all<{ hash: string }>("select hash from counts");
    const unused = stored.flatMap(({ hash }) => (hashes.has(hash) ? [] : [hash]));
    if (unused.length === 0) return;
    db.run("delete from counts where hash in (select value from json_each(?1))", JSON.stringify(unused));
  },
});

/** A stored row with its checksum. */
export type CountRow = TextCounts & { readonly sum: number };

/** Whether a row is as it was written. A damaged one counts as missing, and its text is counted again. */
export const isWholeCount = (row: CountRow): boolean => row.sum === sumOf(row);

const sumOf = ({ hash, lines, chars, stats }: TextCounts): number =>
  Bun.hash.crc32(stats, Bun.hash.crc32(`${hash} ${lines} ${chars}`));
