/**
 * Opens the parse cache, which several processes use at once, and replaces a file that is of no use.
 *
 * Whoever uses the file shares a lock; whoever removes it holds that lock alone, because SQLite cannot know that its file is gone.
 */
import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { Failed } from "../../failure.ts";
import type { Db } from "../sqlite/db.ts";
import { type IndexLock, tryToKeep, tryToShare } from "../sqlite/lock.ts";
import { openDatabase, openUntouched } from "../sqlite/open.ts";
import { isWritable } from "../sqlite/writable.ts";
import { type WorkTreeUse, workTreeUses } from "./last-used.ts";
import { type FactCache, factCache, type ParseCache } from "./parse-cache.ts";
import { PARSE_CACHE_SCHEMA } from "./schema.ts";
import { isUseless, openStatCache, removeDatabase } from "./stat-cache.ts";

/** `ownParseCache` is used instead of a shared one that a newer cra wrote; without sharing both are the same. */
export type CachePaths = { readonly parseCache: string; readonly ownParseCache: string; readonly statCache: string };

/** How long a process waits for others that are using, or removing, the file. */
const WAIT_MS = 5_000;
const RETRY_MS = 50;

/** The lock on the use of a parse cache. */
export const cacheLockOf = (path: string): string => `${path.replace(/\.sqlite$/, "")}-lock.sqlite`;

/** Opens the cache of a work tree. `day` is today, in days since 1970. */
export function openParseCache(paths: CachePaths, extractorVersion: string, day: number): ParseCache {
  const facts = openFactCache(paths, extractorVersion, day);
  try {
    const stats = openStatCache(paths.statCache, extractorVersion);
    const close = (): void => {
      stats.close();
      facts.close();
    };
    const use: ParseCache["use"] = (tree, keys) => {
      facts.use(tree, keys);
      stats.setUsedOn(day);
    };
    return { ...facts, ...stats, use, isUsedToday: () => stats.usedOn() === day, closeStats: stats.close, close };
  } catch (error) {
    facts.close();
    throw error;
  }
}

/** Opens the part of it that work trees share. */
export function openFactCache(paths: CachePaths, extractorVersion: string, day: number): FactCache & { close(): void } {
  const { db, close } = openShared(paths);
  return { ...factCache(db, extractorVersion, day), close };
}

/** Pages in memory, in KiB: the index of keys of 100,000 contents. */
const SNAPSHOT_KIB = 8 * 1024;

/**
 * The same as of now, for a thread that reads many facts: in one transaction no fact takes a lock, and pages that were read stay valid.
 * Others can write meanwhile; SQLite's log of what they write grows until the snapshot is closed.
 */
export function openFactSnapshot(paths: CachePaths, extractorVersion: string): FactCache & { close(): void } {
  const { db, close } = openShared(paths);
  db.script(`pragma cache_size = -${SNAPSHOT_KIB}; begin`);
  return { ...factCache(db, extractorVersion, NO_DAY), close };
}

/** Whoever only reads marks nothing as used. */
const NO_DAY = 0;

type Shared = { readonly db: Db; close(): void };

function openInMemory(): Shared {
  const db = openDatabase(":memory:", "write", PARSE_CACHE_SCHEMA);
  return { db, close: () => db.close() };
}

/** Opens the file itself; `db.path` says which. In a folder that may not be written the cache is empty, and kept nowhere. */
export function openShared(paths: Pick<CachePaths, "parseCache" | "ownParseCache">): Shared {
  const { parseCache: path, ownParseCache: own } = paths;
  if (!isWritable(dirname(path))) return openInMemory();
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      return openOnce(path);
    } catch (error) {
      if (!isUseless(error)) throw error;
      // Other work trees may be in the hands of that newer cra.
      if (isNewer(error) && own !== path) return openShared({ parseCache: own, ownParseCache: own });
      if (waitedMs > WAIT_MS) throw inUse(path);
      replaceUseless(path);
    }
  }
}

/** Removes the file unless others use it, or have replaced it meanwhile. */
function replaceUseless(path: string): void {
  const lock = tryToKeep(cacheLockOf(path), RETRY_MS);
  if (lock === null) return;
  try {
    openDatabase(path, "write", PARSE_CACHE_SCHEMA).close();
  } catch (error) {
    if (!isUseless(error)) throw error;
    removeDatabase(path);
  } finally {
    lock.release();
  }
}

const isNewer = (error: unknown): boolean => error instanceof Failed && error.failure.code === "index-newer";

function openOnce(path: string): Shared {
  const lock = tryToShare(cacheLockOf(path), WAIT_MS);
  if (lock === null) throw inUse(path);
  try {
    const db = openDatabase(path, "write", PARSE_CACHE_SCHEMA);
    const close = (): void => {
      db.close();
      lock.release();
    };
    return { db, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Removes the file at `path` if it is one of the caches. Throws `locked` while others use it. */
export function removeIfCache({ parseCache, ownParseCache, statCache }: CachePaths, path: string): boolean {
  if (path === statCache) removeDatabase(path);
  else if (path === parseCache || path === ownParseCache) {
    const lock = excludeUsers(path, WAIT_MS);
    try {
      removeDatabase(path);
    } finally {
      lock.release();
    }
  } else return false;
  return true;
}

/** Keeps all others from using the cache until the lock is released. Throws `locked` while others use it. */
export function excludeUsers(path: string, waitMs: number): IndexLock {
  const lock = tryToKeep(cacheLockOf(path), waitMs);
  if (lock === null) throw inUse(path);
  return lock;
}

const inUse = (path: string): Failed => new Failed({ code: "locked", holder: path, doing: "is using the parse cache" });

/** The work trees that use the cache at `path`; none when it cannot be read. Changes nothing. */
export function cacheUsers(path: string): readonly WorkTreeUse[] {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [];
  try {
    const { db, version } = openUntouched(path, PARSE_CACHE_SCHEMA);
    try {
      return version === PARSE_CACHE_SCHEMA.migrations.length ? workTreeUses(db) : [];
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof Failed) return [];
    throw error;
  }
}
