/**
 * Hands indexing its edges: the walker, the readers of history, the parser's threads, the databases.
 */

import { statSync } from "node:fs";
import type { Settings } from "../config/keys.ts";
import type { KnowledgeBase } from "../db/curated/knowledge-base.ts";
import { openOrRebuildCurated, quarantineIndex } from "../db/curated/rebuild.ts";
import type { DataPaths } from "../db/data-folder/paths.ts";
import { openParseCache, PARSE_CACHE_BYTES_MAX, removeParseCache } from "../db/parse-cache/parse-cache.ts";
import { openRawLog } from "../db/raw-log/open-raw-log.ts";
import type { IndexRunRow } from "../db/raw-log/raw-log.ts";
import { statKey } from "../db/sqlite/checksum.ts";
import { takeIndexLock } from "../db/sqlite/lock.ts";
import { Failed, type Notice } from "../failure.ts";
import type { IndexOptions, ReportProgress } from "../indexing/model.ts";
import type { Adoption } from "../indexing/update/import-facts.ts";
import type { IndexDeps } from "../indexing/update/index-deps.ts";
import { type IndexSummary, indexRepository } from "../indexing/update/index-repo.ts";
import { describeStaleness } from "../indexing/update/staleness.ts";
import { startWriter } from "../indexing/update/writer-client.ts";
import { readFile } from "../source/files/read-file.ts";
import { gitStateInFiles } from "../source/git/git-state.ts";
import { headOf } from "../source/history/history.ts";
import { openHistory } from "../source/history/open-history.ts";
import { skipByPath, skipByText, vendoredIsMain } from "../source/walk/skip.ts";
import { walkTree } from "../source/walk/tree.ts";
import { EXTRACTOR_VERSION, GRAMMAR_VERSION } from "../syntax/languages/languages.ts";
import { defaultWorkers, openParsePool, type ParsePool } from "../syntax/parse/parse-pool.ts";
import { VERSION } from "../version.ts";
import type { Environment } from "./app-types.ts";
import { type Mended, mendAllButIndex, type OnProgress } from "./doctor.ts";

export type IndexingWorld = {
  readonly root: string;
  readonly paths: DataPaths;
  readonly settings: Settings;
  readonly environment: Environment;
};

/**
 * `rebuild` looks at every row of all that is stored first, and moves what is damaged aside. `thorough` looks for damaged
 * bytes in the index; a refresh before a retrieval does not. What `adoption` knows is not parsed.
 */
export type IndexingWish = {
  readonly failFast: boolean;
  readonly rebuild: boolean;
  readonly thorough: boolean;
  readonly lockWaitMs: number;
  readonly adoption?: Adoption;
};

/** Brings the index up to date. See `indexRepository` for what it throws. */
export async function runIndexing(
  world: IndexingWorld,
  wish: IndexingWish,
  report: ReportProgress & OnProgress,
  signal: AbortSignal,
): Promise<IndexSummary> {
  const workers = workersOf(world);
  const pool = openParsePool({ workersMax: workers });
  const started = Date.now();
  try {
    const mended = wish.rebuild ? await mendAllButIndex(world.paths, report, signal) : NOTHING_MENDED;
    const deps = depsOf(world, wish, pool, workers, mended.damage);
    const indexed = await indexRepository(deps, optionsOf(world, wish), report, signal);
    const parsed = indexed.parsed - (wish.adoption?.takenOver() ?? 0);
    const summary = { ...indexed, parsed, notices: [...mended.notices, ...indexed.notices] };
    // A refresh that finds nothing to do happens before every retrieval and says nothing.
    if (!summary.changed && !wish.thorough) return summary;
    const notices = record(world, started, summary.changed ? "finished" : "unchanged", summary);
    return { ...summary, notices: [...summary.notices, ...notices] };
  } catch (error) {
    recordIfPossible(world, started, error, signal.aborted ? "cancelled" : "failed");
    throw error;
  } finally {
    pool.close();
  }
}

const NOTHING_MENDED: Mended = { damage: null, notices: [] };

/** A run that ended before it did anything is none: another cra is writing, or the disk takes nothing. */
function recordIfPossible(world: IndexingWorld, started: number, error: unknown, status: IndexRunRow["status"]): void {
  if (error instanceof Failed && (error.failure.code === "locked" || error.failure.code === "io")) return;
  try {
    record(world, started, status, null);
  } catch {
    // A log that takes nothing must not hide why indexing failed.
  }
}

/** Appends the run to the raw log. Returns what happened to the log itself. */
function record(
  { root, paths }: IndexingWorld,
  started: number,
  status: IndexRunRow["status"],
  summary: IndexSummary | null,
): readonly Notice[] {
  const notices: Notice[] = [];
  const log = openRawLog(paths.raw, (notice) => notices.push(notice));
  try {
    log.appendIndexRun({
      repoPath: root,
      head: summary?.meta.head ?? null,
      contentHash: summary?.meta.contentHash ?? null,
      craVersion: VERSION.version,
      startedAt: new Date(started).toISOString(),
      ms: Date.now() - started,
      status,
      summary:
        summary === null ? null : { files: summary.files, parsed: summary.parsed, skipped: summary.skips.length },
    });
  } finally {
    log.close();
  }
  return notices;
}

/** What differs between the index and the work tree, in one phrase; null when nothing does. */
export async function findStaleness(
  world: IndexingWorld,
  kb: KnowledgeBase,
  signal: AbortSignal,
): Promise<string | null> {
  const { contentHash, head } = kb.meta();
  const pool = openParsePool({ workersMax: 1 });
  try {
    const deps = depsOf(world, ONLY_LOOKING, pool, 1);
    return await describeStaleness(
      deps,
      optionsOf(world, ONLY_LOOKING),
      { files: kb.files(), contentHash, head },
      signal,
    );
  } finally {
    pool.close();
  }
}

/** The wish of who only looks at what is there. */
export const ONLY_LOOKING: IndexingWish = { failFast: false, rebuild: false, thorough: false, lockWaitMs: 0 };

/** How many threads parse. */
export const workersOf = ({ settings, environment }: IndexingWorld): number =>
  settings["index.workers"] ?? Math.min(defaultWorkers(), environment.processors);

/** What the settings say of indexing. */
export function optionsOf({ settings }: IndexingWorld, { failFast, rebuild }: IndexingWish): IndexOptions {
  return {
    bytesMax: settings["index.max_file_size"],
    commitsMax: settings["index.commits_max"],
    coChangeFilesMax: settings["index.commit_files_max"],
    ignore: settings["index.ignore"],
    cacheBytesMax: PARSE_CACHE_BYTES_MAX,
    failFast,
    rebuild,
  };
}

/** The edges of indexing. `damage`: what is known to be wrong with the index. */
export function depsOf(
  { root, paths, settings, environment }: IndexingWorld,
  wish: IndexingWish,
  pool: ParsePool,
  workers: number,
  damage: string | null = null,
): IndexDeps {
  const history = openHistory({ git: "auto", environment: environment.variables });
  const askGit = (folder: string, signal: AbortSignal | undefined) =>
    history.readHistory(folder, { commitsMax: 0, signal });
  // One answer tells both where the work tree stands and what is tracked: who asks for the first may want the second.
  let answer: ReturnType<typeof askGit> | null = null;
  // What is known to be damaged is moved aside once.
  let unmended = damage;
  const extractorVersion = `${EXTRACTOR_VERSION} ${GRAMMAR_VERSION}`;
  const applyPaths = { curatedPath: paths.curated, cachePath: paths.parseCache, extractorVersion };
  const holder = { pid: environment.pid, host: environment.host, startedAt: new Date().toISOString() };
  return {
    root,
    craVersion: VERSION.version,
    craCommit: VERSION.commit,
    extractorVersion,
    parseWidth: 2 * workers,
    now: () => Date.now(),
    readHead: async (signal) => {
      const inFiles = gitStateInFiles(root);
      if (inFiles !== null) return inFiles.head;
      answer = askGit(root, signal);
      return headOf(await answer);
    },
    readTracked: async (signal) => {
      const inFiles = gitStateInFiles(root)?.tracked() ?? null;
      if (inFiles !== null) return inFiles;
      const asked = answer ?? askGit(root, signal);
      answer = null;
      return (await asked).tracked;
    },
    readHistory: (options) => history.readHistory(root, options),
    walk: (options) =>
      walkTree(root, {
        ...options,
        dataDir: paths.folder,
        variables: environment.variables,
        readNested: settings["index.nested"]
          ? async (inner) => gitStateInFiles(inner)?.tracked() ?? (await askGit(inner, options.signal)).tracked
          : undefined,
      }),
    readFile: (path, bytesMax) => readFile(root, path, bytesMax),
    skipByPath,
    skipByText,
    vendoredIsMain,
    parse: async (input) => wish.adoption?.factsOf(input) ?? (await pool.parse(input)),
    takeLock: (signal) => takeIndexLock(paths.lock, holder, wish.lockWaitMs, signal),
    openCurated: () => {
      const known = unmended;
      unmended = null;
      return openOrRebuildCurated(paths.curated, { thorough: wish.thorough, damage: known });
    },
    moveAside: (path, why) =>
      path === paths.parseCache ? removeParseCache(path) : quarantineIndex(paths.curated, why),
    openCache: () => openParseCache(paths.parseCache, extractorVersion),
    startWriter: (report, signal) => {
      const session = startWriter(applyPaths, report, signal);
      const finish: typeof session.finish = (request) => {
        pool.rest();
        return session.finish(request);
      };
      return { ...session, finish };
    },
    indexBytes: () => statSync(paths.curated).size,
    indexStat: () => statKey(paths.curated),
  };
}
