/**
 * Caches parse results by content, so an interrupted index run continues, and work trees and branches parse nothing twice.
 *
 * Keys are content hash, language and extractor version, never a path, so all work trees of a repository share one cache. A row that is
 * invalid or damaged counts as missing, and the file may be deleted whenever nobody uses it (`open-parse-cache.ts`).
 */
import { zstdCompressSync } from "bun";
import type { FileFacts, ReferenceFact } from "../../syntax/facts/facts.ts";
import { STORED_BYTES_MAX, unpackZstd } from "../../text/zstd.ts";
import type { Db } from "../sqlite/db.ts";
import { type CachedCommit, type CommitsByHash, readCommits, storeCommits } from "./commit-cache.ts";
import {
  type Intern,
  type Outline,
  type PackedFacts,
  packFacts,
  unpackFacts,
  unpackOutline,
  unpackUses,
} from "./facts-codec.ts";
import { evictUnused, firstDayKept, markUsed } from "./last-used.ts";
import type { StatCache } from "./stat-cache.ts";

/** Identifies a content; `hash` is the hex SHA-256 of the file's bytes. */
export type ParseKey = { readonly hash: string; readonly language: string };

export type ParseEntry = ParseKey & { readonly facts: FileFacts; readonly stats: Uint8Array; readonly text: string };

/** An entry as it is stored: every part is packed. */
export type PackedEntry = ParseKey & PackedFacts & { readonly stats: Uint8Array; readonly text: Uint8Array };

/** The term statistics and text of an entry. */
type CachedContent = { readonly stats: Uint8Array; readonly packedText: Uint8Array; readonly text: string };

/** What is known of contents, shared by all work trees, and of the files of this one. */
export type ParseCache = FactCache &
  Omit<StatCache, "usedOn" | "setUsedOn"> & {
    /** Whether the work tree has marked its entries as used today. */
    isUsedToday(): boolean;
    close(): void;
  };

/** What parsing and reading history found. */
export type FactCache = {
  /** Whether an entry exists; its parts may still be unreadable. */
  has(key: ParseKey): boolean;
  facts(key: ParseKey): FileFacts | null;
  /** A part of the facts, in a fraction of the time. */
  outline(key: ParseKey, intern: Intern): Outline | null;
  uses(key: ParseKey): readonly ReferenceFact[] | null;
  content(key: ParseKey): CachedContent | null;
  put(entries: readonly ParseEntry[]): void;
  /** An entry as it is stored; null when it is missing or damaged. */
  packed(key: ParseKey): PackedEntry | null;
  /** Stores entries that are packed already. */
  putPacked(entries: readonly PackedEntry[]): void;
  /** Deletes an unreadable entry. */
  drop(key: ParseKey): void;
  /** Marks the entries that the work tree at `tree` uses as used today. */
  use(tree: string, keys: readonly ParseKey[]): void;
  /** Deletes entries that were not used for long, and above `bytesMax` the least recently used. Entries used today stay. */
  evict(bytesMax: number): void;
  /** The cached commits, by hash. */
  commits(): CommitsByHash;
  /** Adds commits to the cached ones. */
  setCommits(commits: readonly CachedCommit[]): void;
};

/** The size above which entries are evicted. */
export const PARSE_CACHE_BYTES_MAX = 1024 * 1024 * 1024;

/** Hash and language in one string, as stored. */
export const keyOf = ({ hash, language }: ParseKey): string => `${hash}:${language}`;

/** The cache in an open database, for one extractor version. Entries that are put count as used on `day`. */
export function factCache(db: Db, extractorVersion: string, day: number): FactCache {
  return {
    has: (key) =>
      db.get("select 1 from entries where key = ?1 and extractor = ?2", keyOf(key), extractorVersion) !== null,
    facts(key) {
      const row = db.get<PackedFacts & Sums>(
        `select facts, uses, prose, facts_sum as factsSum, uses_sum as usesSum, prose_sum as proseSum
         from entries where key = ?1 and extractor = ?2`,
        keyOf(key),
        extractorVersion,
      );
      return row === null || !areWholeFacts(key, row) ? null : unpackFacts(row);
    },
    outline(key, intern) {
      const row = db.get<{ facts: Uint8Array; sum: number }>(
        "select facts, facts_sum as sum from entries where key = ?1 and extractor = ?2",
        keyOf(key),
        extractorVersion,
      );
      return row === null || row.sum !== sumOf(key, row.facts) ? null : unpackOutline(row.facts, intern);
    },
    uses(key) {
      const row = db.get<{ uses: Uint8Array; sum: number }>(
        "select uses, uses_sum as sum from entries where key = ?1 and extractor = ?2",
        keyOf(key),
        extractorVersion,
      );
      return row === null || row.sum !== sumOf(key, row.uses) ? null : unpackUses(row.uses);
    },
    content(key) {
      const row = db.get<{ stats: Uint8Array; text: Uint8Array; sum: number }>(
        "select stats, text, content_sum as sum from entries where key = ?1 and extractor = ?2",
        keyOf(key),
        extractorVersion,
      );
      if (row === null || row.sum !== sumOf(key, row.stats, row.text)) return null;
      try {
        const text = unpackZstd(row.text, STORED_BYTES_MAX).toString("utf8");
        return { stats: unpackZstd(row.stats, STORED_BYTES_MAX), packedText: row.text, text };
      } catch {
        return null; // The file is parsed again.
      }
    },
    put: (entries) => putEntries(db, extractorVersion, day, entries.map(packEntry)),
    packed(key) {
      const row = db.get<StoredEntry>(`${ENTRIES_SQL} where key = ?1 and extractor = ?2`, keyOf(key), extractorVersion);
      if (row === null || !isWholeEntry(row)) return null;
      const { facts, uses, prose, stats, text } = row;
      return { ...key, facts, uses, prose, stats, text };
    },
    putPacked: (entries) => putEntries(db, extractorVersion, day, entries),
    drop: (key) =>
      db.transaction(() => {
        const entry = "key = ?1 and extractor = ?2";
        db.run(
          `delete from last_used where entry in (select id from entries where ${entry})`,
          keyOf(key),
          extractorVersion,
        );
        db.run(`delete from entries where ${entry}`, keyOf(key), extractorVersion);
      }),
    use: (tree, keys) => markUsed(db, extractorVersion, tree, keys.map(keyOf), day),
    evict: (bytesMax) => evictUnused(db, bytesMax, day),
    commits: () => readCommits(db),
    setCommits: (commits) => storeCommits(db, commits, day, firstDayKept(day)),
  };
}

/** Statistics are mostly hashes, which no level packs better. */
const STATS_LEVEL = 1;

/** Packs the parts of an entry. */
export const packEntry = ({ hash, language, facts, stats, text }: ParseEntry): PackedEntry => ({
  hash,
  language,
  ...packFacts(facts),
  // Ranking reads statistics from the index, where they are not packed.
  stats: zstdCompressSync(stats, { level: STATS_LEVEL }),
  text: packText(text),
});

/** A text as it is stored here and in the index. */
export const packText = (text: string): Uint8Array => zstdCompressSync(text);

function putEntries(db: Db, extractorVersion: string, day: number, entries: readonly PackedEntry[]): void {
  const rows = entries.map((entry) => {
    const { facts, uses, prose, stats, text } = entry;
    const sums = [sumOf(entry, facts), sumOf(entry, uses), sumOf(entry, prose), sumOf(entry, stats, text)];
    return { key: keyOf(entry), sums, parts: [facts, uses, prose, stats, text] };
  });
  db.transaction(() => {
    db.runAll(
      `insert into entries(key, extractor, facts_sum, uses_sum, prose_sum, content_sum, facts, uses, prose, stats, text)
       values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
       on conflict(key, extractor) do update set facts = excluded.facts, facts_sum = excluded.facts_sum,
         uses = excluded.uses, uses_sum = excluded.uses_sum, prose = excluded.prose, prose_sum = excluded.prose_sum,
         stats = excluded.stats, text = excluded.text, content_sum = excluded.content_sum`,
      rows.map(({ key, sums, parts }) => [key, extractorVersion, ...sums, ...parts]),
    );
    db.runAll(
      `insert into last_used(entry, day, bytes) select id, ?3, ?4 from entries where key = ?1 and extractor = ?2
       on conflict(entry) do update set day = max(day, excluded.day), bytes = excluded.bytes`,
      rows.map(({ key, parts }) => [
        key,
        extractorVersion,
        day,
        parts.reduce((bytes, { length }) => bytes + length, 0),
      ]),
    );
  });
}

/** A checksum of the key and the parts. */
const sumOf = (key: ParseKey, ...parts: readonly Uint8Array[]): number =>
  parts.reduce((sum, part) => Bun.hash.crc32(part, sum), Bun.hash.crc32(keyOf(key)));

type Sums = { readonly factsSum: number; readonly usesSum: number; readonly proseSum: number };

const areWholeFacts = (key: ParseKey, row: PackedFacts & Sums): boolean =>
  row.factsSum === sumOf(key, row.facts) &&
  row.usesSum === sumOf(key, row.uses) &&
  row.proseSum === sumOf(key, row.prose);

/** A stored row with all parts; `key` is the result of `keyOf`. */
export type StoredEntry = PackedFacts &
  Sums & { readonly key: string; readonly stats: Uint8Array; readonly text: Uint8Array; readonly contentSum: number };

/** Selects every stored row, for checking. */
export const ENTRIES_SQL = `select key, facts, uses, prose, stats, text, facts_sum as factsSum, uses_sum as usesSum,
  prose_sum as proseSum, content_sum as contentSum from entries`;

/** Whether a row matches its checksums. */
export function isWholeEntry(row: StoredEntry): boolean {
  const [hash = "", language = ""] = row.key.split(":");
  const key = { hash, language };
  return areWholeFacts(key, row) && row.contentSum === sumOf(key, row.stats, row.text);
}
