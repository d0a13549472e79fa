/**
 * What parsing found, kept by content: a killed index continues, a branch switch parses nothing twice.
 *
 * Keyed by content hash, language and extractor version, never by path. Holds the facts, the term
 * statistics and the text that was parsed, so that everything about one content comes from one reading.
 * Invariants: a row that does not validate, or whose bytes are not those that were written, counts as absent; the
 * file may be deleted at any time.
 * Not here: parsing (`syntax/`).
 */

import { rmSync } from "node:fs";
import { zstdCompressSync, zstdDecompressSync } from "bun";
import { z } from "zod";
import { Failed } from "../failure.ts";
import { FileFacts } from "../syntax/facts.ts";
import { type Db, openDatabase, type Schema } from "./open.ts";
import { SEEN_TABLES, type SeenFile, seenFiles, setSeenFiles } from "./seen-files.ts";

/** Names one content; `hash` is the sha256 of the file's bytes in hex. */
export type ParseKey = { readonly hash: string; readonly language: string };

export type ParseEntry = ParseKey & { readonly facts: FileFacts; readonly stats: Uint8Array; readonly text: string };

/** The parts of an entry that are stored as they are; the text is unpacked on demand. */
export type CachedContent = { readonly stats: Uint8Array; readonly packedText: Uint8Array; text(): string };

/** A commit as the history reader gave it: it never changes under its hash. */
export type CachedCommit = {
  readonly hash: string;
  readonly author: string;
  readonly message: string;
  readonly timestamp: number;
  readonly files: readonly string[];
};

export type ParseCache = {
  /** Whether an entry is there; `facts` may still find it unreadable. */
  has(key: ParseKey): boolean;
  facts(key: ParseKey): FileFacts | null;
  content(key: ParseKey): CachedContent | null;
  put(entries: readonly ParseEntry[]): void;
  /** Takes an entry away that turned out to be unreadable. */
  drop(key: ParseKey): void;
  /** Marks entries as used by this generation. */
  keep(keys: readonly ParseKey[]): void;
  /** Takes away the entries of the oldest generations until at most `bytesMax` are left; never those of this one. */
  evict(bytesMax: number): void;
  /** What files held when `maker` last read them, by path. */
  seen(maker: string): ReadonlyMap<string, SeenFile>;
  /** Makes `rows` all that is stored; `before` is what `seen` gave. */
  setSeen(maker: string, before: ReadonlyMap<string, SeenFile>, rows: readonly SeenFile[]): void;
  /** Commits that were read before, by hash. */
  commits(): ReadonlyMap<string, CachedCommit>;
  /** Stores these commits and forgets all others. */
  setCommits(commits: readonly CachedCommit[]): void;
  close(): void;
};

/** Larger caches lose the entries that were not used lately. */
export const PARSE_CACHE_BYTES_MAX = 512 * 1024 * 1024;

/** Where a stored row's two columns of identity are written as one. */
export const keyOf = ({ hash, language }: ParseKey): string => `${hash}:${language}`;

const V1 = `
create table entries (
  key text not null,
  extractor text not null,
  generation integer not null,
  bytes integer not null,
  facts blob not null,
  stats blob not null,
  text blob not null,
  primary key (key, extractor)
) strict;
create index entries_generation on entries(generation);
create table commits (hash text primary key, record text not null) strict, without rowid;
`;

/** Checksums, without which a damaged byte could become a fact. */
const V2 = `
drop table entries;
create table entries (
  key text not null,
  extractor text not null,
  generation integer not null,
  bytes integer not null,
  facts blob not null,
  facts_sum integer not null,
  stats blob not null,
  text blob not null,
  content_sum integer not null,
  primary key (key, extractor)
) strict;
create index entries_generation on entries(generation);
drop table commits;
create table commits (hash text primary key, record text not null, sum integer not null) strict, without rowid;
`;

export const PARSE_CACHE_SCHEMA: Schema = {
  applicationId: 0x63726134, // "cra4"
  migrations: [V1, V2, SEEN_TABLES],
  journal: "wal",
  damaged: (path, why) => ({ code: "index-damaged", path, why }),
};

/** Opens the cache for one extractor version, starting afresh where the file is unusable. */
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

/** Takes the cache away with all that is in it, whatever stands in its place. Nothing may have it open. */
export function removeParseCache(path: string): null {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true, recursive: true });
  return null;
}

export function parseCache(db: Db, extractorVersion: string): ParseCache {
  const generation =
    db.get<{ newest: number }>("select coalesce(max(generation), 0) + 1 as newest from entries")?.newest ?? 1;
  return {
    has: (key) =>
      db.get("select 1 from entries where key = ?1 and extractor = ?2", keyOf(key), extractorVersion) !== null,
    facts(key) {
      const row = db.get<{ facts: Uint8Array; sum: number }>(
        "select facts, facts_sum as sum from entries where key = ?1 and extractor = ?2",
        keyOf(key),
        extractorVersion,
      );
      return row === null || row.sum !== sumOf(key, row.facts) ? null : unpackFacts(row.facts);
    },
    content(key) {
      const row = db.get<{ stats: Uint8Array; text: Uint8Array; sum: number }>(
        "select stats, text, content_sum as sum from entries where key = ?1 and extractor = ?2",
        keyOf(key),
        extractorVersion,
      );
      if (row === null || row.sum !== sumOf(key, row.stats, row.text)) return null;
      return { stats: row.stats, packedText: row.text, text: () => zstdDecompressSync(row.text).toString("utf8") };
    },
    put(entries) {
      db.transaction(() =>
        db.runAll(
          `insert into entries(key, extractor, generation, bytes, facts, facts_sum, stats, text, content_sum)
           values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
           on conflict(key, extractor) do update set generation = excluded.generation, bytes = excluded.bytes,
             facts = excluded.facts, facts_sum = excluded.facts_sum, stats = excluded.stats, text = excluded.text,
             content_sum = excluded.content_sum`,
          entries.map((entry) => {
            const facts = zstdCompressSync(JSON.stringify(entry.facts));
            const text = zstdCompressSync(entry.text);
            const bytes = facts.length + entry.stats.length + text.length;
            const sums = { facts: sumOf(entry, facts), content: sumOf(entry, entry.stats, text) };
            return [
              keyOf(entry),
              extractorVersion,
              generation,
              bytes,
              facts,
              sums.facts,
              entry.stats,
              text,
              sums.content,
            ];
          }),
        ),
      );
    },
    drop(key) {
      db.run("delete from entries where key = ?1 and extractor = ?2", keyOf(key), extractorVersion);
    },
    keep(keys) {
      db.run(
        `update entries set generation = ?3 where extractor = ?1 and generation <> ?3
         and key in (select value from json_each(?2))`,
        extractorVersion,
        JSON.stringify(keys.map(keyOf)),
        generation,
      );
    },
    evict: (bytesMax) => evict(db, generation, bytesMax),
    seen: (maker) => seenFiles(db, maker),
    setSeen: (maker, before, rows) => setSeenFiles(db, maker, before, rows),
    commits: () => {
      const rows = db.all<{ record: string; sum: number }>("select record, sum from commits");
      const records = rows.flatMap(({ record, sum }) => (sum === Bun.hash.crc32(record) ? unpackCommit(record) : []));
      return new Map(records.map((record) => [record.hash, record]));
    },
    setCommits: (commits) =>
      db.transaction(() => {
        const hashes = JSON.stringify(commits.map(({ hash }) => hash));
        db.run("delete from commits where hash not in (select value from json_each(?1))", hashes);
        db.runAll(
          "insert into commits(hash, record, sum) values (?1, ?2, ?3) on conflict(hash) do update set record = excluded.record, sum = excluded.sum where sum <> excluded.sum or record <> excluded.record",
          commits.map((commit) => {
            const record = JSON.stringify(commit);
            return [commit.hash, record, Bun.hash.crc32(record)];
          }),
        );
      }),
    close: () => db.close(),
  };
}

/** A checksum over the parts, which belong to this key and to no other. */
const sumOf = (key: ParseKey, ...parts: readonly Uint8Array[]): number =>
  parts.reduce((sum, part) => Bun.hash.crc32(part, sum), Bun.hash.crc32(keyOf(key)));

/** Whether a stored row has the bytes that were written; `key` is as `keyOf` makes it. */
export function isWholeEntry(row: {
  readonly key: string;
  readonly facts: Uint8Array;
  readonly factsSum: number;
  readonly stats: Uint8Array;
  readonly text: Uint8Array;
  readonly sum: number;
}): boolean {
  const [hash = "", language = ""] = row.key.split(":");
  const key = { hash, language };
  return row.factsSum === sumOf(key, row.facts) && row.sum === sumOf(key, row.stats, row.text);
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

function unpackFacts(packed: Uint8Array): FileFacts | null {
  try {
    return FileFacts.safeParse(JSON.parse(zstdDecompressSync(packed).toString("utf8"))).data ?? null;
  } catch {
    return null; // Not readable is the same as not there: the file is parsed again.
  }
}

const Commit = z.object({
  hash: z.string(),
  author: z.string(),
  message: z.string(),
  timestamp: z.int(),
  files: z.array(z.string()),
});

function unpackCommit(json: string): readonly CachedCommit[] {
  try {
    const commit = Commit.safeParse(JSON.parse(json));
    return commit.success ? [commit.data] : [];
  } catch {
    return []; // As above: it is read again.
  }
}
