/** Keeps an index fresh: indexes, waits until something in the work tree or in git changes, indexes again. */
import { type Dirent, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "../../config/settings.ts";
import { Failed, sentence } from "../../failure.ts";
import type { Notice } from "../../notice.ts";
import { type FolderWatcher, watchFolders } from "../../source/files/watch.ts";
import { resolveGitFolders } from "../../source/git/folders.ts";
import { isNeverEntered } from "../../source/walk/tree.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type IndexRequest, type IndexSummary, updateIndex } from "./index-repository.ts";
import { LOCK_WAIT_MS, type RunOptions } from "./indexing-deps.ts";

/**
 * Yields the first run and every run that changed the index, until the signal's reason is thrown. `readConfig` reads the settings again:
 * each run goes by those of its time, as every other command does, or two of them would make the index anew in turn.
 */
export async function* watchIndex(
  workspace: Workspace,
  readConfig: () => Promise<Config>,
  { failFast, rebuild, onProgress }: IndexRequest,
  signal: AbortSignal,
): AsyncGenerator<IndexSummary, never> {
  let options: RunOptions = { failFast, rebuild, thorough: true, lockWaitMs: LOCK_WAIT_MS, patient: true };
  let { config } = workspace;
  let unread: string | null = null;
  const update = async (): Promise<IndexSummary> => {
    const read = await configNow(readConfig);
    if ("config" in read) config = read.config;
    const summary = await updateIndex({ ...workspace, config }, options, onProgress, signal);
    // Another cra that is indexing may have read a file before it changed.
    options = { ...options, rebuild: false, thorough: false, lockWaitMs: Number.POSITIVE_INFINITY };
    const why = "why" in read ? read.why : null;
    const notices: readonly Notice[] = why === null || why === unread ? [] : [{ code: "settings-kept", why }];
    unread = why;
    return { ...summary, notices: [...notices, ...summary.notices] };
  };
  const watcher = watchFolders(workspace.root);
  try {
    const first = await update();
    yield withProblem(first, observe(watcher, workspace, first).problem);
    for (;;) {
      await watcher.changed(signal);
      for (let again = true; again; ) {
        const summary = await update();
        // Writes to a new folder before it was watched went unnoticed.
        const observed = observe(watcher, workspace, summary);
        again = observed.grew;
        const isNews = summary.changed || summary.notices.some(({ code }) => code === "settings-kept");
        if (isNews) yield withProblem(summary, observed.problem);
      }
    }
  } finally {
    watcher.close();
  }
}

/** The settings in force, or why they cannot be read. */
async function configNow(
  readConfig: () => Promise<Config>,
): Promise<{ readonly config: Config } | { readonly why: string }> {
  try {
    return { config: await readConfig() };
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.code !== "config") throw error;
    return { why: sentence(error.failure) };
  }
}

type Observed = { readonly grew: boolean; readonly problem: string | null };

/** Watches the folders of all files, indexed or skipped, those without files, and of git. */
function observe(watcher: FolderWatcher, { root, index }: Workspace, { skips }: IndexSummary): Observed {
  const before = watcher.problem();
  const folders = new Set(["."]);
  for (const { path } of [...index.open().files(), ...skips])
    for (let folder = dirname(path); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  for (const folder of foldersWithoutFiles(root, folders)) folders.add(folder);
  const git = resolveGitFolders(root);
  // A commit or a checkout changes files directly in git's folder, or the log of HEAD; what git ignores is in `info`.
  if (git.kind === "found")
    for (const folder of [git.folder, join(git.folder, "logs"), join(git.commonFolder, "info")]) folders.add(folder);
  const grew = watcher.watch(folders);
  return { grew, problem: before === null ? watcher.problem() : null };
}

const withProblem = (summary: IndexSummary, why: string | null): IndexSummary =>
  why === null ? summary : { ...summary, notices: [...summary.notices, { code: "not-watched", why }] };

/** The folders in those of a set that hold no file yet, so that no path names them. */
const foldersWithoutFiles = (root: string, folders: ReadonlySet<string>): readonly string[] =>
  [...folders].flatMap((folder) =>
    (entriesOf(root, folder) ?? []).flatMap((entry) => {
      const path = join(folder, entry.name);
      const isNew = entry.isDirectory() && !folders.has(path) && !isNeverEntered(entry.name);
      return isNew ? (treeWithoutFiles(root, path) ?? []) : [];
    }),
  );

/** A folder and all that are in it; null if there is a file in one. */
function treeWithoutFiles(root: string, folder: string): readonly string[] | null {
  const found = [folder];
  for (const entry of entriesOf(root, folder) ?? []) {
    const inner = entry.isDirectory() ? treeWithoutFiles(root, join(folder, entry.name)) : null;
    if (inner === null) return null;
    found.push(...inner);
  }
  return found;
}

/** Null for a folder that is gone, or cannot be read. */
function entriesOf(root: string, folder: string): readonly Dirent[] | null {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true });
  } catch {
    return null;
  }
}
