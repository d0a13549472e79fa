/**
 * Builds the world once: repository, settings, databases, clock. Below this line nothing constructs any of
 * them; capabilities are handed what they need.
 *
 * Edges are loaded when they are first asked for, so a command pays only for what it uses. An opened
 * app is closed by whoever opened it.
 */
import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { sep } from "node:path";
import type { IndexingWish } from "./app-indexing.ts";
import type { Stored } from "./app-storage.ts";
import { budgetSource, type Config, type Layer } from "./config.ts";
import type { Settings } from "./config-keys.ts";
import { loadConfig } from "./config-load.ts";
import type { IndexMeta, KnowledgeBase, SearchHit } from "./db/curated.ts";
import type { RawLog } from "./db/raw-log.ts";
import { Failed, type Notice } from "./failure.ts";
import type { IndexSummary as RunSummary } from "./indexing/index-repo.ts";
import type { PipelineEvent } from "./retrieval/events.ts";
import type { Explanation } from "./retrieval/explain.ts";
import type { ContextPackage } from "./retrieval/package-schema.ts";
import { VERSION } from "./version.ts";

/** What a run may know of the process it is in, as plain data. Only `main.ts` builds it. */
export type Environment = {
  /** The folder that relative paths start from, absolute. */
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The user's number, or null where there is none. */
  readonly uid: number | null;
  /** Processors that may be used at once, at least 1. */
  readonly processors: number;
  /** This process and its machine, to name the holder of a lock. */
  readonly pid: number;
  readonly host: string;
};

export type AppRequest = {
  readonly environment: Environment;
  /** A folder as typed, or null to look upward from the working folder. */
  readonly repo: string | null;
  /** Settings as typed, strongest first. */
  readonly flags: readonly Layer[];
};

type IndexRequest = {
  readonly failFast: boolean;
  readonly rebuild: boolean;
  /** `total` is null while it is not known. */
  onProgress(step: { readonly phase: string; readonly done: number; readonly total: number | null }): void;
};

/** What indexing did, and what the index holds now. */
export type IndexSummary = Omit<RunSummary, "meta"> & { readonly meta: IndexMeta };

/** A run's wishes, checked. `template` is the user's own, or null for the built-in one. */
export type RetrieveRequest = {
  readonly task: string;
  readonly settings: Settings;
  readonly hintPaths: readonly string[];
  readonly hintSymbols: readonly string[];
  readonly template: { readonly text: string; readonly path: string } | null;
  /** Bring an index up to date that is older than the work tree. */
  readonly refresh: boolean;
  onRefresh: IndexRequest["onProgress"];
};

/** One row of the scoring table: the shares add up to the score. `rank` is the file's in the package. */
export type ScoreRow = {
  readonly rank: number;
  readonly path: string;
  readonly tier: string;
  readonly score: number;
  readonly terms: readonly { readonly signal: string; readonly share: number }[];
};

/** What the package shows of one thing, and what that takes. */
export type ShownRow = {
  readonly path: string;
  readonly item: string;
  readonly tier: string;
  readonly detail: string;
  readonly tokens: number;
};

export type RetrieveResult = {
  readonly package: ContextPackage;
  /** The package in the format that was asked for. */
  readonly rendered: string;
  /** The files in scope, by rank. */
  readonly scores: readonly ScoreRow[];
  /** By rank of the file, then by place in it. */
  readonly shown: readonly ShownRow[];
  /** Inputs that the index could not read. */
  readonly inputsSkipped: number;
};

export type Status = {
  readonly root: string;
  readonly dataDir: string;
  readonly index: IndexMeta | null;
  /** Why the index is older than the work tree; null when it is not. */
  readonly stale: string | null;
  readonly stored: readonly Stored[];
  readonly runs: number;
  readonly versions: readonly (readonly [string, string])[];
};

/** Everything that the command line and the terminal interface can ask for. */
export type App = {
  /** The repository's root, absolute, links resolved. */
  readonly root: string;
  readonly config: Config;
  /** What was noticed on the way here; grows when more is, that is no part of a result. */
  readonly notices: readonly Notice[];
  /** Milliseconds of a clock that never goes back. */
  nowMs(): number;
  isIndexed(): boolean;
  index(request: IndexRequest, signal: AbortSignal): Promise<IndexSummary>;
  retrieve(request: RetrieveRequest, signal: AbortSignal): AsyncGenerator<PipelineEvent, RetrieveResult>;
  search(query: string, limit: number): readonly SearchHit[];
  /**
   * Why things are in the newest round of a task, or not: all of them, or one file, folder or symbol. The id may be
   * the beginning of one; a path may start from the working folder or from the root.
   */
  explain(taskId: string, what: string | null): Promise<Explanation>;
  status(signal: AbortSignal): Promise<Status>;
  close(): void;
};

/** The settings in force, with the repository's root (null outside of one). */
type LoadedConfig = { readonly root: string | null; readonly config: Config };

/** The two ways in; the module itself is one. */
export type AppDoor = {
  openApp(request: AppRequest): Promise<App>;
  openConfig(request: AppRequest): Promise<LoadedConfig>;
};

/** The settings in force in a folder, which need not be in a repository. */
export async function openConfig({ environment, repo, flags }: AppRequest): Promise<LoadedConfig> {
  const { findRepository } = await import("./source/git-folders.ts");
  const start = repo ?? environment.cwd;
  if (!isFolder(start)) {
    const why = isThere(start) ? "it is a file, not a folder" : "there is no such folder";
    throw new Failed({ code: "no-repository", path: start, why });
  }
  const { root } = findRepository(start);
  return { root, config: loadConfig({ flags, variables: environment.variables, root }) };
}

/** Builds the world around the repository that is named, or found upward from the working folder. */
export async function openApp(request: AppRequest): Promise<App> {
  const { environment } = request;
  const { root, config } = await openConfig(request);
  if (root === null) throw new Failed({ code: "no-repository", path: environment.cwd, why: "it is in no repository" });
  const { createDataDir, dataPaths, locateDataDir } = await import("./db/paths.ts");
  const { openKnowledgeBase } = await import("./db/knowledge-base.ts");
  const { openRawLog } = await import("./db/raw-log.ts");
  const dataDir = locateDataDir(root, {
    explicit: config.settings.data_dir,
    uid: environment.uid,
    env: environment.variables,
  });
  const paths = dataPaths(dataDir.path);
  const notices: Notice[] = dataDir.notice === null ? [] : [dataDir.notice];
  const onNotice = (notice: Notice) => void notices.push(notice);
  const opened: { kb: KnowledgeBase | null; log: RawLog | null } = { kb: null, log: null };
  const knowledge = () => (opened.kb ??= openKnowledgeBase(paths.curated, root));
  const forget = () => {
    opened.kb?.close();
    opened.kb = null;
  };
  // Reading must not create a log where there is none.
  const log = () => (opened.log ??= isFile(paths.raw) ? openRawLog(paths.raw, onNotice) : null);
  const isIndexed = () => {
    if (opened.kb !== null) return true;
    try {
      return knowledge() !== null;
    } catch (error) {
      if (error instanceof Failed && error.failure.code === "not-indexed") return false;
      throw error;
    }
  };
  const indexing = async (wish: IndexingWish, onProgress: IndexRequest["onProgress"], signal: AbortSignal) => {
    const { runIndexing } = await import("./app-indexing.ts");
    forget();
    createDataDir(dataDir);
    const summary = await runIndexing(
      { root, paths, settings: config.settings, environment },
      wish,
      onProgress,
      signal,
    );
    return { ...summary, meta: knowledge().meta() };
  };
  const staleness = async (signal: AbortSignal): Promise<string | null> => {
    const { findStaleness } = await import("./app-indexing.ts");
    return findStaleness({ root, paths, settings: config.settings, environment }, knowledge(), signal);
  };
  return {
    root,
    config,
    notices,
    nowMs: () => performance.now(),
    isIndexed,
    index: ({ failFast, rebuild, onProgress }, signal) =>
      indexing({ failFast, rebuild, thorough: true, lockWaitMs: LOCK_WAIT_MS }, onProgress, signal),
    async *retrieve(request, signal) {
      const { planRetrieval, runRetrieval } = await import("./app-retrieval.ts");
      const plan = planRetrieval(request);
      const { refreshIndex } = await import("./app-refresh.ts");
      const index = (lockWaitMs: number) => indexing({ ...REFRESH, lockWaitMs }, request.onRefresh, signal);
      const refreshed = request.refresh
        ? await refreshIndex({ index, staleness: () => staleness(signal) })
        : { notices: [], inputsSkipped: null };
      createDataDir(dataDir);
      try {
        return yield* runRetrieval({ kb: knowledge(), paths, ...refreshed, onNotice }, plan, signal);
      } catch (error) {
        throw withBudgetSource(error, config);
      }
    },
    search: (query, limit) => knowledge().search(query, limit),
    explain: async (taskId, what) => {
      const { explain } = await import("./retrieval/explain.ts");
      const raw = log();
      if (raw === null) throw new Failed({ code: "unknown-task", taskId });
      const place = { root: withSlashes(root), folder: withSlashes(realpathSync(environment.cwd)) };
      return explain(raw, isIndexed() ? knowledge() : null, taskId, what, place);
    },
    status: async (signal) => ({
      root,
      dataDir: dataDir.path,
      index: isIndexed() ? knowledge().meta() : null,
      stale: isIndexed() ? await staleness(signal) : null,
      stored: (await import("./app-storage.ts")).storedIn(paths),
      runs: log()?.runs().length ?? 0,
      versions: [["cra", VERSION.version], ...(await partVersions())],
    }),
    close() {
      forget();
      opened.log?.close();
    },
  };
}

/** Another cra is waited for this long by `cra index`. */
const LOCK_WAIT_MS = 10_000;
const REFRESH: Omit<IndexingWish, "lockWaitMs"> = { failFast: false, rebuild: false, thorough: false };

/** A budget that is too small and was not typed is hard to find: then the failure says where it was set. */
function withBudgetSource(error: unknown, config: Config): unknown {
  if (!(error instanceof Failed) || error.failure.code !== "budget-below-floor") return error;
  const where = budgetSource(config, error.failure.unit);
  return where === null ? error : new Failed({ ...error.failure, where }, { cause: error });
}

/** The versions that results depend on, by name. */
export async function partVersions(): Promise<readonly (readonly [string, string])[]> {
  const { versionsOfParts } = await import("./app-versions.ts");
  return versionsOfParts();
}

const withSlashes = (path: string): string => path.replaceAll(sep, "/");

const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** A path that cannot even be looked at (too long, below a file, a loop of links) leads to nothing. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

const isThere = (path: string): boolean => statOf(path) !== null;
const isFolder = (path: string): boolean => statOf(path)?.isDirectory() ?? false;
