/** Indexing as `app.ts` wires it, on a real folder with real files, parsers, git and databases. */

import { afterAll, beforeAll } from "bun:test";
import { mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXTRACTOR } from "../../../src/app/indexing/indexing-deps.ts";
import { writeHere } from "../../../src/app/indexing/write-here.ts";
import type { IndexFiles } from "../../../src/db/curated/write/index-writing.ts";
import { openOrRebuildCurated, quarantineIndex } from "../../../src/db/curated/write/rebuild.ts";
import { createDataDir } from "../../../src/db/data-folder/data-dir.ts";
import type { DataPaths } from "../../../src/db/data-folder/paths.ts";
import { openParseCache, removeIfCache } from "../../../src/db/parse-cache/open-parse-cache.ts";
import { takeOverParseCache } from "../../../src/db/parse-cache/take-over.ts";
import { statKey } from "../../../src/db/sqlite/checksum.ts";
import { takeIndexLock } from "../../../src/db/sqlite/lock.ts";
import { Failed } from "../../../src/failure.ts";
import type { IndexOptions, ReportProgress } from "../../../src/indexing/model/index-run.ts";
import type { IndexDeps, ParseInput, TextParser } from "../../../src/indexing/update/index-deps.ts";
import { indexRepository } from "../../../src/indexing/update/index-repo.ts";
import type { IndexSummary } from "../../../src/indexing/update/index-summary.ts";
import { startWriter } from "../../../src/indexing/update/writer/writer-client.ts";
import { readFile } from "../../../src/source/files/read-file.ts";
import { gitStateInFiles } from "../../../src/source/git/git-state.ts";
import { isUnread } from "../../../src/source/history/history.ts";
import { openHistory } from "../../../src/source/history/open-history.ts";
import { holdsPackage } from "../../../src/source/walk/saved-package.ts";
import { skipByAscii, skipByPath, skipByText, vendoredIsMain } from "../../../src/source/walk/skip.ts";
import { walkTree } from "../../../src/source/walk/tree.ts";
import { parseHere } from "../../../src/syntax/parse/parse-here.ts";
import { openParsePool, type ParsePool } from "../../../src/syntax/parse/parse-pool.ts";
import { VERSION } from "../../../src/version.ts";

export const OPTIONS: IndexOptions = {
  bytesMax: 1024 * 1024,
  commitsMax: 5_000,
  coChangeFilesMax: 50,
  ignore: [],
  cacheBytesMax: 512 * 1024 * 1024,
  failFast: false,
  rebuild: false,
  retries: true,
};

/** The day on which everything is used. */
const TODAY = 20_000;

export type World = { readonly root: string; readonly paths: DataPaths; readonly deps: IndexDeps };

/** The same with other members in one group of the dependencies. */
export function withDeps<G extends Exclude<keyof IndexDeps, "now" | "nowMs">>(
  here: World,
  group: G,
  others: Partial<IndexDeps[G]>,
): World {
  return { ...here, deps: { ...here.deps, [group]: { ...here.deps[group], ...others } } };
}

/** Variables of the shell that cra is started from. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `dataDir` holds the databases. One pool serves many worlds, since starting threads takes longest. Without an
 * environment git is where this process finds it, and the user has no ignore file.
 */
export function world(folder: string, dataDir: string, pool: ParsePool, environment?: Environment): World {
  const root = realpathSync(folder);
  const paths = createDataDir({ path: dataDir, inRepository: false, notice: null });
  const history = openHistory(environment ?? process.env);
  const extractorVersion = EXTRACTOR;
  const files = writerPathsOf(paths);
  const deps: IndexDeps = {
    build: { craVersion: VERSION.version, craCommit: null, extractorVersion },
    git: {
      readHead: async (signal) => gitStateInFiles(root)?.head ?? (await history.readHead(root, signal)),
      readTracked: async (signal) =>
        gitStateInFiles(root)?.tracked() ?? (await history.readHistory(root, { commitsMax: 0, signal })).tracked,
      readHistory: (options) => history.readHistory(root, { ...options, head: gitStateInFiles(root)?.head }),
      isUnread,
    },
    workTree: {
      root,
      walk: (options) => walkTree(root, { ...options, variables: environment, dataDir: paths.folder }),
      readFile: (path, bytesMax) => readFile(root, path, bytesMax),
      skipByPath,
      skipByText,
      skipByAscii,
      holdsPackage,
      vendoredIsMain,
    },
    parser: { width: 2, parse: (input) => pool.parse(input) },
    store: {
      takeLock: (signal, onWait) =>
        takeIndexLock(paths.lock, { pid: process.pid, host: "here", startedAt: "now" }, 300, signal, onWait),
      prepare: () => takeOverParseCache(paths, extractorVersion),
      openCurated: () => openOrRebuildCurated(paths.curated, { thorough: true }),
      moveAside: (path, why) => (removeIfCache(paths, path) ? null : quarantineIndex(paths.curated, why)),
      openCache: () => openParseCache(paths, extractorVersion, TODAY),
      startWriter: (report, signal) => startWriter({ root, files }, report, signal),
      indexBytes: () => statSync(paths.curated).size,
      indexStat: () => statKey(paths.curated),
    },
    now: () => Date.now(),
    nowMs: () => performance.now(),
  };
  return { root, paths, deps };
}

let pool: ParsePool | undefined;

/** A parser for all tests of a process, as starting a thread and its grammars takes longest; it ends with them. */
export function sharedPool(): ParsePool {
  pool ??= openParsePool({ workersMax: 1 });
  return pool;
}

/**
 * For the tests of one file: makes worlds that share a parser, start no thread to write, and whose data lies in a folder that goes
 * away.
 */
export function sharedWorlds(): (repo: { readonly path: string }) => World {
  let scratch = "";
  let folders = 0;
  beforeAll(() => {
    scratch = realpathSync(mkdtempSync(join(tmpdir(), "cra-worlds-")));
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));
  return (repo) => onOneThread(world(repo.path, join(scratch, String(++folders)), sharedPool()));
}

/**
 * The same without a thread for the writing, and without any for a small run: a thread takes more time to start than such a run, which
 * the program does without one too.
 */
export function onOneThread(here: World): World {
  const write: NonNullable<IndexDeps["store"]["writeHere"]> = (request, report, signal) =>
    writeHere({ root: here.root, files: writerPathsOf(here.paths) }, request, report, signal);
  const startWriter: IndexDeps["store"]["startWriter"] = (report, signal) => ({
    put: () => undefined,
    hasRoom: async () => undefined,
    finish: async (request) => write(request, report, signal),
    abandon: async () => undefined,
  });
  const parser = { parseHere: ({ text, language }: ParseInput) => parseHere(text, language) };
  return withDeps(withDeps(here, "store", { writeHere: write, startWriter }), "parser", parser);
}

/** The same with another parser, for small runs too. */
export const withParser = (here: World, parse: TextParser["parse"]): World =>
  withDeps(here, "parser", { parse, parseHere: (input) => parse(input, new AbortController().signal) });

export const writerPathsOf = (paths: DataPaths): IndexFiles => ({
  curatedPath: paths.curated,
  cachePaths: paths,
  extractorVersion: EXTRACTOR,
});

export const runIndex = (
  { deps }: World,
  options: Partial<IndexOptions> = {},
  signal: AbortSignal = new AbortController().signal,
  report: ReportProgress = () => undefined,
): Promise<IndexSummary> => indexRepository(deps, { ...OPTIONS, ...options }, report, signal);

/** Indexes a repository into a data folder, on one thread; returns what a user would be told, a line each. */
export async function indexHere(repo: { readonly path: string }, dataDir: string): Promise<string> {
  try {
    const { notices, problems } = await runIndex(onOneThread(world(repo.path, dataDir, sharedPool())));
    return [...notices.map(({ code }) => code), ...problems.map(({ path, why }) => `${path}: ${why}`)].join("\n");
  } catch (error) {
    if (error instanceof Failed) return error.message;
    throw error;
  }
}
