/**
 * Checks the data folder as a whole: it belongs to the user, is hidden from git, and holds only useful files. Changes nothing.
 */
import { existsSync, lstatSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { shellWord } from "../../text/shell-word.ts";
import type { CacheFolder } from "../data-folder/cache-folder.ts";
import { CRA_FOLDER, type DataDir } from "../data-folder/data-dir.ts";
import { type DataFile, dataFiles } from "../data-folder/data-files.ts";
import type { DataPaths } from "../data-folder/paths.ts";
import { tracksFolder } from "../data-folder/tracked.ts";
import { heldBy } from "../sqlite/lock.ts";
import { readSmallFile } from "../sqlite/small-file.ts";
import { type Diagnostic, REPAIR } from "./diagnostic.ts";

/** `root` is the repository root; `uid` is the user's, null on systems without user ids. */
export type FolderFacts = {
  readonly root: string;
  readonly dir: DataDir;
  readonly cacheFolder: CacheFolder;
  readonly paths: DataPaths;
  readonly uid: number | null;
};

/** All diagnostics of the folder and its entries. */
export function checkFolder(facts: FolderFacts): readonly Diagnostic[] {
  const { dir, paths, cacheFolder, uid } = facts;
  const ignored = [
    ...(dir.notice?.code === "data-dir-ignored" ? [unusedFolder(facts, dir.notice.path, dir.notice.why)] : []),
    ...(cacheFolder.kind === "refused" ? [unsharedCache(cacheFolder)] : []),
  ];
  const folders = [...new Set([paths.folder, paths.cacheFolder])].filter((folder) => existsSync(folder));
  if (!folders.includes(paths.folder)) return ignored;
  return [
    ...ignored,
    ...folders.flatMap((folder) => owner(folder, dataFiles(paths), uid)),
    ...(dir.inRepository ? hiding(facts) : []),
    ...lock(paths.lock, "index-run", "an index run is in progress"),
    ...lock(paths.enriching, "enrichment", "a model is being asked about files"),
    ...dataFiles(paths).flatMap((file) => entry(file, paths)),
  ];
}

/** An existing `.cra` that cra does not use. */
function unusedFolder({ root }: FolderFacts, where: string, why: string): Diagnostic {
  const isFolder = lstatSync(where, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const mend = !isFolder
    ? `rm ${shellWord(where)}`
    : tracksFolder(root, CRA_FOLDER)
      ? `git -C ${shellWord(root)} rm -r -q ${CRA_FOLDER}`
      : null;
  return { severity: "warning", code: "folder-unused", where, what: `it is not used: ${why}`, mend };
}

const unsharedCache = ({ path: where, why }: Extract<CacheFolder, { kind: "refused" }>): Diagnostic => ({
  severity: "note",
  code: "cache-unshared",
  where,
  what: `work trees do not share their parse cache there: ${why}`,
  mend: null,
});

function owner(where: string, files: readonly DataFile[], uid: number | null): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const stat = lstatSync(where);
  if ((stat.mode & 0o002) !== 0 && uid !== null) {
    const mend = `chmod o-w ${shellWord(where)}`;
    found.push({ severity: "warning", code: "folder-open", where, what: "every user can write to it", mend });
  }
  // Root can write everywhere.
  if (uid === null || uid === 0) return found;
  const inside = files.map(({ path }) => path).filter((path) => path.startsWith(where + sep));
  const others = [where, ...inside].filter((path) => (lstatSync(path, { throwIfNoEntry: false })?.uid ?? uid) !== uid);
  if (others.length > 0) {
    const what = `it belongs to another user${others.length === 1 ? "" : `, with ${others.length - 1} entries in it`}`;
    const mend = `sudo chown -R ${uid} ${shellWord(where)}`;
    found.push({ severity: "warning", code: "folder-owner", where: others[0] ?? where, what, mend });
  }
  return found;
}

/** cra writes a file of two bytes. */
const GITIGNORE_BYTES_MAX = 64 * 1024;

/** A folder visible to git gets committed, and cra does not trust a committed one. */
function hiding({ root, paths }: FolderFacts): readonly Diagnostic[] {
  const inside = relative(root, paths.folder);
  const warning = (code: string, where: string, what: string, mend: string): Diagnostic => ({
    severity: "warning",
    code,
    where,
    what,
    mend,
  });
  if (inside !== "" && tracksFolder(root, inside)) {
    const mend = `git -C ${shellWord(root)} rm -r -q --cached ${shellWord(inside)}`;
    return [warning("folder-tracked", paths.folder, "git tracks files in it", mend)];
  }
  const where = join(paths.folder, ".gitignore");
  const stat = lstatSync(where, { throwIfNoEntry: false });
  if (stat === undefined)
    return [warning("folder-seen", where, "it is missing, so git shows the folder", REPAIR.index)];
  const text = readSmallFile(where, GITIGNORE_BYTES_MAX) ?? "";
  const hides = /^\*\s*$/m.test(text) && !/^!/m.test(text);
  const mend = `echo "*" > ${shellWord(where)}`;
  return hides ? [] : [warning("folder-seen", where, "it does not hide the whole folder from git", mend)];
}

function lock(where: string, code: string, what: string): readonly Diagnostic[] {
  const stat = lstatSync(where, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile()) {
    const mend = `rm -r ${shellWord(where)}`;
    return [{ severity: "error", code: "lock-unusable", where, what: "it is not a regular file", mend }];
  }
  const holder = heldBy(where);
  if (holder === null) return [];
  return [{ severity: "note", code, where, what: `${what}: ${holder}`, mend: null }];
}

function entry({ path: where, kind }: DataFile, paths: DataPaths): readonly Diagnostic[] {
  const note = (code: string, what: string, mend: string | null): readonly Diagnostic[] => [
    { severity: "note", code, where, what, mend },
  ];
  switch (kind) {
    case "set aside":
      return note("set-aside", "a damaged file that cra moved aside", REPAIR.leftovers);
    case "leftover":
      return note("leftover", "left behind by a run that was killed", REPAIR.leftovers);
    case "claim":
      return heldBy(where) === null ? note("leftover", "left behind by a run that was killed", REPAIR.leftovers) : [];
    case "foreign": {
      const isDatabase = [
        paths.curated,
        paths.raw,
        paths.parseCache,
        paths.ownParseCache,
        paths.statCache,
        paths.memory,
        paths.vectors,
        paths.lock,
        paths.enriching,
      ].includes(where);
      // The check of the database itself reports this.
      if (isDatabase) return [];
      const what =
        [paths.folder, paths.cacheFolder].includes(dirname(where)) || where === paths.sessions
          ? "cra did not create it"
          : "it is not a session";
      return note("foreign", `${what} and leaves it alone`, null);
    }
    default:
      return [];
  }
}
