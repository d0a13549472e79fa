/**
 * Lists the content of the data folder with sizes, and removes it.
 *
 * Only regular files with names of cra are removed, never folders and never the targets of links. The removal holds the
 * index lock and keeps sessions in use, so the next run can handle everything that a killed run leaves.
 */
import { existsSync, rmSync } from "node:fs";
import { type DataFile, type DataKind, dataFiles } from "../../db/data-folder/data-files.ts";
import type { DataPaths } from "../../db/data-folder/paths.ts";
import { excludeUsers } from "../../db/parse-cache/open-parse-cache.ts";
import { DRAFT_SUFFIX } from "../../db/session/drafts.ts";
import { GIVEN_SUFFIX } from "../../db/session/given-code.ts";
import { heldBy, type IndexLock, takeIndexLock } from "../../db/sqlite/lock.ts";
import { Failed } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import { type Environment, lockHolder } from "../workspace/environment.ts";

/** One kind of stored data; `files` is 1, or the number of sessions. */
export type Stored = { readonly name: string; readonly bytes: number; readonly files: number };

/** What can be removed, by the option of `cra clean`. */
export type FreedBy = "index" | "cache" | "vectors" | "set-aside" | "log" | "sessions";

/** `freedBy` is null where no option of `cra clean` removes the files. */
export type DiskUse = {
  readonly name: string;
  readonly freedBy: FreedBy | null;
  readonly files: readonly DataFile[];
  readonly bytes: number;
};

const USES: readonly (readonly [name: string, freedBy: FreedBy | null, kinds: readonly DataKind[]])[] = [
  ["index", "index", ["index"]],
  ["log", "log", ["log"]],
  ["parse cache", "cache", ["parse cache"]],
  ["vectors", "vectors", ["vectors"]],
  ["memory", null, ["memory"]],
  ["sessions", "sessions", ["session"]],
  ["set aside", "set-aside", ["set aside", "leftover"]],
  ["locks", null, ["lock", "claim", "ignore file"]],
  ["not cra's", null, ["foreign"]],
];

/** Everything in the folder. A claim without a holder was left behind. */
export function diskUses(paths: DataPaths): readonly DiskUse[] {
  const files = dataFiles(paths).map(
    (file): DataFile => (file.kind === "claim" && heldBy(file.path) === null ? { ...file, kind: "leftover" } : file),
  );
  return USES.flatMap(([name, freedBy, kinds]) => {
    const own = files.filter(({ kind }) => kinds.includes(kind));
    return own.length === 0 ? [] : [{ name, freedBy, files: own, bytes: bytesOf(own) }];
  });
}

/** The part of it that answers come from. */
export function storedIn(paths: DataPaths): readonly Stored[] {
  return diskUses(paths).flatMap(({ name, files, bytes }) =>
    ANSWERING.has(name) ? [{ name, bytes, files: name === "sessions" ? tasksOf(files) : 1 }] : [],
  );
}

const ANSWERING: ReadonlySet<string> = new Set(["index", "log", "parse cache", "vectors", "memory", "sessions"]);

const tasksOf = (files: readonly DataFile[]): number =>
  new Set(
    files.filter(({ path }) => !path.endsWith(DRAFT_SUFFIX) && !path.endsWith(GIVEN_SUFFIX)).map(({ task }) => task),
  ).size;

export const bytesOf = (files: readonly DataFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** What was removed, and the tasks whose sessions are in use and stay. */
export type Cleaned = {
  readonly removed: readonly DiskUse[];
  readonly bytes: number;
  readonly inUse: readonly string[];
};

/** What `clean` would remove. */
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

/** Removes the given kinds of data. Throws `locked` while another cra is indexing, and `io` if a file cannot be removed. */
export async function clean(paths: DataPaths, named: ReadonlySet<FreedBy>, environment: Environment): Promise<Cleaned> {
  // Without a folder there is no index to lock.
  const lock = existsSync(paths.folder) ? await takeIndexLock(paths.lock, lockHolder(environment), 0) : null;
  const caches = named.has("cache") ? [...new Set([paths.parseCache, paths.ownParseCache])] : [];
  const locks: IndexLock[] = lock === null ? [] : [lock];
  try {
    // Other work trees may be using the cache.
    for (const cache of caches.filter((path) => existsSync(path))) locks.push(excludeUsers(cache, 0));
    const cleaned = cleanable(paths, named);
    for (const { path } of cleaned.removed.flatMap(({ files }) => files.toSorted(inSafeOrder))) remove(path);
    return cleaned;
  } finally {
    for (const { release } of locks.reverse()) release();
  }
}

/** Checksums before databases before journals, so that an interruption leaves a harmless state. */
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
