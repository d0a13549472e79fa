/**
 * Where a work tree stands and what git tracks in it, from git's own files and without starting git: only where they leave
 * no doubt, which is nearly everywhere.
 *
 * In doubt: refs that are no files (reftable) or no regular ones, SHA-256, an index that is split or sparse, a branch
 * without commits, anything damaged. Then git is asked. Not here: commits, and what they changed (`history.ts`).
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readFile } from "../files/read-file.ts";
import type { Head } from "../history/history.ts";
import { type ConfigEntry, lastValue, readGitConfig, remotesIn } from "./config.ts";
import { type GitFolders, resolveGitFolders } from "./folders.ts";
import { pathsInGitIndex } from "./index-file.ts";
import { isWholePath } from "./objects.ts";
import { readHeadRef } from "./refs.ts";
import { chooseRemoteUrl } from "./remote-url.ts";
import { readShallowCommits, shallowMark } from "./shallow.ts";

type Folders = Extract<GitFolders, { kind: "found" }>;

const INDEX_BYTES_MAX = 256 * 1024 * 1024;

/** `tracked` reads git's index: the paths in it, sorted, or null where only git can tell. */
export type Stand = { readonly head: Head; tracked(): readonly string[] | null };

/** Null where only git can tell. `root` is a real path. Never throws, but for what `errorText` does. */
export function standInFiles(root: string): Stand | null {
  const folders = resolveGitFolders(root);
  if (folders.kind === "problem") return null;
  const { config, why } = unreadable(folders);
  // Every repository has a configuration: without one it may be too long to be read here.
  if (why !== null || config.length === 0) return null;
  const ref = readHeadRef(folders);
  if (ref.kind === "problem" || ref.head === null) return null;
  const { head, branch } = ref;
  const remoteUrl = chooseRemoteUrl(remotesIn(config));
  const shallow = shallowMark(readShallowCommits(folders.commonFolder));
  return { head: { head, branch, remoteUrl, shallow, problem: null }, tracked: () => trackedInFiles(folders) };
}

/** The paths in git's index, sorted; null for one that cannot be read here. */
export function trackedInFiles({ folder }: Folders): readonly string[] | null {
  if (!existsSync(join(folder, "index"))) return [];
  const read = readFile(folder, "index", INDEX_BYTES_MAX);
  const paths = read.kind === "bytes" ? pathsInGitIndex(read.bytes) : null;
  return paths === null ? null : [...new Set(paths)].filter(isWholePath).toSorted();
}

/** The repository's configuration, and why nothing else of it can be read without git (null: it can). */
export function unreadable({ commonFolder }: Folders): {
  readonly config: readonly ConfigEntry[];
  readonly why: string | null;
} {
  const config = readGitConfig(join(commonFolder, "config"));
  if (existsSync(join(commonFolder, "reftable"))) return { config, why: "only git can read its refs (reftable)" };
  const isSha256 = lastValue(config, "extensions.objectformat")?.toLowerCase() === "sha256";
  return { config, why: isSha256 ? "only git can read its objects (SHA-256)" : null };
}
