/**
 * Caches parse results by content, so an interrupted index run continues and a branch switch parses nothing twice.
 *
 * Keys are content hash, language and extractor version, never a path. A row that is invalid or damaged counts as missing, and the
 * file may be deleted at any time.
 */
import { rmSync } from "node:fs";
import { zstdCompressSync } from "bun";
import { Failed } from "../../failure.ts";
import type { FileFacts, ReferenceFact } from "../../syntax/facts/facts.ts";
import { STORED_BYTES_MAX, unpackZstd } from "../../text/zstd.ts";
import type { Db } from "../sqlite/db.ts";
import { openDatabase } from "../sqlite/open.ts";
import { type CachedCommit, readCommits, replaceCommits } from "./commit-cache.ts";
import { type CountCache, countCache } from "./count-cache.ts";
import {
  type Intern,
  type Outline,
  type PackedFacts,
  packFacts,
  unpackFacts,
  unpackOutline,
  unpackUses,
} from "./facts-codec.ts";
import { PARSE_CACHE_SCHEMA } from "./schema.ts";
import { readStatEntries, type StatEntry, writeStatEntries } from "./stat-cache.ts";

/** Identifies a content; `hash` is the hex SHA-256 of the file's bytes. */
export type ParseKey = { readonly hash: string; readonly language: string };

export type ParseEntry = ParseKey & { readonly facts: FileFacts; readonly stats: Uint8Array; readonly text: string };

/** The term statistics and text of an entry. */
type CachedContent = { readonly stats: Uint8Array; readonly packedText: Uint8Array; readonly text: string };

export type ParseCache = FactCache & {
  /** The term counts of texts that are not parsed. */
  readonly counts: CountCache;
  close(): void;
};

/** What parsing and reading found. */
type FactCache = {
  /** Whether an entry exists; its parts may still be unreadable. */
  has(key: ParseKey): boolean;
  facts(key: ParseKey): FileFacts | null;
  /** A part of the facts, in a fraction of the time. */
  outline(key: ParseKey, intern: Intern): Outline | null;
  uses(key: ParseKey): readonly ReferenceFact[] | null;
  content(key: ParseKey): CachedContent | null;
  put(entries: readonly ParseEntry[]): void;
  /** Deletes an unreadable entry. */
  drop(key: ParseKey): void;
  /** Deletes entries of the oldest generations above `bytesMax`. Entries in `used` move to the current generation and stay. */
  evict(bytesMax: number, used: readonly ParseKey[]): void;
  /** The stat cache as `maker` last wrote it, by path. */
  statEntries(maker: string): ReadonlyMap<string, StatEntry>;
  /** Replaces the stat cache by `rows`; `before` is the result of `statEntries`. */
  setStatEntries(maker: string, before: ReadonlyMap<string, StatEntry>, rows: readonly StatEntry[]): void;
  /** The fingerprint of the last run without changes (`indexing/update/change-fingerprint.ts`); null when none is stored. */
  fingerprint(): string | null;
  setFingerprint(hash: string): void;
  /** The cached commits, by hash. */
  commits(): ReadonlyMap<string, CachedCommit>;
  /** Replaces the cached commits. */
  setCommits(commits: readonly CachedCommit[]): void;
};

/** The size above which entries are evicted. */
export const PARSE_CACHE_BYTES_MAX = 512 * 1024 * 1024;

/** Hash and language in one string, as stored. */
export const keyOf = ({ hash, language }: ParseKey): string => `${hash}:${language}`;

/** Opens the cache for one extractor version; an unusable file is replaced by a new one. */
export function openParseCache(path: string, extractorVersion: string): ParseCache {
  try {
    return parseCache(openDatabase(path, "write", PARSE_CACHE_SCHEMA), extractorVersion);
  } catch (error) {
    const isUseless =
      error instanceof Failed && (error.failure.code === "index-damaged" || error.failure.code === "index-newer");
    if (!isUseless) throw error;
    removeParseCache(path);
    return parseCache(openDatabase(path, "write", PARSE_CACHE_SCHEMA), extractorVersion);
  }
}

/** Deletes the cache, whatever is at its path. Nothing may have it open. */
export function removeParseCache(path: string): null {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true, recursive: true });
  return null;
}

function parseCache(db: Db, extractorVersion: string): ParseCache {
  const generation =
    db.get<{ newest: number }>("select coalesce(max(generation), 0) + 1 as newest from entries")?.newest ?? 1;
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
    put: (entries) => putEntries(db, extractorVersion, generation, entries),
    drop(key) {
      db.run("delete from entries where key = ?1 and extractor = ?2", keyOf(key), extractorVersion);
    },
    evict(bytesMax, used) {
      const sum = db.get<{ bytes: number }>("select coalesce(sum(bytes), 0) as bytes from entries");
      if ((sum?.bytes ?? 0) <= bytesMax) return;
      db.run(
        `update entries set generation = ?3 where extractor = ?1 and generation <> ?3
         and key in (select value from json_each(?2))`,
        extractorVersion,
        JSON.stringify(used.map(keyOf)),
        generation,
      );
      evict(db, generation, bytesMax);
    },
    statEntries: (maker) => readStatEntries(db, maker),
    setStatEntries: (maker, before, rows) => writeStatEntries(db, maker, before, rows),
    fingerprint: () => db.get<{ hash: string }>("select hash from glance")?.hash ?? null,
    setFingerprint: (hash) =>
      db.transaction(() => {
        db.run("delete from glance");
        db.run("insert into glance(hash) values (?1)", hash);
      }),
    commits: () => readCommits(db),
    setCommits: (commits) => replaceCommits(db, commits),
    counts: countCache(db, extractorVersion),
    close: () => db.close(),
  };
}

/** Statistics are mostly hashes, which no level packs better. */
const STATS_LEVEL = 1;

function putEntries(db: Db, extractorVersion: string, generation: number, entries: readonly ParseEntry[]): void {
  db.transaction(() =>
    db.runAll(
      `insert into entries(key, extractor, generation, bytes, facts, facts_sum, uses, uses_sum, prose, prose_sum,
         stats, text, content_sum)
       values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
       on conflict(key, extractor) do update set generation = excluded.generation, bytes = excluded.bytes,
         facts = excluded.facts, facts_sum = excluded.facts_sum, uses = excluded.uses, uses_sum = excluded.uses_sum,
         prose = excluded.prose, prose_sum = excluded.prose_sum, stats = excluded.stats, text = excluded.text,
         content_sum = excluded.content_sum`,
      entries.map((entry) => {
        const { facts, uses, prose } = packFacts(entry.facts);
        const text = zstdCompressSync(entry.text);
        // Ranking reads statistics from the index, where they are not packed.
        const stats = zstdCompressSync(entry.stats, { level: STATS_LEVEL });
        const parts = [facts, uses, prose, stats, text];
        return [
          keyOf(entry),
          extractorVersion,
          generation,
          parts.reduce((bytes, { length }) => bytes + length, 0),
          facts,
          sumOf(entry, facts),
          uses,
          sumOf(entry, uses),
          prose,
          sumOf(entry, prose),
          stats,
          text,
          sumOf(entry, stats, text),
        ];
      }),
    ),
  );
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

function evict(db: Db, generation: number, bytesMax: number): void {
  const sizes = db.all<{ generation: number; bytes: number }>(
    "select generation, sum(bytes) as bytes from entries group by 1 order by 1 desc",
  );
  let kept = 0;
  const oldest = sizes.find((row) => {
    kept += row.bytes;
    return kept > bytesMax && row.generation !== generation;
  });
  if (oldest) db.run("delete from entries where generation <= ?1", oldest.generation);
}
