/**
 * What git knows of a work tree: the entries of its index, and the commits that its submodules have checked out.
 *
 * Read from files where possible. Only git can expand a split or a sparse index.
 */
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { readFile } from "../files/read-file.ts";
import { type ConfigEntry, isOn, lastValue } from "../git/config.ts";
import { type FoundFolders, resolveGitFolders } from "../git/folders.ts";
import { type IndexEntry, parseGitIndex } from "../git/index-file.ts";
import { readHeadRef } from "../git/refs.ts";
import { found, type RevisionReader, type RevisionResult } from "./revisions.ts";

/** The entries by path, without those in conflict, and the time at which the index was written. */
export type GitIndex = { readonly entries: ReadonlyMap<string, IndexEntry>; readonly writtenMs: number };

const INDEX_BYTES_MAX = 128 * 1024 * 1024;

/** A work tree of which nothing is known: every file is read. */
export const NO_INDEX: GitIndex = { entries: new Map(), writtenMs: 0 };

/**
 * The index of the work tree at `root`, whose hashes have `hashChars` characters. A whole checkout can do without one that nobody can read. A
 * sparse one cannot, because a file that is left out is no deleted file, and only the index tells them apart.
 */
export async function readGitIndex(
  { reader, root, signal }: { readonly reader: RevisionReader; readonly root: string; readonly signal: AbortSignal },
  { folder }: FoundFolders,
  settings: readonly ConfigEntry[],
  hashChars: number,
): Promise<RevisionResult<GitIndex>> {
  const path = join(folder, "index");
  const stat = existsSync(path) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  if (stat === undefined) return found(NO_INDEX);
  const read = readFile(folder, "index", INDEX_BYTES_MAX);
  const parsed = read.kind === "bytes" ? parseGitIndex(read.bytes, hashChars / 2) : null;
  const entries = parsed === null ? await reader.tracked(root, signal) : found(parsed);
  if (entries.kind !== "found") return isOn(lastValue(settings, "core.sparsecheckout")) ? entries : found(NO_INDEX);
  const clear = entries.value.filter(({ isInConflict }) => !isInConflict);
  return found({ entries: new Map(clear.map((entry) => [entry.path, entry])), writtenMs: stat.mtimeMs });
}

/** The commit that is checked out in the submodule at `root`; null if none is. */
export async function submoduleHead(reader: RevisionReader, root: string, signal: AbortSignal): Promise<string | null> {
  const folders = resolveGitFolders(root);
  if (folders.kind === "problem") return null;
  const ref = readHeadRef(folders);
  if (ref.kind === "found") return ref.head;
  const asked = await reader.commit(root, "HEAD", signal);
  return asked.kind === "found" ? asked.value : null;
}
