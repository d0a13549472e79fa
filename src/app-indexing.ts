/**
 * Hands indexing its edges: the walker, the readers of history, the parser's threads, the databases.
 */
import { statSync } from "node:fs";
import type { Environment } from "./app.ts";
import type { Settings } from "./config-keys.ts";
import { takeIndexLock } from "./db/lock.ts";
import { openParseCache, PARSE_CACHE_BYTES_MAX } from "./db/parse-cache.ts";
import type { DataPaths } from "./db/paths.ts";
import { moveAside, openOrRebuildCurated } from "./db/rebuild.ts";
import { applyInWorker } from "./indexing/apply-in-worker.ts";
import { type IndexSummary, indexRepository } from "./indexing/index-repo.ts";
import type { ReportProgress } from "./indexing/progress.ts";
import { openHistory } from "./source/open-history.ts";
import { readFile } from "./source/read-file.ts";
import { skipByPath, skipByText, vendoredIsMain } from "./source/skip.ts";
import { walkTree } from "./source/tree.ts";
import { EXTRACTOR_VERSION, GRAMMAR_VERSION } from "./syntax/grammars.ts";
import { defaultWorkers, openParsePool } from "./syntax/parse-pool.ts";
import { VERSION } from "./version.ts";

export type IndexingWorld = {
  readonly root: string;
  readonly paths: DataPaths;
  readonly settings: Settings;
  readonly environment: Environment;
};

/** `thorough` looks for damage in the whole index first; a refresh before a retrieval does not. */
export type IndexingWish = { readonly failFast: boolean; readonly rebuild: boolean; readonly thorough: boolean; readonly lockWaitMs: number };

/** Brings the index up to date. See `indexRepository` for what it throws. */
export async function runIndexing(
  { root, paths, settings, environment }: IndexingWorld,
  wish: IndexingWish,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<IndexSummary> {
  const history = openHistory({ git: "auto", environment: environment.variables });
  const workers = settings["index.workers"] ?? Math.min(defaultWorkers(), environment.processors);
  const extractorVersion = `${EXTRACTOR_VERSION} ${GRAMMAR_VERSION}`;
  const applyPaths = { curatedPath: paths.curated, cachePath: paths.parseCache, extractorVersion };
  const pool = openParsePool({ workersMax: workers });
  const startedAt = new Date().toISOString();
  try {
    return await indexRepository(
      {
        root,
        craVersion: VERSION.version,
        extractorVersion,
        parseWidth: 2 * workers,
        now: () => Date.now(),
        readHead: (abort) => history.readHead(root, abort),
        readTracked: async (abort) => (await history.readHistory(root, { commitsMax: 0, signal: abort })).tracked,
        readHistory: (options) => history.readHistory(root, options),
        walk: (options) => walkTree(root, options),
        readFile: (path, bytesMax) => readFile(root, path, bytesMax),
        skipByPath,
        skipByText,
        vendoredIsMain,
        parse: (input) => pool.parse(input),
        takeLock: (abort) =>
          takeIndexLock(paths.lock, { pid: environment.pid, host: environment.host, startedAt }, wish.lockWaitMs, abort),
        openCurated: () => openOrRebuildCurated(paths.curated, { thorough: wish.thorough }),
        moveAside: (why) => moveAside(paths.curated, why),
        openCache: () => openParseCache(paths.parseCache, extractorVersion),
        apply: (request, progress, abort) => applyInWorker(applyPaths, request, progress, abort),
        indexBytes: () => statSync(paths.curated).size,
      },
      {
        bytesMax: settings["index.max_file_size"],
        commitsMax: settings["index.commits_max"],
        coChangeFilesMax: settings["index.commit_files_max"],
        ignore: settings["index.ignore"],
        cacheBytesMax: PARSE_CACHE_BYTES_MAX,
        failFast: wish.failFast,
        rebuild: wish.rebuild,
      },
      report,
      signal,
    );
  } finally {
    pool.close();
  }
}
