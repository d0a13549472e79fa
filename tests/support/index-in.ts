/**
 * Indexes a repository in this process with one parser shared by all tests, which is much faster than starting the
 * binary. Writes no log.
 */
import { join } from "node:path";
import { createDataDir } from "../../src/db/data-folder/data-dir.ts";
import { onOneThread, runIndex, sharedPool, world } from "../indexing/update/index-repo-world.ts";

/** Updates the index of a repository, in its own data folder or in `dataDir`. Throws the error that stopped it. */
export async function indexIn(repo: { readonly path: string }, dataDir?: string): Promise<void> {
  const place = { path: dataDir ?? join(repo.path, ".cra"), inRepository: dataDir === undefined, notice: null };
  const { folder } = createDataDir(place);
  await runIndex(onOneThread(world(repo.path, folder, sharedPool())));
}
