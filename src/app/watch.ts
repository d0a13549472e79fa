/**
 * Keeps an index fresh: indexes, waits until something in the work tree or in git changed, indexes again.
 */
import { dirname, join } from "node:path";
import { Failed, type Notice } from "../failure.ts";
import { type FolderWatcher, watchFolders } from "../source/files/watch.ts";
import { resolveGitFolders } from "../source/git/folders.ts";

/** `index` brings the index up to date; `paths` are those of all files that were looked at, relative to `root`. */
export type WatchWorld<Summary extends { readonly changed: boolean; readonly notices: readonly Notice[] }> = {
  readonly root: string;
  index(): Promise<Summary>;
  paths(summary: Summary): readonly string[];
};

/** Yields every run that changed something, the first one in any case, until the signal's reason is thrown. */
export async function* watchIndex<Summary extends { readonly changed: boolean; readonly notices: readonly Notice[] }>(
  { root, index, paths }: WatchWorld<Summary>,
  signal: AbortSignal,
): AsyncGenerator<Summary, never> {
  const watcher = watchFolders(root);
  try {
    let summary = await index();
    yield withProblem(summary, observe(watcher, root, paths(summary)).problem);
    for (;;) {
      await watcher.changed(signal);
      for (let again = true; again; ) {
        const next = await unlessLocked(index);
        if (next === null) break;
        summary = next;
        // What was written into a new folder before it was watched was not heard.
        const observed = observe(watcher, root, paths(summary));
        again = observed.grew;
        if (summary.changed) yield withProblem(summary, observed.problem);
      }
    }
  } finally {
    watcher.close();
  }
}

type Observed = { readonly grew: boolean; readonly problem: string | null };

function observe(watcher: FolderWatcher, root: string, paths: readonly string[]): Observed {
  const before = watcher.problem();
  const folders = new Set(["."]);
  for (const path of paths) for (let at = dirname(path); !folders.has(at); at = dirname(at)) folders.add(at);
  const git = resolveGitFolders(root);
  // A commit or another branch changes what lies directly in git's folder, or the log of HEAD.
  if (git.kind === "found") for (const folder of [git.folder, join(git.folder, "logs")]) folders.add(folder);
  const grew = watcher.watch(folders);
  return { grew, problem: before === null ? watcher.problem() : null };
}

const withProblem = <Summary extends { readonly notices: readonly Notice[] }>(
  summary: Summary,
  why: string | null,
): Summary => (why === null ? summary : { ...summary, notices: [...summary.notices, { code: "not-watched", why }] });

/** Somebody else is indexing: then nothing is left to do, as their run sees what this one would. */
async function unlessLocked<T>(index: () => Promise<T>): Promise<T | null> {
  try {
    return await index();
  } catch (error) {
    if (error instanceof Failed && error.failure.code === "locked") return null;
    throw error;
  }
}
