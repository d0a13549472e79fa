/**
 * Lists and reads untrusted files below a folder for escalation: a run's artifacts, or some folders of a repository.
 *
 * No symbolic link is followed, not even on the way to a named folder; no `.git`, `.cra` or nested repository is entered; pipes, sockets and
 * devices are not opened. Only the file that was listed is read, and only below the folder: another one in its place has another inode and is
 * refused before a byte is read. The result does not depend on the order of directory entries.
 */
import { closeSync, lstatSync, readdirSync, readSync, type Stats } from "node:fs";
import { join, sep } from "node:path";
import { nextTurn } from "../../concurrency/next-turn.ts";
import type { Variables } from "../../config/variables.ts";
import { inOrder } from "../../text/order.ts";
import { within } from "../../text/repo-path.ts";
import { errorCode } from "../../text/system-errors.ts";
import { idOf, inFolder, openFileInside } from "../files/open-inside.ts";
import { errorText, isRepositoryPath } from "../files/read-file.ts";
import { readExcludes } from "./excludes.ts";
import { type IgnoreRules, ignoreRules, rulesInside } from "./ignore.ts";
import { type MatchBudget, matchBudget } from "./match-budget.ts";
import { isNeverEntered } from "./tree.ts";

/** A regular file. `path` is relative to the listed folder, `/` separated; `id` is its device and inode. */
export type ListedFile = {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly id: string;
};

/** `problems` could not be listed. `isCut`: the listing stopped at its limit. */
export type FileListing = {
  readonly files: readonly ListedFile[];
  readonly problems: readonly { readonly path: string; readonly why: string }[];
  readonly isCut: boolean;
};

export type ListOptions = {
  /** Folders or files to list, relative to the root; "" is the root. A missing one is a problem. */
  readonly under: readonly string[];
  /** Applies ignore rules below the named folders, but not to these themselves. `patterns` act as a `.craignore` above the root's. */
  readonly ignore: { readonly patterns: readonly string[]; readonly variables: Variables } | null;
  /** Absolute real paths of folders to skip. */
  readonly without: readonly string[];
  isWanted(path: string, sizeBytes: number): boolean;
  readonly signal: AbortSignal;
};

/** The first bytes of a file and, if it is longer and both ends were requested, the last ones. */
export type PartialRead =
  | { readonly kind: "bytes"; readonly head: Uint8Array; readonly tail: Uint8Array | null; readonly isWhole: boolean }
  | { readonly kind: "problem"; readonly why: string };

/** Which part of a file above `bytesMax` bytes to read. "ends" reads half of the limit from each end. */
export type Part = { readonly bytesMax: number; readonly of: "head" | "ends" };

/** The problem of a missing folder. */
export const ABSENT = "it does not exist";

/** The listing stops after this many entries. */
const ENTRIES_MAX = 200_000;
const DEPTH_MAX = 64;
/** Entries between two turns of the event loop. */
const ENTRIES_PER_TURN = 2_000;
const BUFFER_BYTES_MIN = 64 * 1024;

type Folder = { readonly path: string; readonly depth: number; readonly rules: IgnoreRules | null };

/** Every wanted file below `under`, sorted and distinct. `root` must be a real path. Throws only the signal's reason. */
export async function listFiles(root: string, options: ListOptions): Promise<FileListing> {
  const { under, ignore, without, isWanted, signal } = options;
  const files = new Map<string, ListedFile>();
  const problems: { path: string; why: string }[] = [];
  const budget = matchBudget();
  const top = ignore === null ? null : ignoreRules(readExcludes(root, ignore.variables), ignore.patterns, budget);
  let entries = 0;
  const look = (path: string, stat: Stats): void => {
    if (isWanted(path, stat.size)) files.set(path, listedFile(path, stat));
  };
  for (const start of under) {
    if (without.includes(join(root, start))) continue;
    const found = startOf(root, start, top, budget);
    if ("why" in found) problems.push({ path: start, why: found.why });
    else if (found.stat.isFile()) look(start, found.stat);
    const folders: Folder[] =
      "stat" in found && found.stat.isDirectory() ? [{ path: start, depth: 0, rules: found.rules }] : [];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const names = namesIn(root, folder.path, problems);
      // Files of another repository are not evidence about this one.
      if (ignore !== null && folder.path !== "" && names.some((name) => name.toLowerCase() === ".git")) {
        problems.push({ path: folder.path, why: "it is a separate repository" });
        continue;
      }
      const rules = entered(root, folder, names, budget);
      for (const name of names) {
        if (++entries > ENTRIES_MAX) return listing(files, problems, true);
        if (entries % ENTRIES_PER_TURN === 0 || budget.isTurnDue()) await nextTurn();
        signal.throwIfAborted();
        const path = within(folder.path, name);
        const stat = statOf(root, path, problems);
        if (stat === null || (!stat.isFile() && !stat.isDirectory())) continue;
        if (rules?.decide(path, stat.isDirectory()).verdict === "ignored") continue;
        if (stat.isFile()) look(path, stat);
        else if (isNeverEntered(name) || without.includes(join(root, path))) continue;
        else if (folder.depth >= DEPTH_MAX) problems.push({ path, why: `it is more than ${DEPTH_MAX} folders deep` });
        else folders.push({ path, depth: folder.depth + 1, rules });
      }
    }
  }
  problems.push(...budget.problems());
  return listing(files, problems, false);
}

/** Reads files that were listed below `root`. The returned bytes are overwritten by the next read. */
export function listedFileReader(root: string): (file: ListedFile, part: Part) => PartialRead {
  let buffer = new Uint8Array(0);
  return (file, { bytesMax, of }) => {
    let descriptor: number | null = null;
    try {
      if (!isRepositoryPath(file.path)) return problem("not a path inside the folder");
      const opened = openFileInside(root, file.path);
      const { stat } = opened;
      descriptor = opened.descriptor;
      if (idOf(stat) !== file.id) return problem("it is no longer the same file");
      const isWhole = stat.size <= bytesMax;
      const needed = Math.min(stat.size, bytesMax);
      if (buffer.length < needed) buffer = new Uint8Array(Math.max(needed, BUFFER_BYTES_MIN));
      const headBytes = isWhole ? stat.size : of === "head" ? bytesMax : Math.floor(bytesMax / 2);
      const headEnd = fill(descriptor, buffer.subarray(0, headBytes), 0);
      if (isWhole || of === "head") return { kind: "bytes", head: buffer.subarray(0, headEnd), tail: null, isWhole };
      const tail = buffer.subarray(headEnd, headEnd + headBytes);
      const length = fill(descriptor, tail, stat.size - tail.length);
      return { kind: "bytes", head: buffer.subarray(0, headEnd), tail: tail.subarray(0, length), isWhole };
    } catch (error) {
      return problem(errorText(error));
    } finally {
      if (descriptor !== null) closeSync(descriptor);
    }
  };
}

/** Reads from `position` until the buffer is full or the file ends; returns the number of bytes. */
function fill(descriptor: number, part: Uint8Array, position: number): number {
  let length = 0;
  while (length < part.length) {
    const count = readSync(descriptor, part, length, part.length - length, position + length);
    if (count === 0) break;
    length += count;
  }
  return length;
}

/** The entry where a listing starts, with the rules above it; no folder on the way may be a link. */
function startOf(
  root: string,
  path: string,
  top: IgnoreRules | null,
  budget: MatchBudget,
): { readonly stat: Stats; readonly rules: IgnoreRules | null } | { readonly why: string } {
  if (path !== "" && !isRepositoryPath(path)) return { why: "it is not a path inside the repository" };
  try {
    let at = "";
    let rules = top;
    for (const name of path === "" ? [] : path.split("/")) {
      rules = entered(
        root,
        { path: at, depth: 0, rules },
        at === "" && rules === null ? [] : inFolder(root, at, (place) => readdirSync(place)),
        budget,
      );
      at = within(at, name);
      if (isNeverEntered(name)) return { why: "it is never entered" };
      if (lstatSync(join(root, at)).isSymbolicLink())
        return { why: "it is a symbolic link, which cra does not follow" };
    }
    const stat = lstatSync(join(root, at));
    return stat.isFile() || stat.isDirectory() ? { stat, rules } : { why: "it is neither a file nor a folder" };
  } catch (error) {
    return { why: errorCode(error) === "ENOENT" ? ABSENT : errorText(error) };
  }
}

const entered = (
  root: string,
  { path, rules }: Folder,
  names: readonly string[],
  budget: MatchBudget,
): IgnoreRules | null => (rules === null ? null : rulesInside(root, path, names, rules, budget));

function namesIn(root: string, path: string, problems: { path: string; why: string }[]): readonly string[] {
  try {
    return [...new Set(inFolder(root, path, (place) => readdirSync(place)))].sort();
  } catch (error) {
    problems.push({ path: path === "" ? "." : path, why: errorText(error) });
    return [];
  }
}

function statOf(root: string, path: string, problems: { path: string; why: string }[]): Stats | null {
  try {
    return lstatSync(`${root}${sep}${path}`);
  } catch (error) {
    // A name that is not UTF-8 contains U+FFFD here, and no file has that name.
    problems.push({ path, why: path.includes("\u{fffd}") ? "its name is not UTF-8" : errorText(error) });
    return null;
  }
}

const listing = (
  files: ReadonlyMap<string, ListedFile>,
  problems: FileListing["problems"],
  isCut: boolean,
): FileListing => ({ files: [...files.values()].sort((a, b) => inOrder(a.path, b.path)), problems, isCut });

const listedFile = (path: string, stat: Stats): ListedFile => ({
  path,
  sizeBytes: stat.size,
  modifiedMs: stat.mtimeMs,
  id: idOf(stat),
});

const problem = (why: string): PartialRead => ({ kind: "problem", why });
