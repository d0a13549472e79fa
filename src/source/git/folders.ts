/**
 * Finds the repository that a folder belongs to, and the folders in which git keeps its data.
 *
 * A repository need not be git's: an indexed folder is one too. Reads a few small files only. Knows the ordinary
 * layout, `.git` files of submodules and linked work trees, and the shared (common) folder that linked work trees
 * refer to.
 */
import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { readFile } from "../files/read-file.ts";

/** `folder` holds HEAD and the index of this work tree, `commonFolder` the objects, refs and config. */
export type GitFolders =
  | { readonly kind: "found"; readonly folder: string; readonly commonFolder: string }
  | { readonly kind: "problem"; readonly why: string };

/**
 * `work-tree`: the root has a `.git`. `folder`: it is where an index is, or the folder that was asked for. `bare`: it is
 * git's own folder of a repository that has no work tree.
 */
export type Repository = { readonly root: string; readonly kind: "work-tree" | "folder" | "bare" };

const POINTER_BYTES_MAX = 64 * 1024;

/** What a folder without `.git` is told. */
export const NOT_A_REPOSITORY = "not a git repository";

/**
 * The nearest folder, from `start` upward, that has a `.git`, or that is a bare repository; else the nearest that has a `.cra` of the same
 * owner as `start` (in a folder that others may write, such as /tmp, one may have been planted); else `start`
 * itself. Paths are real paths. Throws what the system throws when `start` does not exist or cannot be entered.
 */
export function findRepository(start: string): Repository {
  const real = realpathSync(start);
  const folder = statSync(real).isDirectory() ? real : dirname(real);
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

/** Follows `root/.git` to git's folders. Never throws. */
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

/** Whether git takes what is at `root/.git` for a repository: a folder of that name alone is none. Never throws. */
export function isGitRepository(root: string): boolean {
  const git = resolveGitFolders(root);
  return git.kind === "found" && isGitFolder(git.folder, git.commonFolder);
}

const isGitFolder = (folder: string, commonFolder: string): boolean =>
  hasEntry(folder, "HEAD") && isFolder(join(commonFolder, "objects")) && isFolder(join(commonFolder, "refs"));

/** A small text file that holds a path, relative to the folder it is in. */
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
