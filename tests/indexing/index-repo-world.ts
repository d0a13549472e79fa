/**
 * Indexing as `app.ts` wires it, on a real folder with real files, parsers, git and databases.
 */
import { realpathSync, statSync } from "node:fs";
import { openCuratedWriter } from "../../src/db/curated-write.ts";
import { takeIndexLock } from "../../src/db/lock.ts";
import { openParseCache } from "../../src/db/parse-cache.ts";
import { createDataDir, type DataPaths } from "../../src/db/paths.ts";
import { moveAside, openOrRebuildCurated } from "../../src/db/rebuild.ts";
import { applyGeneration } from "../../src/indexing/apply.ts";
import { applyInWorker } from "../../src/indexing/apply-in-worker.ts";
import type { IndexDeps, IndexOptions } from "../../src/indexing/index-deps.ts";
import { type IndexSummary, indexRepository } from "../../src/indexing/index-repo.ts";
import type { ReportProgress } from "../../src/indexing/progress.ts";
import { openHistory } from "../../src/source/open-history.ts";
import { readFile } from "../../src/source/read-file.ts";
import { skipByPath, skipByText, vendoredIsMain } from "../../src/source/skip.ts";
import { walkTree } from "../../src/source/tree.ts";
import { EXTRACTOR_VERSION, GRAMMAR_VERSION } from "../../src/syntax/grammars.ts";
import { openParsePool, type ParsePool } from "../../src/syntax/parse-pool.ts";

export const OPTIONS: IndexOptions = {
  bytesMax: 1024 * 1024,
  commitsMax: 5_000,
  coChangeFilesMax: 50,
  ignore: [],
  cacheBytesMax: 512 * 1024 * 1024,
  failFast: false,
  rebuild: false,
};

export type World = { readonly root: string; readonly paths: DataPaths; readonly deps: IndexDeps };

/** `dataDir` holds the databases. One pool serves many worlds, since starting threads takes longest. */
export function world(folder: string, dataDir: string, pool: ParsePool): World {
  const root = realpathSync(folder);
  const paths = createDataDir({ path: dataDir, inRepository: false, notice: null });
  const history = openHistory({ git: "auto", environment: process.env });
  const extractorVersion = `${EXTRACTOR_VERSION} ${GRAMMAR_VERSION}`;
  const applyPaths = { curatedPath: paths.curated, cachePath: paths.parseCache, extractorVersion };
  const deps: IndexDeps = {
    root,
    craVersion: "1.0.0",
    extractorVersion,
    parseWidth: 2,
    now: () => Date.now(),
    readHead: (signal) => history.readHead(root, signal),
    readTracked: async (signal) => (await history.readHistory(root, { commitsMax: 0, signal })).tracked,
    readHistory: (options) => history.readHistory(root, options),
    walk: (options) => walkTree(root, { ...options, dataDir: paths.folder }),
    readFile: (path, bytesMax) => readFile(root, path, bytesMax),
    skipByPath,
    skipByText,
    vendoredIsMain,
    parse: (input) => pool.parse(input),
    takeLock: (signal) => takeIndexLock(paths.lock, { pid: process.pid, host: "here", startedAt: "now" }, 300, signal),
    openCurated: () => openOrRebuildCurated(paths.curated, { thorough: true }),
    moveAside: (why) => moveAside(paths.curated, why),
    openCache: () => openParseCache(paths.parseCache, extractorVersion),
    apply: (request, report, signal) => applyInWorker(applyPaths, request, report, signal),
    indexBytes: () => statSync(paths.curated).size,
  };
  return { root, paths, deps };
}

/** The same without a worker thread for the writing, which takes most of the time of a small run. */
export function onOneThread(here: World): World {
  const apply: IndexDeps["apply"] = async (request, report) => {
    const writer = openCuratedWriter(here.paths.curated);
    const cache = openParseCache(here.paths.parseCache, here.deps.extractorVersion);
    try {
      return applyGeneration(writer, cache, request, report);
    } finally {
      cache.close();
      writer.close();
    }
  };
  return { ...here, deps: { ...here.deps, apply } };
}

export const runIndex = (
  { deps }: World,
  options: Partial<IndexOptions> = {},
  signal: AbortSignal = new AbortController().signal,
  report: ReportProgress = () => undefined,
): Promise<IndexSummary> => indexRepository(deps, { ...OPTIONS, ...options }, report, signal);

export { openParsePool };
