/**
 * Caches what is known of the files of one work tree: the hash of each file's content together with a stat key that changes with every
 * write, so that unchanged files need not be read; the change fingerprint; the names in folders; and term counts.
 *
 * A stat key is stored only once it is old enough to be trusted (`indexing/update/scan/scan-and-parse.ts` decides). Rows belong to one
 * maker, because another version may judge contents differently. The file may be deleted at any time, and an unusable one is.
 */
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { Failed } from "../../failure.ts";
import { AFTER_ALL_PATHS } from "../../text/order.ts";
import { parseJson } from "../../text/parse-json.ts";
import { COMPANIONS } from "../sqlite/companions.ts";
import type { Db, Schema } from "../sqlite/db.ts";
import { CHECK_FOLDER, onDisk } from "../sqlite/failures.ts";
import { openDatabase } from "../sqlite/open.ts";
import { isWritable } from "../sqlite/writable.ts";
import { COUNT_TABLE, type CountCache, countCache } from "./count-cache.ts";

/**
 * `statKey` is short (`change-fingerprint.ts`), `hash` the hex SHA-256 of the content; `skip` says why the file is not indexed, or is null.
 * `script` is the language that its first line says, or null (`languages/script-language.ts`).
 */
export type StatEntry = {
  readonly path: string;
  readonly statKey: string;
  readonly hash: string;
  readonly skip: string | null;
  readonly script: string | null;
};

/** `seen_tree` and `listings` have at most one row each: what the last run left, and what a walk of the work tree knows of its folders. */
const TABLES = `
create table seen_files (
  path text primary key, mark text not null, hash blob not null, skip text, script text, sum integer not null
) strict, without rowid;
create table seen_by (maker text not null) strict;
create table fingerprint (hash text not null) strict;
create table used_on (day integer not null) strict;
create table seen_tree (state text not null, blocks text not null, sum integer not null) strict;
create table listings (sum integer not null, folders blob not null) strict;
${COUNT_TABLE}
`;

export const STAT_CACHE_SCHEMA: Schema = {
  applicationId: 0x63726137, // "cra7"
  migrations: [TABLES],
  digests: { 1: "2c34093066aa5df0457d0a72ecd47f1e04074ce483d7b4b5bcc28bbc4f29e419" },
  journal: "wal",
  // Blocks of counts have some hundred kilobytes: with pages of 4 KiB, storing them takes a third longer.
  pageBytes: 16_384,
  damaged: (path, why) => ({ code: "index-damaged", path, why }),
};

/** The paths from one on, and before another. */
export type PathRange = { readonly from: string; readonly to: string };

const ALL_PATHS: PathRange = { from: "", to: AFTER_ALL_PATHS };

/** Consecutive files of a tree: the first path, how many, a hash of their paths, and a digest of these and their stat keys. */
export type TreeBlock = z.infer<typeof TreeBlock>;
const TreeBlock = z.strictObject({
  first: z.string(),
  files: z.int().positive(),
  paths: z.string(),
  digest: z.string(),
});

/** The tree as an index run left it. `state` identifies the index and whatever else decides what is known of the files. */
export type SeenTree = { readonly state: string; readonly blocks: readonly TreeBlock[] };

export type StatCache = {
  /** The stat cache as `maker` last wrote it, by path: all of it, or some ranges. */
  statEntries(maker: string, ranges?: readonly PathRange[]): ReadonlyMap<string, StatEntry>;
  /** Replaces the stat cache by `rows`; `before` is the result of `statEntries`. */
  setStatEntries(maker: string, before: ReadonlyMap<string, StatEntry>, rows: readonly StatEntry[]): void;
  /** Adds rows to those of `maker`. Does nothing once another one has replaced them. */
  addStatEntries(maker: string, rows: readonly StatEntry[]): void;
  /** The fingerprint of the last run without changes (`indexing/update/scan/change-fingerprint.ts`); null when none is stored. */
  fingerprint(): string | null;
  setFingerprint(hash: string): void;
  /** Replaces what is known of the folders of the work tree (`source/walk/listings.ts`). */
  setListings(folders: Uint8Array): void;
  /** Null when none is stored, or what is stored is not whole. */
  seenTree(): SeenTree | null;
  setSeenTree(tree: SeenTree): void;
  /** The day on which the contents of the work tree were last marked as used (`ParseCache.use`). */
  usedOn(): number | null;
  setUsedOn(day: number): void;
  /** The term counts of texts that are not parsed. */
  readonly counts: CountCache;
};

/** Opens the cache for one extractor version; an unusable file is replaced by a new one. It is kept nowhere if its folder may not be written. */
export function openStatCache(file: string, extractorVersion: string): StatCache & { close(): void } {
  const path = isWritable(dirname(file)) ? file : ":memory:";
  try {
    return statCache(openDatabase(path, "write", STAT_CACHE_SCHEMA), extractorVersion);
  } catch (error) {
    if (!isUseless(error)) throw error;
    removeDatabase(path);
    return statCache(openDatabase(path, "write", STAT_CACHE_SCHEMA), extractorVersion);
  }
}

export type ListingsRow = { readonly sum: number; readonly folders: Uint8Array };
export const LISTINGS_SQL = "select sum, folders from listings";
/** One whose checksum differs counts as missing, and all folders are listed again. */
export const isWholeListing = ({ sum, folders }: ListingsRow): boolean => Bun.hash.crc32(folders) === sum;

/** What is known of the folders of a work tree; null for nothing. */
export function storedListings(path: string): Uint8Array | null {
  if (!existsSync(path)) return null;
  try {
    const db = openDatabase(path, "read", STAT_CACHE_SCHEMA);
    try {
      const row = db.get<ListingsRow>(LISTINGS_SQL);
      return row !== null && isWholeListing(row) ? row.folders : null;
    } finally {
      db.close();
    }
  } catch (error) {
    // The run itself replaces what is of no use, and meets other problems again.
    if (error instanceof Failed) return null;
    throw error;
  }
}

/** Whether a cache could not be opened because of what is in its file. */
export const isUseless = (error: unknown): boolean =>
  error instanceof Failed && (error.failure.code === "index-damaged" || error.failure.code === "index-newer");

/** Deletes a database, whatever is at its path. Nothing may have it open. */
export function removeDatabase(path: string): void {
  onDisk(path, CHECK_FOLDER, () => {
    for (const suffix of ["", ...COMPANIONS]) rmSync(path + suffix, { force: true, recursive: true });
  });
}

const statCache = (db: Db, extractorVersion: string): StatCache & { close(): void } => ({
  statEntries: (maker, ranges) => readStatEntries(db, maker, ranges),
  setStatEntries: (maker, before, rows) => writeStatEntries(db, maker, before, rows),
  addStatEntries: (maker, rows) =>
    db.transaction(() => {
      if (ownerOf(db) === maker) putStatEntries(db, rows);
    }),
  fingerprint: () => db.get<{ hash: string }>("select hash from fingerprint")?.hash ?? null,
  setFingerprint: (hash) =>
    db.transaction(() => {
      db.run("delete from fingerprint");
      db.run("insert into fingerprint(hash) values (?1)", hash);
    }),
  setListings: (folders) =>
    db.transaction(() => {
      db.run("delete from listings");
      db.run("insert into listings(sum, folders) values (?1, ?2)", Bun.hash.crc32(folders), folders);
    }),
  seenTree: () => readSeenTree(db),
  setSeenTree: ({ state, blocks }) =>
    db.transaction(() => {
      const text = JSON.stringify(blocks);
      db.run("delete from seen_tree");
      db.run("insert into seen_tree(state, blocks, sum) values (?1, ?2, ?3)", state, text, Bun.hash.crc32(text));
    }),
  usedOn: () => db.get<{ day: number }>("select day from used_on")?.day ?? null,
  setUsedOn: (day) =>
    db.transaction(() => {
      db.run("delete from used_on");
      db.run("insert into used_on(day) values (?1)", day);
    }),
  counts: countCache(db, extractorVersion),
  close: () => db.close(),
});

/** Null when none is stored, or what is stored is not whole. */
export function readSeenTree(db: Db): SeenTree | null {
  const row = db.get<{ state: string; blocks: string; sum: number }>("select state, blocks, sum from seen_tree");
  if (row === null || row.sum !== Bun.hash.crc32(row.blocks)) return null;
  const blocks = z.array(TreeBlock).safeParse(parseJson(row.blocks)).data;
  return blocks === undefined ? null : { state: row.state, blocks };
}

/** Who wrote the rows of seen files; undefined for nobody. */
const ownerOf = (db: Db): string | undefined => db.get<{ maker: string }>("select maker from seen_by")?.maker;

/** The rows of the ranges by path; empty when another maker wrote them. */
function readStatEntries(
  db: Db,
  maker: string,
  ranges: readonly PathRange[] = [ALL_PATHS],
): ReadonlyMap<string, StatEntry> {
  if (ownerOf(db) !== maker) return new Map();
  const rows = ranges.flatMap(({ from, to }) =>
    db.all<StatEntry & { sum: number }>(
      "select path, mark as statKey, lower(hex(hash)) as hash, skip, script, sum from seen_files where path >= ?1 and path < ?2",
      from,
      to,
    ),
  );
  return new Map(rows.flatMap((row) => (row.sum === sumOf(row) ? [[row.path, row]] : [])));
}

/** Replaces all rows, writing only the differences from `before`, the result of `readStatEntries`. */
function writeStatEntries(
  db: Db,
  maker: string,
  before: ReadonlyMap<string, StatEntry>,
  rows: readonly StatEntry[],
): void {
  const wanted = new Set(rows.map(({ path }) => path));
  const gone = [...before.keys()].filter((path) => !wanted.has(path));
  const changed = rows.filter((row) => {
    const known = before.get(row.path);
    return (
      known?.statKey !== row.statKey ||
      known.hash !== row.hash ||
      known.skip !== row.skip ||
      known.script !== row.script
    );
  });
  if (gone.length === 0 && changed.length === 0) return;
  db.transaction(() => {
    if (before.size === 0) {
      db.run("delete from seen_files");
      db.run("delete from seen_by");
      db.run("insert into seen_by(maker) values (?1)", maker);
    }
    db.run("delete from seen_files where path in (select value from json_each(?1))", JSON.stringify(gone));
    putStatEntries(db, changed);
  });
}

const putStatEntries = (db: Db, rows: readonly StatEntry[]): void =>
  db.runAll(
    `insert into seen_files(path, mark, hash, skip, script, sum) values (?1, ?2, unhex(?3), ?4, ?5, ?6)
     on conflict(path) do update
     set mark = excluded.mark, hash = excluded.hash, skip = excluded.skip, script = excluded.script, sum = excluded.sum`,
    rows.map((row) => [row.path, row.statKey, row.hash, row.skip, row.script, sumOf(row)]),
  );

/** A row whose checksum differs counts as missing, and its file is read again. */
const sumOf = ({ path, statKey, hash, skip, script }: StatEntry): number =>
  Bun.hash.crc32(JSON.stringify([path, statKey, hash, skip, script]));
