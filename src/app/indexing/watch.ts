/** Keeps an index fresh: indexes, waits until something in the work tree or in git changes, indexes again. */
import { dirname, join } from "node:path";
import { Failed } from "../../failure.ts";
import { type FolderWatcher, watchFolders } from "../../source/files/watch.ts";
import { resolveGitFolders } from "../../source/git/folders.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type IndexRequest, type IndexSummary, updateIndex } from "./index-repository.ts";
import { LOCK_WAIT_MS, type RunOptions } from "./indexing-deps.ts";

/** Yields the first run and every run that changed the index, until the signal's reason is thrown. */
export async function* watchIndex(
  workspace: Workspace,
  { failFast, rebuild, onProgress }: IndexRequest,
  signal: AbortSignal,
): AsyncGenerator<IndexSummary, never> {
  let options: RunOptions = { failFast, rebuild, thorough: true, lockWaitMs: LOCK_WAIT_MS };
  const update = async (): Promise<IndexSummary> => {
    const summary = await updateIndex(workspace, options, onProgress, signal);
    options = { ...options, rebuild: false, thorough: false, lockWaitMs: 0 };
    return summary;
  };
  const watcher = watchFolders(workspace.root);
  try {
    const first = await update();
    yield withProblem(first, observe(watcher, workspace, first).problem);
    for (;;) {
      await watcher.changed(signal);
      for (let again = true; again; ) {
        const summary = await unlessLocked(update);
        if (summary === null) break;
        // Writes to a new folder before it was watched went unnoticed.
        const observed = observe(watcher, workspace, summary);
        again = observed.grew;
        if (summary.changed) yield withProblem(summary, observed.problem);
      }
    }
  } finally {
    watcher.close();
  }
}

type Observed = { readonly grew: boolean; readonly problem: string | null };

/** Watches the folders of all files, indexed or skipped, and of git. */
function observe(watcher: FolderWatcher, { root, index }: Workspace, { skips }: IndexSummary): Observed {
  const before = watcher.problem();
  const folders = new Set(["."]);
  for (const { path } of [...index.open().files(), ...skips])
    for (let folder = dirname(path); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  const git = resolveGitFolders(root);
  // A commit or a checkout changes files directly in git's folder, or the log of HEAD.
  if (git.kind === "found") for (const folder of [git.folder, join(git.folder, "logs")]) folders.add(folder);
  const grew = watcher.watch(folders);
  return { grew, problem: before === null ? watcher.problem() : null };
}

const withProblem = (summary: IndexSummary, why: string | null): IndexSummary =>
  why === null ? summary : { ...summary, notices: [...summary.notices, { code: "not-watched", why }] };

/** Null while another cra is indexing: its run sees what this one would. */
async function unlessLocked<T>(run: () => Promise<T>): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Failed && error.failure.code === "locked") return null;
    throw error;
  }
}
