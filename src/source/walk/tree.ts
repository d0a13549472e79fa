/**
 * Lists the files of a repository's work tree.
 *
 * It follows no symbolic link; enters no `.git`, `.cra`, data folder or (unless asked) nested repository; leaves out ignored files; and
 * continues after an unreadable folder. A tracked file counts even if `.gitignore` matches it; `.craignore` leaves out tracked files too.
 * Folders that Python tools fill (virtual environments, caches) act as ignored ones; those with no tracked file are reported.
 * The result depends on the tree alone and is sorted; paths are UTF-8, relative, `/` separated and as git writes them. Everything left out for
 * another reason than being ignored is reported.
 */
import { lstatSync, realpathSync, type Stats } from "node:fs";
import { join, relative, sep } from "node:path";
import { nextTurn } from "../../concurrency/next-turn.ts";
import type { Variables } from "../../config/variables.ts";
import { byPath, inOrder } from "../../text/order.ts";
import { errorText } from "../files/read-file.ts";
import { isGitRepository } from "../git/folders.ts";
import { readExcludes } from "./excludes.ts";
import { listFolder, NOT_UTF8 } from "./folder-names.ts";
import { type IgnoreRules, ignoreRules, rulesInside } from "./ignore.ts";
import type { FolderNames, Listings } from "./listings.ts";
import { matchBudget } from "./match-budget.ts";
import { type TrackedPaths, trackedPaths } from "./tracked-paths.ts";
import {
  digestOf,
  listOf,
  type PackedFiles,
  packFiles,
  type TreeDigest,
  type TreeFile,
  type TreeList,
  unpackFiles,
} from "./tree-digest.ts";

/** Why an entry is left out. "repository": a nested repository; "name": not UTF-8; "vendored": installed or written by a tool. */
type LeftOut = {
  readonly path: string;
  readonly reason: "link" | "special" | "repository" | "name" | "vendored" | "unreadable";
};

/** A folder or file that could not be read. */
type TreeProblem = { readonly path: string; readonly why: string };

export type Tree = {
  /** In path order. */
  readonly files: Iterable<TreeFile>;
  readonly packed: PackedFiles;
  readonly leftOut: readonly LeftOut[];
  readonly problems: readonly TreeProblem[];
  /** When the walk began, in milliseconds since the epoch, if that was before it was asked for. */
  readonly walkedAt?: number;
  /** What is known of folders, for the next walk in a thread, where it has to be stored (`listings.ts`). */
  readonly listings?: Uint8Array;
  /** Of the files, for a change fingerprint. */
  digest(): TreeDigest;
  list(): TreeList;
};

/**
 * `readTracked` returns the paths in git's index, or null when unknown; it is called at most once, and only if something is ignored,
 * installed or a nested repository. `ignore`: configured patterns, which act as a `.craignore` above the root's. `dataDir`: the absolute path of
 * cra's data folder. `variables`: the caller's environment, to find the user's ignore file. `readNested`: enters nested
 * repositories with their own rules; returns the paths that one tracks. `onProgress` receives the number of files so far.
 */
export type WalkOptions = {
  readonly readTracked: () => Promise<readonly string[] | null>;
  readonly ignore?: readonly string[] | undefined;
  readonly dataDir?: string | undefined;
  readonly variables?: Variables | undefined;
  readonly readNested?: ((root: string) => Promise<readonly string[] | null>) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((files: number) => void) | undefined;
  /** What is known of folders from earlier walks, and receives what this one lists. */
  readonly listings?: Listings | undefined;
  /** Receives the files of each folder when it was read. */
  readonly onFiles?: ((files: readonly TreeFile[]) => void) | undefined;
};

/** Entries between two turns of the event loop, a few milliseconds. */
const ENTRIES_PER_TURN = 500;

/** Whether no walk enters a folder of this name. Git tracks no `.GIT` of any case, and where case does not matter each is the same. */
export const isNeverEntered = (name: string): boolean => name === ".cra" || isGitName(name);
const isGitName = (name: string): boolean => name.length === 4 && name.toLowerCase() === ".git";

/** What all folders of a walk share. */
type Walk = {
  readonly root: string;
  readonly options: WalkOptions;
  readonly variables: Variables | null;
  readonly leftOut: LeftOut[];
  readonly problems: TreeProblem[];
  /** What git tracks, read when it is first needed. */
  readonly tracked: () => Promise<TrackedPaths>;
};

/** `root` must be a real path. Throws only the signal's reason. */
export async function walkTree(root: string, options: WalkOptions): Promise<Tree> {
  const { readTracked, ignore = [], variables = null, listings, signal, onProgress, onFiles } = options;
  const own = pathInside(root, options.dataDir);
  const excludes = readExcludes(root, variables);
  let index: TrackedPaths | null = null;
  const tracked = async (): Promise<TrackedPaths> =>
    (index ??= trackedPaths(excludes.foldsCase, (await readTracked()) ?? []));
  // Composed names follow from more than the folder.
  const kept = excludes.composesNames ? undefined : listings;
  let count = 0;
  const leftOut: LeftOut[] = [];
  const problems: TreeProblem[] = [];
  const walk: Walk = { root, options, variables, leftOut, problems, tracked };
  const budget = matchBudget();
  const top = folderAt("", ignoreRules(excludes, ignore, budget), false);
  const folders: Folder[] = [top];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const { path: at } = folder;
    const { names, folderNames } = orNone(() => listFolder(root, at, excludes.composesNames, kept), at, walk);
    const entered = await enter(walk, folder, names);
    if (entered === null) continue;
    const rules = rulesInside(root, at, names, entered.rules, budget);
    const files: TreeFile[] = [];
    for (const name of names) {
      if (++entries % ENTRIES_PER_TURN === 0 || budget.isTurnDue()) {
        onProgress?.(count);
        await nextTurn();
        signal?.throwIfAborted();
      }
      const path = at === "" ? name : `${at}/${name}`;
      const stat = folderNames.has(name) ? null : statOf(path, walk);
      if (stat === undefined) continue;
      const isFolder = stat === null || stat.isDirectory();
      if (isFolder && (isNeverEntered(name) || path === own)) continue;
      if (isGitName(name)) continue;
      const { verdict, by } = rules.decide(path, isFolder);
      if (verdict === "ignored" && by === "cra") continue;
      const ignored = entered.trackedOnly || verdict === "ignored";
      if (isFolder) {
        if (ignored && !(await tracked()).hasFolder(path)) continue;
        const inner = folderAt(path, rules, ignored);
        folder.inner.push(inner);
        folders.push(inner);
      } else if (!ignored || (await tracked()).hasFile(path)) {
        if (stat.isFile()) files.push(treeFile(path, stat));
        else leftOut.push({ path, reason: stat.isSymbolicLink() ? "link" : "special" });
      }
    }
    count += files.length;
    folder.files.push(...files);
    onFiles?.(files);
  }
  onProgress?.(count);
  problems.push(...budget.problems());
  return treeOf(packFiles(filesIn(top, [])), leftOut.toSorted(byPath), problems.toSorted(byPath));
}

type Entered = Pick<Folder, "rules" | "trackedOnly">;

/** The rules for what is in a folder with these names; null for one that is left out, which is reported. */
async function enter(walk: Walk, folder: Folder, names: readonly string[]): Promise<Entered | null> {
  const { root, options, variables, leftOut, tracked } = walk;
  const { path } = folder;
  let { rules, trackedOnly } = folder;
  if (path !== "" && names.some(isGitName) && isNested(root, path, await tracked())) {
    if (options.readNested === undefined) {
      leftOut.push({ path, reason: "repository" });
      return null;
    }
    const inner = join(root, path);
    (await tracked()).add(`${path}/`, (await options.readNested(inner)) ?? []);
    rules = rules.nest(path, readExcludes(inner, variables));
    trackedOnly = false;
  }
  if (trackedOnly || !isInstalled(path, names)) return { rules, trackedOnly };
  if ((await tracked()).hasFolder(path)) return { rules, trackedOnly: true };
  leftOut.push({ path, reason: "vendored" });
  return null;
}

/** A tree keeps nothing else of the walk. */
const treeOf = (packed: PackedFiles, leftOut: Tree["leftOut"], problems: Tree["problems"]): Tree => ({
  files: unpackFiles(packed),
  packed,
  leftOut,
  problems,
  digest: () => digestOf(packed),
  list: () => listOf(packed),
});

/** A folder to list, and what was found in it. `trackedOnly`: it is ignored, and only tracked files in it count. */
type Folder = {
  readonly path: string;
  readonly rules: IgnoreRules;
  readonly trackedOnly: boolean;
  readonly files: TreeFile[];
  readonly inner: Folder[];
};

const folderAt = (path: string, rules: IgnoreRules, trackedOnly: boolean): Folder => ({
  path,
  rules,
  trackedOnly,
  files: [],
  inner: [],
});

/** Appends all files of a folder in order of path, which takes a fraction of the time of sorting them. */
function filesIn({ files, inner }: Folder, found: TreeFile[]): TreeFile[] {
  // What is in a folder `a` comes after the file `a-b`, and before the file `a0`.
  const folders = inner.map((folder) => ({ folder, before: `${folder.path}/` }));
  let next = 0;
  for (const { folder, before } of folders.sort((a, b) => inOrder(a.before, b.before))) {
    for (let file = files[next]; file !== undefined && file.path < before; file = files[next]) {
      found.push(file);
      next += 1;
    }
    filesIn(folder, found);
  }
  for (let file = files[next]; file !== undefined; file = files[next]) {
    found.push(file);
    next += 1;
  }
  return found;
}

/** Whether a tool wrote the folder: a virtual environment (of any name), installed packages, caches, or metadata of a build. */
const isInstalled = (path: string, names: readonly string[]): boolean =>
  path !== "" &&
  (names.includes("pyvenv.cfg") ||
    /(^|\/)(site-packages|__pycache__|[^/]+\.egg-info)$/.test(path) ||
    // Copied into an image or an archive, an environment can lack its marker.
    (path === "venv" && !names.includes("__init__.py")));

const treeFile = (path: string, { size, mtimeMs, ctimeMs, ino, dev }: Stats): TreeFile => ({
  path,
  sizeBytes: size,
  modifiedMs: mtimeMs,
  changedMs: ctimeMs,
  inode: ino,
  device: dev,
});

/** The path of a folder relative to the root; null when it does not exist. */
function pathInside(root: string, folder: string | undefined): string | null {
  try {
    return folder === undefined ? null : relative(root, realpathSync(folder)).replaceAll(sep, "/");
  } catch {
    return null; // The walk cannot reach it either.
  }
}

/** Whether a folder is a nested repository. One in which the outer repository tracks files is part of the outer one. */
const isNested = (root: string, path: string, index: TrackedPaths): boolean =>
  !index.hasFolder(path) && isGitRepository(join(root, path));

function orNone(list: () => FolderNames, path: string, { problems, leftOut }: Walk): FolderNames {
  try {
    return list();
  } catch (error) {
    problems.push({ path: path === "" ? "." : path, why: errorText(error) });
    if (path !== "") leftOut.push({ path, reason: "unreadable" });
    return { names: [], folderNames: new Set() };
  }
}

function statOf(path: string, { root, problems, leftOut }: Walk): Stats | undefined {
  try {
    return lstatSync(`${root}${sep}${path}`);
  } catch (error) {
    if (path.includes(NOT_UTF8)) leftOut.push({ path, reason: "name" });
    else {
      problems.push({ path, why: errorText(error) });
      leftOut.push({ path, reason: "unreadable" });
    }
    return undefined;
  }
}
