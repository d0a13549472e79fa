/**
 * Stores the term counts of texts that were counted and not parsed, by the hash of their content, so that a text is counted once.
 *
 * They live in the stat cache and may be lost at any time. An index makes them useless: it has the term statistics of parsed files.
 */

import { packCounts, type TextCounts, unpackCounts } from "../../text/terms/count-block.ts";
import type { Db } from "../sqlite/db.ts";

export type CountCache = {
  /** The counts of every text, by hash. */
  all(): ReadonlyMap<string, TextCounts>;
  /** Adds blocks of counts (`count-block.ts`). */
  put(blocks: readonly Uint8Array[]): void;
  /** Deletes the counts of all texts but these. */
  keep(hashes: ReadonlySet<string>): void;
};

export const COUNT_TABLE = `create table count_blocks (id integer primary key, extractor text not null, sum integer not null, block blob not null) strict;`;

/** The number of texts in a block, once the texts that stay are packed again. */
const KEPT_AT_ONCE = 200;

/** The counts that one extractor version made; others are invisible, and deleted by the next that are stored. */
export function countCache(db: Db, extractorVersion: string): CountCache {
  const all = (): ReadonlyMap<string, TextCounts> => {
    const rows = db.all<CountRow>(
      "select sum, block from count_blocks where extractor = ?1 order by id",
      extractorVersion,
    );
    return new Map(
      rows.filter(isWholeCounts).flatMap(({ block }) => unpackCounts(block).map((row) => [row.hash, row])),
    );
  };
  const replace = (deleted: string, blocks: readonly Uint8Array[]): void =>
    db.transaction(() => {
      db.run(deleted, extractorVersion);
      db.runAll(
        "insert into count_blocks(extractor, sum, block) values (?1, ?2, ?3)",
        blocks.map((block) => [extractorVersion, sumOf(block), block]),
      );
    });
  return {
    all,
    put: (blocks) => replace("delete from count_blocks where extractor <> ?1", blocks),
    keep(hashes) {
      const kept = [...all().values()].filter(({ hash }) => hashes.has(hash));
      const starts = Array.from({ length: Math.ceil(kept.length / KEPT_AT_ONCE) }, (_, at) => at * KEPT_AT_ONCE);
      const blocks = starts.map((start) => packCounts(kept.slice(start, start + KEPT_AT_ONCE)));
      replace("delete from count_blocks where extractor = ?1", blocks);
    },
  };
}

/** A stored block with its checksum. */
export type CountRow = { readonly block: Uint8Array; readonly sum: number };

/** Whether a block is as it was written. A damaged one counts as missing, and its texts are counted again. */
export const isWholeCounts = ({ block, sum }: CountRow): boolean => sum === sumOf(block);

const sumOf = (block: Uint8Array): number => Bun.hash.crc32(block);
