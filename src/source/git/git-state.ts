/**
 * Reads HEAD, the branch, the remote and the tracked paths of a work tree from git's files, without starting git.
 *
 * Works in nearly all repositories. Git must be asked for reftable refs, SHA-256 objects, a split or sparse index, and anything damaged.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readFile } from "../files/read-file.ts";
import { type ConfigEntry, chooseRemoteUrl, lastValue, readGitConfig, remotesIn } from "./config.ts";
import { type FoundFolders, resolveGitFolders } from "./folders.ts";
import { pathsInGitIndex } from "./index-file.ts";
import { HASH_BYTES, isUtf8Path } from "./objects.ts";
import { IN_REFTABLE, readHeadRef } from "./refs.ts";

const INDEX_BYTES_MAX = 128 * 1024 * 1024;

/** The state of a work tree. Cheap to read, it tells whether history must be read again. */
export type Head = {
  /** Hash of the checked-out commit; null when there is none yet. */
  readonly head: string | null;
  /** Name of the branch (`main`); null when HEAD is detached. */
  readonly branch: string | null;
  /** URL of `origin`, or else of the first remote by name, without credentials; null for a local path. */
  readonly remoteUrl: string | null;
  /** Identifies the commits where a shallow clone ends; null for a complete clone. */
  readonly shallow: string | null;
  readonly problem: string | null;
};

/** `tracked` returns the sorted paths in git's index, or null when only git can read it. */
type GitState = { readonly head: Head; tracked(): readonly string[] | null };

/** Null when only git can read the state. `root` is a real path. Throws only as `errorText` does. */
export function gitStateInFiles(root: string): GitState | null {
  const folders = resolveGitFolders(root);
  if (folders.kind === "problem") return null;
  const { config, why } = readability(folders);
  // Every repository has a configuration; an empty result means that it was too large to read.
  if (why !== null || config.length === 0) return null;
  const ref = readHeadRef(folders);
  if (ref.kind === "problem") return null;
  const { head, branch } = ref;
  const remoteUrl = chooseRemoteUrl(remotesIn(config));
  const shallow = shallowKey(readShallowCommits(folders.commonFolder));
  const problem = head === null ? NO_COMMITS : null;
  return { head: { head, branch, remoteUrl, shallow, problem }, tracked: () => trackedPaths(folders) };
}

/** The problem of a repository without commits. */
export const NO_COMMITS = "no commits yet";

/** The problem of a partial clone without folders (`--filter=tree:0`), more exact than what git says of the first that it lacks. */
export const OBJECTS_LACKING =
  "this partial clone lacks objects of earlier commits; git fetch --refetch --filter=blob:none fetches them";

/** The sorted paths in git's index; null when only git can read it. */
export function trackedPaths({ folder, commonFolder }: FoundFolders): readonly string[] | null {
  if (!existsSync(join(folder, "index"))) return [];
  const read = readFile(folder, "index", INDEX_BYTES_MAX);
  const hashBytes = isSha256(readGitConfig(join(commonFolder, "config"))) ? SHA256_BYTES : HASH_BYTES;
  const paths = read.kind === "bytes" ? pathsInGitIndex(read.bytes, hashBytes) : null;
  return paths === null ? null : [...new Set(paths)].filter(isUtf8Path).toSorted();
}

/** The repository's configuration, and why the rest cannot be read without git; null when it can. */
export function readability({ commonFolder }: FoundFolders): {
  readonly config: readonly ConfigEntry[];
  readonly why: string | null;
} {
  const config = readGitConfig(join(commonFolder, "config"));
  if (existsSync(join(commonFolder, "reftable"))) return { config, why: IN_REFTABLE };
  return { config, why: isSha256(config) ? "only git can read its objects (SHA-256)" : null };
}

const SHA256_BYTES = 32;

const isSha256 = (config: readonly ConfigEntry[]): boolean =>
  lastValue(config, "extensions.objectformat")?.toLowerCase() === "sha256";

const SHALLOW_BYTES_MAX = 16 * 1024 * 1024;

/** The commits at which a shallow clone ends, without their parents; empty for a complete clone. */
export function readShallowCommits(commonFolder: string): ReadonlySet<string> {
  const read = readFile(commonFolder, "shallow", SHALLOW_BYTES_MAX);
  if (read.kind === "problem") return new Set();
  return new Set(
    new TextDecoder()
      .decode(read.bytes)
      .split("\n")
      .filter((line) => line !== ""),
  );
}

/** Identifies a set of such commits; null for none. */
export const shallowKey = (commits: ReadonlySet<string>): string | null =>
  commits.size === 0
    ? null
    : createHash("sha256")
        .update([...commits].toSorted().join("\n"))
        .digest("hex");
