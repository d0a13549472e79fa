/**
 * Finds the repository of a folder, and the folders where git keeps its data.
 *
 * A repository need not use git: an indexed folder is one too. Handles submodules and linked work trees, whose `.git` is a file and whose
 * objects are in a common folder. `.git` alone counts: git sets GIT_DIR for hooks, and a repository named there would be another one than
 * the caller names.
 */
import { accessSync, constants, lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { Failed } from "../../failure.ts";
import { errorCode, systemErrorWords } from "../../text/system-errors.ts";
import { readFile } from "../files/read-file.ts";

/** `folder` contains HEAD and the index of this work tree, `commonFolder` the objects, refs and configuration. */
type GitFolders =
  | { readonly kind: "found"; readonly folder: string; readonly commonFolder: string }
  | { readonly kind: "problem"; readonly why: string };

export type FoundFolders = Extract<GitFolders, { kind: "found" }>;

/** "work-tree": the root has a `.git`. "folder": it has an index of cra, or it is the requested folder. "bare": it is a bare repository. */
type Repository = { readonly root: string; readonly kind: "work-tree" | "folder" | "bare" };

const POINTER_BYTES_MAX = 64 * 1024;

/** The problem of a folder without `.git`. */
export const NOT_A_REPOSITORY = "not a git repository";

/**
 * The nearest folder, from `start` upward, that has a `.git` or is a bare repository; otherwise the nearest with a `.cra` owned by
 * the owner of `start` (others could plant one in a shared folder); otherwise `start` itself. Paths are real paths. Throws
 * `no-repository` when `start` does not exist or cannot be entered.
 */
export function findRepository(start: string): Repository {
  const folder = folderAt(start);
  const { uid } = statSync(folder);
  let indexed: string | null = null;
  for (let at = folder; ; at = dirname(at)) {
    if (hasEntry(at, ".git")) return { root: at, kind: "work-tree" };
    if (basename(at) !== ".git" && isGitFolder(at, at)) return { root: at, kind: "bare" };
    const data = entryOf(at, ".cra");
    if (indexed === null && data?.isDirectory() && data.uid === uid) indexed = at;
    if (dirname(at) === at) return { root: indexed ?? folder, kind: "folder" };
  }
}

/** A folder, or the folder of a file, as a real path. */
function folderAt(start: string): string {
  try {
    const real = realpathSync(start);
    const folder = statSync(real).isDirectory() ? real : dirname(real);
    accessSync(folder, constants.X_OK);
    return folder;
  } catch (error) {
    const isDenied = ["EACCES", "EPERM"].includes(errorCode(error) ?? "");
    const why = isDenied ? `it cannot be entered: ${systemErrorWords(error)}` : "there is no such folder";
    throw new Failed({ code: "no-repository", path: start, why }, { cause: error });
  }
}

/** Resolves `root/.git` to git's folders. Never throws. */
export function resolveGitFolders(root: string): GitFolders {
  const entry = join(root, ".git");
  const folder = isFolder(entry)
    ? entry
    : hasEntry(root, ".git")
      ? followPointer(root, ".git", /^gitdir: (.+)$/)
      : null;
  if (folder === null)
    return { kind: "problem", why: hasEntry(root, ".git") ? "its .git cannot be read" : NOT_A_REPOSITORY };
  if (!isFolder(folder)) return { kind: "problem", why: "its .git points to a folder that does not exist" };
  const common = hasEntry(folder, "commondir") ? followPointer(folder, "commondir", /^(.+)$/) : folder;
  if (common === null || !isFolder(common))
    return { kind: "problem", why: "the repository of this linked work tree is missing" };
  return { kind: "found", folder: realpathSync(folder), commonFolder: realpathSync(common) };
}

/**
 * The git folder that the work tree at `root` has in common with the other work trees of its repository. Null where there is none, or
 * where git does not know of this work tree, so that a planted `.git` file cannot name someone else's repository.
 */
export function sharedGitFolder(root: string): string | null {
  const git = resolveGitFolders(root);
  if (git.kind === "problem" || !isGitFolder(git.folder, git.commonFolder)) return null;
  const { folder, commonFolder } = git;
  if (lstatSync(join(root, ".git")).isDirectory()) return folder === commonFolder ? folder : null;
  const isLinked = dirname(folder) === join(commonFolder, "worktrees") && workTreeOf(folder) === realpathSync(root);
  return isLinked ? commonFolder : null;
}

/** The roots of all work trees of a repository that exist, sorted. `common` is the result of `sharedGitFolder`. */
export function workTreesOf(common: string): readonly string[] {
  const linked = namesIn(join(common, "worktrees")).flatMap((name) => {
    const root = workTreeOf(join(common, "worktrees", name));
    return root !== null && sharedGitFolder(root) === common ? [root] : [];
  });
  const main = basename(common) === ".git" ? [dirname(common)] : [];
  return [...main, ...linked].sort();
}

/** The work tree for which git made a folder of `worktrees`, as a real path. */
function workTreeOf(folder: string): string | null {
  try {
    const entry = followPointer(folder, "gitdir", /^(.+)$/);
    return entry !== null && basename(entry) === ".git" ? realpathSync(dirname(entry)) : null;
  } catch {
    return null; // It was removed.
  }
}

/** The names in a folder; none if there is no such folder. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether `root/.git` is a real git repository, not just a folder of that name. Never throws. */
export function isGitRepository(root: string): boolean {
  const git = resolveGitFolders(root);
  return git.kind === "found" && isGitFolder(git.folder, git.commonFolder);
}

const isGitFolder = (folder: string, commonFolder: string): boolean =>
  hasEntry(folder, "HEAD") && isFolder(join(commonFolder, "objects")) && isFolder(join(commonFolder, "refs"));

/** Reads a path, relative to `base`, from a small text file. */
function followPointer(base: string, name: string, pattern: RegExp): string | null {
  const read = readFile(realpathSync(base), name, POINTER_BYTES_MAX);
  if (read.kind === "problem") return null;
  const target = pattern.exec(new TextDecoder().decode(read.bytes).trimEnd())?.[1];
  if (target === undefined) return null;
  return isAbsolute(target) ? target : resolve(base, target);
}

const hasEntry = (folder: string, name: string): boolean => entryOf(folder, name) !== null;

function entryOf(folder: string, name: string): Stats | null {
  try {
    return lstatSync(join(folder, name), { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
