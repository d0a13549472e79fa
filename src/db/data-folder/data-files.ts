/**
 * Lists the entries of a data folder and classifies each by name, without opening it.
 *
 * Everything that does not match a name here is foreign, and so is anything but a regular file.
 */
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failed } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import { hasOtherName, isKeptIndex } from "../curated/kept-index.ts";
import { cacheLockOf } from "../parse-cache/open-parse-cache.ts";
import { CLAIM } from "../session/claims.ts";
import { DRAFT_SUFFIX } from "../session/drafts.ts";
import { GIVEN_SUFFIX } from "../session/given-code.ts";
import { isTaskId } from "../session/session.ts";
import { CHECKSUM_SUFFIX } from "../sqlite/checksum.ts";
import { holderPath } from "../sqlite/lock.ts";
import type { DataPaths } from "./paths.ts";

/**
 * "session": a task's database, with its companions and draft, or what an agent's session was given. "claim": a lock on a round of a
 * session, in use or left behind.
 * "set aside": a damaged file that was moved aside. "leftover": left behind by a killed run.
 */
export type DataKind =
  | "index"
  | "log"
  | "parse cache"
  | "memory"
  | "vectors"
  | "session"
  | "lock"
  | "claim"
  | "set aside"
  | "leftover"
  | "ignore file"
  | "foreign";

/** `bytes` is 0 for anything but a regular file, and for a second name of one. `task` is the task id of a session or claim. */
export type DataFile = {
  readonly path: string;
  readonly kind: DataKind;
  readonly bytes: number;
  readonly task: string | null;
};

/** Files beside a database: SQLite's own and the checksum. */
const COMPANION = new RegExp(`^(.+)(?:-wal|-shm|-journal|${CHECKSUM_SUFFIX.replace(".", "\\.")})$`);
const SET_ASIDE = /^(.+)\.bad-\d+(?:-wal|-shm|-journal)?$/;
/** What lies beside the databases of sessions. */
const BESIDE = new RegExp(`^([^.]+)(?:${[DRAFT_SUFFIX, GIVEN_SUFFIX].join("|").replaceAll(".", "\\.")})$`);
/** A temporary file that was to be renamed. */
const HALF_WRITTEN = /^\..+\.[0-9a-f]{12}\.tmp$/;

/** All entries of the folder, of its sessions, and of the folder of the parse cache, by path. Throws `io` when one cannot be listed. */
export function dataFiles(paths: DataPaths): readonly DataFile[] {
  const single = new Map<string, DataKind>([
    [paths.curated, "index"],
    [paths.raw, "log"],
    [paths.parseCache, "parse cache"],
    [paths.ownParseCache, "parse cache"],
    [paths.statCache, "parse cache"],
    [cacheLockOf(paths.parseCache), "lock"],
    [cacheLockOf(paths.ownParseCache), "lock"],
    [paths.memory, "memory"],
    [paths.vectors, "vectors"],
    [paths.lock, "lock"],
    [paths.enriching, "lock"],
  ]);
  const holders = new Set([paths.lock, paths.enriching].map(holderPath));
  const top = entriesOf(paths.folder).filter(({ name }) => join(paths.folder, name) !== paths.sessions);
  const isKept = (path: string): boolean => dirname(path) === paths.cacheFolder && isKeptIndex(basename(path));
  const kindOf = (path: string): DataKind | null => single.get(path) ?? (isKept(path) ? "index" : null);
  const isSession = (path: string): DataKind | null => (taskOf(path) === null ? null : "session");
  const files = [
    ...named(paths.folder, top, kindOf).map((file) =>
      holders.has(file.path) && file.kind === "foreign" ? { ...file, kind: "lock" as const } : file,
    ),
    ...(paths.cacheFolder === paths.folder ? [] : named(paths.cacheFolder, entriesOf(paths.cacheFolder), kindOf)),
    ...(isFolder(paths.sessions) ? named(paths.sessions, entriesOf(paths.sessions), isSession) : []),
    ...(exists(paths.sessions) && !isFolder(paths.sessions) ? [foreign(paths.sessions)] : []),
  ];
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function named(
  folder: string,
  entries: readonly Dirent[],
  databaseAt: (path: string) => DataKind | null,
): readonly DataFile[] {
  const there = new Set(entries.map(({ name }) => name));
  return entries.map((entry): DataFile => {
    const path = join(folder, entry.name);
    if (!entry.isFile()) return foreign(path);
    const ownerOf = (pattern: RegExp): string | null => {
      const name = pattern.exec(entry.name)?.[1];
      return name !== undefined && databaseAt(join(folder, name)) !== null ? name : null;
    };
    const file = (kind: DataKind, owner = entry.name): DataFile => ({
      path,
      kind,
      bytes:
        isKeptIndex(entry.name) && hasOtherName(path) ? 0 : (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0),
      task: taskOf(owner),
    });
    const own = databaseAt(path);
    if (own !== null) return file(own);
    const setAside = ownerOf(SET_ASIDE);
    if (setAside !== null) return file("set aside", setAside);
    const claimed = ownerOf(CLAIM);
    if (claimed !== null) return file("claim", claimed);
    const beside = `${BESIDE.exec(entry.name)?.[1]}.sqlite`;
    if (databaseAt(join(folder, beside)) === "session") return file("session", beside);
    const owner = ownerOf(COMPANION);
    if (owner !== null)
      return file(there.has(owner) ? (databaseAt(join(folder, owner)) ?? "leftover") : "leftover", owner);
    if (HALF_WRITTEN.test(entry.name)) return file("leftover");
    return file(entry.name === ".gitignore" ? "ignore file" : "foreign");
  });
}

const foreign = (path: string): DataFile => ({ path, kind: "foreign", bytes: 0, task: null });

/** The task id in a session's file name; null for other files. */
function taskOf(path: string): string | null {
  const id = /^([^.]+)\.sqlite$/.exec(basename(path))?.[1] ?? "";
  return isTaskId(id) ? id : null;
}

function entriesOf(folder: string): readonly Dirent[] {
  if (!isFolder(folder)) return [];
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const message = `the folder cannot be listed: ${systemErrorWords(error)}`;
    const next = "check its permissions, or choose another folder with --data-dir";
    throw new Failed({ code: "io", message, where: folder, next }, { cause: error });
  }
}
const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
