/**
 * One hash over everything that decides whether an index is current: versions, HEAD, and the stat key of every file and of
 * the index itself.
 *
 * After a run that finds no changes, cra stores this fingerprint. An equal one later proves that nothing changed without reading
 * a row or a file. A different one proves nothing, and the full comparison runs. No fingerprint is stored while a stat key is too
 * young to show the next change.
 */

import { createHash } from "node:crypto";
import { Failed } from "../../../failure.ts";
import type { Head } from "../../../source/git/git-state.ts";
import type { Tree, WalkOptions } from "../../../source/walk/tree.ts";
import type { TreeFile } from "../../../source/walk/tree-digest.ts";
import type { IndexOptions, ReportProgress } from "../../model/index-run.ts";
import type { FileStat, IndexDeps } from "../index-deps.ts";
import type { BuildVersions } from "./compare.ts";

/** `walkedAt`: when the walk began, in milliseconds since the epoch. */
export type WalkResult = { readonly tree: Tree; readonly walkedAt: number };

/**
 * Walks the work tree. `known`: the paths in the index, which count as tracked by git where git cannot tell. Throws the signal's
 * reason, or an input/output failure if the root cannot be listed: a disk that is gone is no repository without files.
 */
export async function walkWorkTree(
  { git, workTree, now }: Pick<IndexDeps, "git" | "workTree" | "now">,
  { ignore }: Pick<IndexOptions, "ignore">,
  known: () => readonly string[],
  report: ReportProgress,
  signal: AbortSignal,
  onFiles?: WalkOptions["onFiles"],
): Promise<WalkResult> {
  const walkedAt = now();
  let isUnknown = false;
  const readTracked = async (): Promise<readonly string[]> => {
    const tracked = await git.readTracked(signal);
    isUnknown = tracked === null;
    return tracked ?? known();
  };
  const onProgress = (done: number): void => report({ phase: "walk", done, total: null });
  const tree = await workTree.walk({ readTracked, ignore, signal, onProgress, onFiles });
  const unlisted = tree.problems.find(({ path }) => path === ".");
  if (unlisted !== undefined)
    throw new Failed({ code: "io", message: `the folder cannot be listed: ${unlisted.why}`, where: workTree.root });
  const why = "git cannot tell which of the ignored files it tracks";
  const walked = isUnknown ? { ...tree, problems: [{ path: ".git", why }, ...tree.problems] } : tree;
  return { tree: walked, walkedAt: tree.walkedAt ?? walkedAt };
}

/**
 * A file changed this shortly before the walk is read again next time, because its time stamps may be too coarse to show
 * another change. In milliseconds; the coarsest file systems in use count in steps of two seconds.
 */
const FRESH_MS = 2_000;

/** True if the stat key is certain to differ after the next change. */
export const isSettled = ({ changedMs }: Pick<TreeFile, "changedMs">, walkedAt: number): boolean =>
  changedMs < walkedAt - FRESH_MS;

/** Differs whenever the content of a file may differ. */
export function statKeyOf({ sizeBytes, modifiedMs, changedMs, inode, device }: TreeFile): string {
  // Numbers as they are: to write them as text takes six times as long.
  KEYED[0] = sizeBytes;
  KEYED[1] = modifiedMs;
  KEYED[2] = changedMs;
  KEYED[3] = inode;
  KEYED[4] = device;
  return Bun.hash(KEYED).toString(36);
}

const KEYED = new Float64Array(5);

/** Null if a stat key is too young, or something could not be read. */
export function changeFingerprint(
  versions: BuildVersions & { readonly craCommit: string | null },
  { head, remoteUrl, shallow, problem }: Head,
  index: FileStat | null,
  { tree, walkedAt }: WalkResult,
): string | null {
  const { leftOut, problems } = tree;
  if (index === null || !isSettled(index, walkedAt) || problems.length > 0) return null;
  const digest = tree.digest();
  if (!isSettled({ changedMs: digest.newestMs }, walkedAt)) return null;
  const { configHash, craVersion, craCommit, extractorVersion } = versions;
  const state = [configHash, craVersion, craCommit, extractorVersion, head, remoteUrl, shallow, problem, index.statKey];
  return createHash("sha256")
    .update(JSON.stringify([state, leftOut, digest.files, digest.hash]))
    .digest("hex");
}
