/**
 * Lists and reads files that are evidence of a failure: those of a run's folder, or of some folders of a repository.
 *
 * Both are hostile. No symbolic link is followed, not even on the way to a folder that is named; no `.git`, no `.cra` and
 * no nested repository is entered; pipes, sockets and devices are not opened. What is read is the very file that was
 * listed: another one in its place has another number and is refused once it is open, before a byte is read. Opening is
 * for reading only and never waits.
 *
 * The result depends on the files alone, not on the order in which the system names them.
 * Not here: what is worth reading (`isWanted` is handed in), and what is done with it.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, type Stats } from "node:fs";
import { join, sep } from "node:path";
import { inOrder } from "../../text/order.ts";
import { errorText, isRepositoryPath, readFile } from "../files/read-file.ts";
import type { Environment } from "../git/process.ts";
import { readExcludes } from "./excludes.ts";
import { type IgnoreRules, ignoreRules } from "./ignore.ts";

/** A regular file. `path` is relative to the folder that was listed, `/` separated; `id` tells it from any other. */
export type EvidenceFile = {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly id: string;
};

/** `problems`: what could not be looked at. `isCut`: there are more files than anybody looks through. */
export type EvidenceListing = {
  readonly files: readonly EvidenceFile[];
  readonly problems: readonly { readonly path: string; readonly why: string }[];
  readonly isCut: boolean;
};

export type ListOptions = {
  /** Folders or files to look in, relative to the root; "" is the root itself. One that is not there is a problem. */
  readonly under: readonly string[];
  /**
   * Leave out what git or cra ignores below the folders that are named, each of which counts although it is ignored
   * itself; `patterns` count as a `.craignore` above the root's own.
   */
  readonly ignore: { readonly patterns: readonly string[]; readonly variables: Environment } | null;
  /** Absolute real paths of folders that are not entered. */
  readonly without: readonly string[];
  isWanted(path: string, sizeBytes: number): boolean;
  readonly signal: AbortSignal;
};

/** Bytes of a file: the first ones, and where that is not all of it, maybe the last ones too. */
export type EvidenceRead =
  | { readonly kind: "bytes"; readonly head: Uint8Array; readonly tail: Uint8Array | null; readonly isWhole: boolean }
  | { readonly kind: "problem"; readonly why: string };

/** Which part of a file of more than `bytesMax` bytes is read. `ends`: half of it from each end. */
export type Part = { readonly bytesMax: number; readonly of: "head" | "ends" };

/** What is said of a folder to look in that is not there. */
export const ABSENT = "it does not exist";

/** After so many entries nothing more is looked at. */
const ENTRIES_MAX = 200_000;
const DEPTH_MAX = 64;
const IGNORE_FILE_BYTES_MAX = 1024 * 1024;
/** After this many entries the event loop gets a turn, so that a signal is heard. */
const ENTRIES_PER_TURN = 2_000;
const BUFFER_BYTES_MIN = 64 * 1024;
const NEVER_ENTERED: ReadonlySet<string> = new Set([".git", ".cra"]);

type Folder = { readonly path: string; readonly depth: number; readonly rules: IgnoreRules | null };

/** Every wanted file below `under`, by path, each once. `root` must be a real path. Throws only the signal's reason. */
export async function listEvidence(root: string, options: ListOptions): Promise<EvidenceListing> {
  const { under, ignore, without, isWanted, signal } = options;
  const files = new Map<string, EvidenceFile>();
  const problems: { path: string; why: string }[] = [];
  const top = rulesOf(root, ignore);
  let entries = 0;
  const look = (path: string, stat: Stats): void => {
    if (stat.isFile() && isWanted(path, stat.size)) files.set(path, evidenceFile(path, stat));
  };
  for (const start of under) {
    if (without.includes(join(root, start))) continue;
    const found = startOf(root, start, top);
    if ("why" in found) problems.push({ path: start, why: found.why });
    else if (found.stat.isFile()) look(start, found.stat);
    const folders: Folder[] =
      "stat" in found && found.stat.isDirectory() ? [{ path: start, depth: 0, rules: found.rules }] : [];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const names = namesIn(root, folder.path, problems);
      // What belongs to another repository is no evidence about this one.
      if (ignore !== null && folder.path !== "" && names.includes(".git")) {
        problems.push({ path: folder.path, why: "it is a repository of its own" });
        continue;
      }
      const rules = entered(root, folder, names);
      for (const name of names) {
        if (++entries > ENTRIES_MAX) return listing(files, problems, true);
        if (entries % ENTRIES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        const path = joined(folder.path, name);
        const stat = statOf(root, path, problems);
        if (stat === null || (!stat.isFile() && !stat.isDirectory())) continue;
        if (rules?.decide(path, stat.isDirectory()).verdict === "ignored") continue;
        if (stat.isFile()) look(path, stat);
        else if (NEVER_ENTERED.has(name) || without.includes(join(root, path))) continue;
        else if (folder.depth >= DEPTH_MAX) problems.push({ path, why: `it lies more than ${DEPTH_MAX} folders deep` });
        else folders.push({ path, depth: folder.depth + 1, rules });
      }
    }
  }
  return listing(files, problems, false);
}

/** Reads files that were listed below `root`. What it gives is overwritten by the next reading. */
export function evidenceReader(root: string): (file: EvidenceFile, part: Part) => EvidenceRead {
  let buffer = new Uint8Array(0);
  return (file, { bytesMax, of }) => {
    let descriptor: number | null = null;
    try {
      if (!isRepositoryPath(file.path)) return problem("not a path inside the folder");
      descriptor = openSync(
        `${root}${sep}${file.path}`,
        constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | (constants.O_NOCTTY ?? 0),
      );
      const stat = fstatSync(descriptor);
      if (!stat.isFile() || idOf(stat) !== file.id) return problem("it is no longer the file that it was");
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

/** Reads from `position` until the part is full or the file ends; how much that was. */
function fill(descriptor: number, part: Uint8Array, position: number): number {
  let length = 0;
  while (length < part.length) {
    const count = readSync(descriptor, part, length, part.length - length, position + length);
    if (count === 0) break;
    length += count;
  }
  return length;
}

/** The entry where looking begins, with the rules in force above it; none of the folders on the way may be a link. */
function startOf(
  root: string,
  path: string,
  top: IgnoreRules | null,
): { readonly stat: Stats; readonly rules: IgnoreRules | null } | { readonly why: string } {
  if (path !== "" && !isRepositoryPath(path)) return { why: "it is not a path inside the repository" };
  try {
    let at = "";
    let rules = top;
    for (const name of path === "" ? [] : path.split("/")) {
      rules = entered(
        root,
        { path: at, depth: 0, rules },
        at === "" && rules === null ? [] : readdirSync(join(root, at)),
      );
      at = joined(at, name);
      if (NEVER_ENTERED.has(name)) return { why: "it is never looked into" };
      if (lstatSync(join(root, at)).isSymbolicLink()) return { why: "it is a symbolic link, which is not followed" };
    }
    const stat = lstatSync(join(root, at));
    return stat.isFile() || stat.isDirectory() ? { stat, rules } : { why: "it is neither a file nor a folder" };
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
    return { why: isAbsent ? ABSENT : errorText(error) };
  }
}

function rulesOf(root: string, ignore: ListOptions["ignore"]): IgnoreRules | null {
  if (ignore === null) return null;
  const cra = ignore.patterns.length === 0 ? null : new TextEncoder().encode(ignore.patterns.join("\n"));
  return ignoreRules(readExcludes(root, ignore.variables)).enter("", { git: null, cra });
}

/** The rules inside a folder: those above it, and its own ignore files. */
function entered(root: string, { path, rules }: Folder, names: readonly string[]): IgnoreRules | null {
  if (rules === null) return null;
  const contentOf = (name: string): Uint8Array | null => {
    if (!names.includes(name)) return null;
    const read = readFile(root, joined(path, name), IGNORE_FILE_BYTES_MAX);
    return read.kind === "bytes" ? read.bytes : null;
  };
  const [git, cra] = [contentOf(".gitignore"), contentOf(".craignore")];
  return git === null && cra === null ? rules : rules.enter(path, { git, cra });
}

function namesIn(root: string, path: string, problems: { path: string; why: string }[]): readonly string[] {
  try {
    return [...new Set(readdirSync(join(root, path)))].sort();
  } catch (error) {
    problems.push({ path: path === "" ? "." : path, why: errorText(error) });
    return [];
  }
}

function statOf(root: string, path: string, problems: { path: string; why: string }[]): Stats | null {
  try {
    return lstatSync(`${root}${sep}${path}`);
  } catch (error) {
    // A name that was not UTF-8 comes with U+FFFD in it, and nothing has that name.
    problems.push({ path, why: path.includes("\u{fffd}") ? "its name is not UTF-8" : errorText(error) });
    return null;
  }
}

const listing = (
  files: ReadonlyMap<string, EvidenceFile>,
  problems: EvidenceListing["problems"],
  isCut: boolean,
): EvidenceListing => ({ files: [...files.values()].sort((a, b) => inOrder(a.path, b.path)), problems, isCut });

const evidenceFile = (path: string, stat: Stats): EvidenceFile => ({
  path,
  sizeBytes: stat.size,
  modifiedMs: stat.mtimeMs,
  id: idOf(stat),
});

const idOf = ({ dev, ino }: Stats): string => `${dev} ${ino}`;
const joined = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);
const problem = (why: string): EvidenceRead => ({ kind: "problem", why });
