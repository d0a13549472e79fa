/**
 * Brings the index up to date with the work tree, from an export of another machine too, and records the run in the log.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { IndexMeta } from "../../db/curated/meta.ts";
import { openRawLog } from "../../db/raw-log/open-raw-log.ts";
import type { IndexRunRow } from "../../db/raw-log/raw-log.ts";
import { Failed, type Failure } from "../../failure.ts";
import type { Amount } from "../../indexing/model/index-run.ts";
import { indexRepository } from "../../indexing/update/index-repo.ts";
import type { IndexSummary as RunSummary } from "../../indexing/update/index-summary.ts";
import { walkWorkTree } from "../../indexing/update/scan/change-fingerprint.ts";
import { dueBeyond } from "../../indexing/update/scan/due-files.ts";
import { statMaker } from "../../indexing/update/scan/scan-and-parse.ts";
import { wholeScope } from "../../indexing/update/scan/scan-scope.ts";
import { describeStaleness } from "../../indexing/update/scan/staleness.ts";
import type { Notice } from "../../notice.ts";
import { readGivenFile } from "../../source/files/read-file.ts";
import { openParsePool } from "../../syntax/parse/parse-pool.ts";
import { VERSION } from "../../version.ts";
import { type Mended, mendAllButIndex } from "../upkeep/doctor.ts";
import type { OnProgress } from "../workspace/environment.ts";
import { createIfWritable, type Workspace } from "../workspace/workspace.ts";
import type { Imported } from "./import-index.ts";
import {
  EXTRACTOR,
  indexDeps,
  LIGHT_RUN,
  LOCK_WAIT_MS,
  optionsOf,
  type RunOptions,
  workersOf,
} from "./indexing-deps.ts";
import { keepForOthers, seedIndex } from "./seed-index.ts";
import { isWalkedAhead, walkLater } from "./walk-ahead.ts";

export type IndexRequest = {
  readonly failFast: boolean;
  readonly rebuild: boolean;
  /** An export of another machine, as a file or a URL. Contents that it knows are not parsed here. */
  readonly importFrom?: string;
  /** A SCIP index, as a file. */
  readonly scipFrom?: string;
  /** A team's store, and the name of this repository in it. */
  readonly fromStore?: FromStoreRequest;
  readonly onProgress: OnProgress;
};

/** A store as it was named: its address, a bucket for its chunks, and the option that named it. */
export type StoreName = { readonly address: string; readonly bucket?: string | undefined; readonly flag: string };

/**
 * `name` is that of the repository in the store; by default it is made from the remote. `share` lets other machines parse what the store
 * lacks.
 */
export type FromStoreRequest = {
  readonly store: StoreName;
  readonly name?: string | undefined;
  readonly share?: boolean;
};

/**
 * What came from a store. `from` is its address without password. `commit` is that of the index that this one began with, null if it began
 * with none; `unknown` of its files had to be made again. `bytes` were received, packed.
 */
export type TakenFromStore = {
  readonly from: string;
  readonly repository: string | null;
  readonly commit: string | null;
  readonly unknown: number;
  readonly contents: number;
  readonly compared: number;
  readonly refused: number;
  readonly bytes: number;
};

/** What indexing did, and what the index holds now. */
export type IndexSummary = Omit<SeededSummary, "meta"> & {
  readonly meta: IndexMeta;
  readonly imported?: Imported;
  readonly fromStore?: TakenFromStore;
};

/** `seededFrom` is the work tree whose index was copied, or the index of one that is gone; null for none. */
type SeededSummary = RunSummary & { readonly seededFrom: string | null };

/** Runs `cra index`. See `indexRepository` for what it throws. */
export async function index(workspace: Workspace, request: IndexRequest, signal: AbortSignal): Promise<IndexSummary> {
  const { importFrom, onProgress } = request;
  const options = askedOptions(workspace, request);
  if (importFrom === undefined) return updateAhead(workspace, options, onProgress, signal);
  const { openImport } = await import("./import-index.ts");
  const { adoption, notices, imported } = await openImport(workspace, importFrom, onProgress, signal);
  const summary = await updateIndex(workspace, { ...options, adoption }, onProgress, signal);
  return { ...summary, notices: [...notices, ...summary.notices], imported: imported() };
}

/** Brings the index up to date. A large work tree is walked while the bytes of its index are checked. */
async function updateAhead(
  workspace: Workspace,
  options: RunOptions,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<IndexSummary> {
  if (!isWalkedAhead(workspace)) return updateIndex(workspace, options, onProgress, signal);
  const walking = walkLater(workspace);
  try {
    return await updateIndex(workspace, { ...options, walking, prepare: walking.start }, onProgress, signal);
  } finally {
    walking.close();
  }
}

/** The options of a run that the user asked for, rather than one before an answer. */
export function askedOptions(workspace: Workspace, { failFast, rebuild, scipFrom }: IndexRequest): RunOptions {
  const scip = scipFrom === undefined ? {} : { scip: readScip(workspace, scipFrom) };
  return { failFast, rebuild, thorough: true, lockWaitMs: LOCK_WAIT_MS, ...scip };
}

/** The bytes of a SCIP index, named relative to the working folder. They are checked where they are used. */
function readScip({ environment }: Workspace, file: string): Uint8Array {
  const path = resolve(environment.cwd, file);
  const read = existsSync(path) ? readGivenFile(path, SCIP_BYTES_MAX) : { why: "there is no such file" };
  if ("bytes" in read) return read.bytes;
  throw new Failed({ code: "io", message: read.why, where: file, next: "nothing was changed; leave out --scip" });
}

const SCIP_BYTES_MAX = 512 * 1024 * 1024;

/** Brings the index up to date. The open index is closed, and opened again when it is next used; one for an answer stays meanwhile. */
export async function updateIndex(
  workspace: Workspace,
  options: RunOptions,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<IndexSummary> {
  const { index: handle } = workspace;
  if (!handle.isProvisional()) handle.close();
  workspace.createDataFolder();
  const summary = await runIndexing(workspace, options, onProgress, signal);
  // Something may have opened the index meanwhile, and would read it as it was.
  handle.close();
  return { ...summary, meta: handle.open().meta() };
}

/** `at` is the time of day; `ms` is of a monotonic clock, because the time of day may be set during a run. */
type Started = { readonly at: string; readonly ms: number };

async function runIndexing(
  workspace: Workspace,
  options: RunOptions,
  report: OnProgress,
  signal: AbortSignal,
): Promise<SeededSummary> {
  const workers = workersOf(workspace);
  const pool = openParsePool({ workersMax: workers });
  const started: Started = { at: new Date().toISOString(), ms: performance.now() };
  try {
    const mended = options.rebuild ? await mendAllButIndex(workspace.paths, report, signal) : NOTHING_MENDED;
    let seededFrom: string | null = null;
    const prepare = (): void => {
      if (!options.rebuild) seededFrom = seedIndex(workspace);
      options.prepare?.();
    };
    const deps = indexDeps(workspace, { ...options, prepare }, pool, workers, mended.damage);
    const indexed = await indexRepository(deps, optionsOf(workspace, options), report, signal);
    const parsed = indexed.parsed - (options.adoption?.takenOver() ?? 0);
    const summary = { ...indexed, parsed, notices: [...mended.notices, ...indexed.notices], seededFrom };
    if (summary.changed || options.thorough || seededFrom !== null) keepForOthers(workspace);
    // A refresh without changes comes before every retrieval, and is not recorded.
    if (!summary.changed && !options.thorough) return summary;
    const notices = record(workspace, started, summary.changed ? "finished" : "unchanged", summary);
    return { ...summary, notices: [...summary.notices, ...notices] };
  } catch (error) {
    recordIfPossible(workspace, started, error, signal.aborted ? "cancelled" : "failed");
    throw error;
  } finally {
    pool.close();
  }
}

const NOTHING_MENDED: Mended = { damage: null, notices: [] };

const UNRECORDED: ReadonlySet<Failure["code"]> = new Set(["locked", "io", "index-behind"]);

/** A run that ended before it did anything is not recorded: another cra is writing, nothing can be written, or it gave up. */
function recordIfPossible(workspace: Workspace, started: Started, error: unknown, status: IndexRunRow["status"]): void {
  if (error instanceof Failed && UNRECORDED.has(error.failure.code)) return;
  try {
    record(workspace, started, status, null);
  } catch {
    // A log that cannot be written must not hide why indexing failed.
  }
}

/** Appends the run to the raw log. Returns what happened to the log itself. */
function record(
  { root, paths }: Workspace,
  started: Started,
  status: IndexRunRow["status"],
  summary: RunSummary | null,
): readonly Notice[] {
  const notices: Notice[] = [];
  const log = openRawLog(paths.raw, (notice) => notices.push(notice));
  try {
    log.appendIndexRun({
      repoPath: root,
      head: summary?.meta.head ?? null,
      contentHash: summary?.meta.contentHash ?? null,
      craVersion: VERSION.version,
      startedAt: started.at,
      ms: Math.round(performance.now() - started.ms),
      status,
      summary:
        summary === null ? null : { files: summary.files, parsed: summary.parsed, skipped: summary.skips.length },
    });
  } finally {
    log.close();
  }
  return notices;
}

/** How the index differs from the work tree, as a phrase; null when they agree. */
export async function findStaleness(workspace: Workspace, signal: AbortSignal): Promise<string | null> {
  const kb = workspace.index.open();
  const { sourceHash, head } = kb.meta();
  const pool = openParsePool({ workersMax: 1 });
  try {
    const deps = indexDeps(workspace, LIGHT_RUN, pool, 1);
    const indexed = { files: kb.storedFiles(), sourceHash, head };
    return await describeStaleness(deps, optionsOf(workspace, LIGHT_RUN), indexed, signal);
  } finally {
    pool.close();
  }
}

/** Whether indexing would have to parse more than this. Takes no lock. */
export async function isDueBeyond(
  workspace: Workspace,
  limit: Amount,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<boolean> {
  const { index } = workspace;
  const kb = index.exists() ? index.open() : null;
  const stored = kb !== null && kb.meta().extractorVersion === EXTRACTOR ? kb.storedFiles() : [];
  const pool = openParsePool({ workersMax: 1 });
  const options = optionsOf(workspace, LIGHT_RUN);
  const deps = indexDeps(workspace, LIGHT_RUN, pool, 1);
  createIfWritable(workspace);
  const cache = deps.store.openCache();
  try {
    const walked = await walkWorkTree(deps, options, () => stored.map(({ path }) => path), onProgress, signal);
    const scope = wholeScope(deps.workTree, walked, cache.statEntries(statMaker(deps.build)));
    return dueBeyond(deps.workTree, options, scope, stored, limit) !== null;
  } finally {
    cache.close();
    pool.close();
  }
}
