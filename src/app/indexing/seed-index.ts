/**
 * Begins the index of a work tree with a copy of the index of another work tree of the same repository, which may be gone.
 *
 * Git says which work trees there are; the folder that they share has the index of one that was removed. An index of the same commit is
 * taken first, then the one written last.
 */
import { lstatSync, statSync } from "node:fs";
import { copyableIndex, copyIndex } from "../../db/curated/copy-index.ts";
import { keepIndex, keptIndexes } from "../../db/curated/kept-index.ts";
import { locateDataDir } from "../../db/data-folder/data-dir.ts";
import { dataPaths } from "../../db/data-folder/paths.ts";
import { tryToHold } from "../../db/sqlite/lock.ts";
import { Failed } from "../../failure.ts";
import { sharedGitFolder, workTreesOf } from "../../source/git/folders.ts";
import { gitStateInFiles } from "../../source/git/git-state.ts";
import { VERSION } from "../../version.ts";
import { createIfWritable, type Workspace } from "../workspace/workspace.ts";
import { EXTRACTOR } from "./indexing-deps.ts";

/** Takes the lock itself, and does nothing while another cra holds it or where nothing may be written. */
export function seedIndexIfFree(workspace: Workspace): void {
  if (candidates(workspace).length === 0 || createIfWritable(workspace) !== null) return;
  const lock = tryToHold(workspace.paths.lock);
  try {
    if (lock !== null) seedIndex(workspace);
  } finally {
    lock?.release();
  }
}

/**
 * Copies an index if there is none yet. The caller holds the lock. Returns the root of the other work tree, or the path of the index of one
 * that is gone.
 */
export function seedIndex(workspace: Workspace): string | null {
  const { root, paths } = workspace;
  return candidates(workspace).find(({ curated }) => copyIndex(curated, paths.curated, root))?.from ?? null;
}

/** Keeps the index of a work tree for the next one, also when this one is removed. */
export function keepForOthers({ paths, cacheFolder }: Workspace): void {
  if (cacheFolder.kind === "shared") keepIndex(paths.curated, cacheFolder.path, Date.now());
}

type Candidate = { readonly from: string; readonly curated: string };

function candidates({ root, paths, cacheFolder, environment }: Workspace): readonly Candidate[] {
  if (cacheFolder.kind !== "shared" || lstatSync(paths.curated, { throwIfNoEntry: false }) !== undefined) return [];
  const common = sharedGitFolder(root);
  const others = (common === null ? [] : workTreesOf(common)).flatMap((from): readonly Candidate[] => {
    const curated = from === root ? null : indexOf(from, environment);
    return curated === null ? [] : [{ from, curated }];
  });
  const all = [...others, ...keptIndexes(cacheFolder.path).map((path) => ({ from: path, curated: path }))];
  const head = all.length === 0 ? null : (gitStateInFiles(root)?.head.head ?? null);
  return all
    .flatMap(({ from, curated }) => {
      const meta = copyableIndex(curated);
      const isUsable = meta?.craVersion === VERSION.version && meta.extractorVersion === EXTRACTOR;
      return isUsable ? [{ from, curated, isSameHead: meta.head === head, writtenMs: statSync(curated).mtimeMs }] : [];
    })
    .sort((a, b) => Number(b.isSameHead) - Number(a.isSameHead) || b.writtenMs - a.writtenMs);
}

/** The index of a work tree in its default place; null if cra would not trust it there. */
function indexOf(root: string, { uid, variables }: Workspace["environment"]): string | null {
  try {
    const { path, notice } = locateDataDir(root, { explicit: null, uid, env: variables });
    return notice === null ? dataPaths(path).curated : null;
  } catch (error) {
    if (error instanceof Failed) return null;
    throw error;
  }
}
