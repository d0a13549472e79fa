/**
 * Removes from the data folder what is named, and nothing else.
 *
 * Invariants: only regular files with names that cra gives are removed, never a folder and never what a link leads to;
 * the index lock is held meanwhile; a session that is in use stays. Killed half-way, what is left is what an
 * index run or another cleaning copes with.
 * Not here: what is in the folder (`storage.ts`).
 */
import { rmSync } from "node:fs";
import type { DataFile } from "../db/data-folder/data-files.ts";
import type { DataPaths } from "../db/data-folder/paths.ts";
import { takeIndexLock } from "../db/sqlite/lock.ts";
import { Failed } from "../failure.ts";
import { systemErrorWords } from "../text/system-errors.ts";
import type { Environment } from "./app-types.ts";
import { bytesOf, type DiskUse, diskUses, type FreedBy } from "./storage.ts";

/** What was removed, and the tasks whose sessions are in use and stay. */
export type Cleaned = {
  readonly removed: readonly DiskUse[];
  readonly bytes: number;
  readonly inUse: readonly string[];
};

/** What `named` stands for now, without removing it. */
export function cleanable(paths: DataPaths, named: ReadonlySet<FreedBy>): Cleaned {
  const uses = diskUses(paths);
  const held = new Set(
    uses.flatMap(({ files }) => files.flatMap(({ kind, task }) => (kind === "claim" ? [task] : []))),
  );
  const removed = uses
    .filter(({ freedBy }) => freedBy !== null && named.has(freedBy))
    .map((use): DiskUse => {
      const files = use.files.filter(({ kind, task }) => kind !== "session" || !held.has(task));
      return { ...use, files, bytes: bytesOf(files) };
    })
    .filter(({ files }) => files.length > 0);
  const inUse = named.has("sessions") ? [...held].filter((task) => task !== null).sort() : [];
  return { removed, bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0), inUse };
}

/** Removes it. Throws `locked` when another cra is indexing, and `io` where a file cannot be removed. */
export async function clean(paths: DataPaths, named: ReadonlySet<FreedBy>, by: Environment): Promise<Cleaned> {
  // Without a folder there is nothing to lock.
  if (diskUses(paths).length === 0) return cleanable(paths, named);
  const holder = { pid: by.pid, host: by.host, startedAt: new Date().toISOString() };
  const lock = await takeIndexLock(paths.lock, holder, 0);
  try {
    const cleaned = cleanable(paths, named);
    for (const { path } of cleaned.removed.flatMap(({ files }) => files.toSorted(inSafeOrder))) remove(path);
    return cleaned;
  } finally {
    lock.release();
  }
}

/** A seal goes before its file, which goes before its log: each is harmless without what comes later. */
function inSafeOrder(a: DataFile, b: DataFile): number {
  const rank = ({ path }: DataFile): number => (path.endsWith(".seal") ? 0 : path.endsWith(".sqlite") ? 1 : 2);
  return rank(a) - rank(b) || (a.path < b.path ? -1 : 1);
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    const next = "check the permissions of the folder that it is in";
    throw new Failed({ code: "io", message: systemErrorWords(error), where: path, next }, { cause: error });
  }
}
