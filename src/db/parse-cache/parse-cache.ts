/**
 * Caches parse results by content, so an interrupted index run continues, and work trees and branches parse nothing twice.
 *
 * Keys are content hash, language and extractor version, never a path, so all work trees of a repository share one cache. A row that is
 * invalid or damaged counts as missing, and the file may be deleted whenever nobody uses it (`open-parse-cache.ts`).
 */
import type { FileFacts, ReferenceFact } from "../../syntax/facts/facts.ts";
import {
  type Intern,
  type Outline,
  type PackedFacts,
  unpackFacts,
  unpackOutline,
  unpackUses,
} from "../../syntax/facts/facts-codec.ts";
import type { Db } from "../sqlite/db.ts";
import { type CachedCommit, type CommitsByHash, readCommits, storeCommits } from "./commit-cache.ts";
import { evictAbove, evictUnused, firstDayKept, markUsed } from "./last-used.ts";
import type { StatCache } from "./stat-cache.ts";

/** Identifies a content; `hash` is the hex SHA-256 of the file's bytes. */
export type ParseKey = { readonly hash: string; readonly language: string };

/** An entry as it is stored: every part is packed. */
export type PackedEntry = ParseKey & PackedFacts;

/** What is known of contents, shared by all work trees, and of the files of this one. */
export type ParseCache = FactCache &
  Omit<StatCache, "usedOn" | "setUsedOn"> & {
    /** Whether the work tree has marked its entries as used today. */
    isUsedToday(): boolean;
    /** Closes what is known of the files of this work tree alone, when nobody asks for it any more. */
    closeStats(): void;
    close(): void;
  };

/** What parsing and reading history found. */
export type FactCache = {
  /** Whether an entry exists; its parts may still be unreadable. */
  has(key: ParseKey): boolean;
  /** Whether there is no entry at all. */
  isEmpty(): boolean;
  facts(key: ParseKey): FileFacts | null;
  /** A part of the facts, in a fraction of the time. */
  outline(key: ParseKey, intern: Intern): Outline | null;
  uses(key: ParseKey): readonly ReferenceFact[] | null;
  /** An entry as it is stored; null when it is missing or damaged. */
  packed(key: ParseKey): PackedEntry | null;
  put(entries: readonly PackedEntry[]): void;
  /** Deletes an unreadable entry. */
  drop(key: ParseKey): void;
  /** Marks the entries that the work tree at `tree` uses as used today. */
  use(tree: string, keys: readonly ParseKey[]): void;
  /** Deletes entries that were not used for long, and above `bytesMax` the least recently used. Entries used today stay. */
  evict(bytesMax: number): void;
  /** The second alone, for those who mark nothing as used, and nothing is read where the file is smaller. */
  evictAbove(bytesMax: number): void;
  commits(): CommitsByHash;
  /** Adds commits to the cached ones. */
  setCommits(commits: readonly CachedCommit[]): void;
};

/** The size above which entries are evicted. */
export const PARSE_CACHE_BYTES_MAX = 1024 * 1024 * 1024;

/** Hash and language in one string. */
export const keyOf = ({ hash, language }: ParseKey): string => `${hash}:${language}`;

/** The key of an entry as it is stored. Shorter than what it stands for, and each entry has it twice. */
function entryKey(key: ParseKey, extractor: string): Uint8Array {
  const bytes = new Uint8Array(Bun.SHA256.byteLength);
  Bun.SHA256.hash(`${keyOf(key)}:${extractor}`, bytes);
  return bytes;
}

/** The cache in an open database, for one extractor version. Entries that are put count as used on `day`. */
export function factCache(db: Db, extractor: string, day: number): FactCache {
  const entryOf = (key: ParseKey): Uint8Array => entryKey(key, extractor);
  return {
    has: (key) => db.get("select 1 from entries where key = ?1", entryOf(key)) !== null,
    isEmpty: () => db.get("select 1 from entries limit 1") === null,
    facts(key) {
      const row = db.get<StoredEntry>(`${ENTRIES_SQL} where key = ?1`, entryOf(key));
      return row === null || !isWholeEntry(row) ? null : unpackFacts(row);
    },
    outline(key, intern) {
      const row = db.get<StoredPart>(
        "select key, facts as part, facts_sum as sum from entries where key = ?1",
        entryOf(key),
      );
      return row === null || !isWholePart(row) ? null : unpackOutline(row.part, intern);
    },
    uses(key) {
      const row = db.get<StoredPart>(
        "select key, uses as part, uses_sum as sum from entries where key = ?1",
        entryOf(key),
      );
      return row === null || !isWholePart(row) ? null : unpackUses(row.part);
    },
    packed(key) {
      const row = db.get<StoredEntry>(`${ENTRIES_SQL} where key = ?1`, entryOf(key));
      if (row === null || !isWholeEntry(row)) return null;
      const { facts, uses, prose } = row;
      return { ...key, facts, uses, prose };
    },
    put: (entries) => putEntries(db, extractor, day, entries),
    drop: (key) =>
      db.transaction(() => {
        db.run("delete from last_used where entry in (select id from entries where key = ?1)", entryOf(key));
        db.run("delete from entries where key = ?1", entryOf(key));
      }),
    use: (tree, keys) => markUsed(db, tree, keys.map(entryOf), day),
    evict: (bytesMax) => evictUnused(db, bytesMax, day),
    evictAbove: (bytesMax) => evictAbove(db, bytesMax, day),
    commits: () => readCommits(db),
    setCommits: (commits) => storeCommits(db, commits, day, firstDayKept(day)),
  };
}

function putEntries(db: Db, extractor: string, day: number, entries: readonly PackedEntry[]): void {
  const rows = entries.map((entry) => {
    const key = entryKey(entry, extractor);
    const parts = [entry.facts, entry.uses, entry.prose];
    return { key, sums: parts.map((part) => sumOf(key, part)), parts };
  });
  db.transaction(() => {
    db.runAll(
      `insert into entries(key, extractor, facts_sum, uses_sum, prose_sum, facts, uses, prose)
       values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
       on conflict(key) do update set facts = excluded.facts, facts_sum = excluded.facts_sum,
         uses = excluded.uses, uses_sum = excluded.uses_sum, prose = excluded.prose, prose_sum = excluded.prose_sum`,
      rows.map(({ key, sums, parts }) => [key, extractor, ...sums, ...parts]),
    );
    db.runAll(
      `insert into last_used(entry, day, bytes) select id, ?2, ?3 from entries where key = ?1
       on conflict(entry) do update set day = max(day, excluded.day), bytes = excluded.bytes`,
      rows.map(({ key, parts }) => [key, day, parts.reduce((bytes, { length }) => bytes + length, 0)]),
    );
  });
}

const sumOf = (key: Uint8Array, part: Uint8Array): number => Bun.hash.crc32(part, Bun.hash.crc32(key));

/** A stored row. */
export type StoredEntry = PackedFacts & {
  readonly key: Uint8Array;
  readonly factsSum: number;
  readonly usesSum: number;
  readonly proseSum: number;
};

type StoredPart = { readonly key: Uint8Array; readonly part: Uint8Array; readonly sum: number };

/** Selects every stored row, for checking. */
export const ENTRIES_SQL = `select key, facts, uses, prose, facts_sum as factsSum, uses_sum as usesSum, prose_sum as proseSum
  from entries`;

/** Whether a row matches its checksums. */
export const isWholeEntry = ({ key, facts, uses, prose, factsSum, usesSum, proseSum }: StoredEntry): boolean =>
  factsSum === sumOf(key, facts) && usesSum === sumOf(key, uses) && proseSum === sumOf(key, prose);

const isWholePart = ({ key, part, sum }: StoredPart): boolean => sum === sumOf(key, part);
