/**
 * Indexes a repository in this process, with one parser for all tests, for tests of what comes after an index: starting
 * the binary, and threads for each run, takes many times as long. Only the log knows nothing of it.
 */
import { join } from "node:path";
import { createDataDir } from "../../src/db/data-folder/paths.ts";
import { onOneThread, runIndex, sharedPool, world } from "../indexing/update/index-repo-world.ts";

/** Brings the index up to date that `cra` uses in this folder, or the one in `dataDir`. Throws what stopped it. */
export async function indexIn(repo: { readonly path: string }, dataDir?: string): Promise<void> {
  const place = { path: dataDir ?? join(repo.path, ".cra"), inRepository: dataDir === undefined, notice: null };
  const { folder } = createDataDir(place);
  await runIndex(onOneThread(world(repo.path, folder, sharedPool())));
}
