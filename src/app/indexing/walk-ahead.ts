/** Walks a large work tree in a thread of its own. */
import { storedListings } from "../../db/parse-cache/stat-cache.ts";
import { Failed } from "../../failure.ts";
import { startWalk, type WalkThread } from "../../source/walk/walk-thread.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { LIGHT_RUN, optionsOf } from "./indexing-deps.ts";

/** With at least this many files, a walk takes longer than starting a thread. */
const WALKED_AHEAD_MIN = 4_000;

/** Whether a walk in a thread pays: the index has many files, and another processor is there. Git may have to be asked in nested repositories. */
export function isWalkedAhead({ index, config, environment }: Workspace): boolean {
  if (environment.processors < 2 || config.settings["index.nested"]) return false;
  try {
    return index.exists() && index.open().meta().counts.files >= WALKED_AHEAD_MIN;
  } catch (error) {
    // The run itself says what is wrong with the index.
    if (error instanceof Failed) return false;
    throw error;
  }
}

/** Begins to walk. */
export function walkAhead(workspace: Workspace): WalkThread {
  const { root, paths, environment } = workspace;
  const { ignore } = optionsOf(workspace, LIGHT_RUN);
  const request = { root, ignore, dataDir: paths.folder, variables: { ...environment.variables } };
  return startWalk(() => ({ ...request, stored: storedListings(paths.statCache) }));
}

/** A walk that begins when `start` is called, and finds nothing before. */
export function walkLater(workspace: Workspace): WalkThread & { start(): void } {
  let walk: WalkThread | null = null;
  return {
    start() {
      walk ??= walkAhead(workspace);
    },
    take: async (options) => (await walk?.take(options)) ?? null,
    close: () => walk?.close(),
  };
}
