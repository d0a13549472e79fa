/**
 * Updates a repository's index: walk, read, parse new content, resolve, write.
 *
 * Parsed facts are stored immediately; the index changes in one transaction at the end. So readers see the old or the new
 * generation, and the next run continues an interrupted one.
 */

import { onDemand } from "../../concurrency/on-demand.ts";
import type { StoredMeta } from "../../db/curated/meta.ts";
import type { CuratedWriter } from "../../db/curated/write/write.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import { Failed } from "../../failure.ts";
import type { Head } from "../../source/git/git-state.ts";
import { cacheKey, type IndexableFile, type IndexOptions, type ReportProgress } from "../model/index-run.ts";
import type { IndexDeps } from "./index-deps.ts";
import { type IndexSummary, summaryOf, unchangedSummary } from "./index-summary.ts";
import { isLarge } from "./large-run.ts";
import { changeFingerprint, type WalkResult, walkWorkTree } from "./scan/change-fingerprint.ts";
import {
  type BuildVersions,
  buildVersionsOf,
  dueFiles,
  hasSameVersions,
  isFailure,
  knownHistory,
  type Plan,
  planIndex,
  type RepositoryState,
} from "./scan/compare.ts";
import { failIfBehind } from "./scan/due-files.ts";
import { completeCache, forgetFailures, forgetSecrets, scanAndParse, statMaker } from "./scan/scan-and-parse.ts";
import { openScope, type Scope } from "./scan/scan-scope.ts";
import { warmParsers } from "./scan/warm-parsers.ts";
import { type Stopwatch, stopwatch } from "./stopwatch.ts";
import { type HeldHistory, heldHistory, historyToWrite } from "./writer/held-history.ts";
import { openRowQueue, type RowQueue } from "./writer/row-queue.ts";
import type { GenerationOutcome, GenerationRequest } from "./writer/write-generation.ts";

/** The paths of some 30,000 files. */
const PATH_BYTES_TO_FREE = 2 * 1024 * 1024;
/** Indexing fails after this many tries if files keep changing, unless it is `patient`. */
const TRIES_MAX = 3;

/**
 * Indexes the repository. Throws `Failed`: `locked`, `io` (disk, or the first problem under `failFast`),
 * `index-newer`, `index-behind` (`dueMax`); and the signal's reason when aborted, leaving the old generation.
 */
export async function indexRepository(
  deps: IndexDeps,
  options: IndexOptions,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<IndexSummary> {
  const lock = await deps.store.takeLock(signal, () => report({ phase: "wait", done: 0, total: null }));
  try {
    deps.store.prepare();
    return await withRepair(deps, options, report, signal);
  } finally {
    lock.release();
  }
}

/** An index may prove damaged only in use. Then it is moved aside and rebuilt, once. */
async function withRepair(
  deps: IndexDeps,
  options: IndexOptions,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<IndexSummary> {
  try {
    return await run(deps, options, report, signal);
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.code !== "index-damaged") throw error;
    const notice = deps.store.moveAside(error.failure.path, error.failure.why);
    const summary = await run(deps, options, report, signal);
    return notice === null ? summary : { ...summary, notices: [notice, ...summary.notices] };
  }
}

async function run(
  deps: IndexDeps,
  options: IndexOptions,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<IndexSummary> {
  const { writer, notice } = deps.store.openCurated();
  try {
    const cache = deps.store.openCache();
    try {
      const watch = stopwatch(deps.nowMs);
      const run = { deps, options, writer, cache, report, signal, watch, startedMs: deps.nowMs() };
      // With unreadable facts outside of the part, everything is compared.
      const summary = (await update(run, false)) ?? (await update(run, true)) ?? notReadBack();
      return notice === null ? summary : { ...summary, notices: [notice, ...summary.notices] };
    } finally {
      cache.close();
    }
  } finally {
    writer.close();
  }
}

type Run = {
  readonly deps: IndexDeps;
  readonly options: IndexOptions;
  readonly writer: CuratedWriter;
  readonly cache: ParseCache;
  readonly report: ReportProgress;
  readonly signal: AbortSignal;
  readonly watch: Stopwatch;
  readonly startedMs: number;
};

/**
 * One try of a run. It ends when the fingerprint says that nothing changed, when a scan finds the index current, or with a new generation.
 * `isWhole`: all files are compared. Null if a part was not enough.
 */
async function update(run: Run, isWhole: boolean): Promise<IndexSummary | null> {
  const { deps, options, writer, cache, report, signal, watch } = run;
  const versions = buildVersionsOf(deps.build, options);
  // Taken before anything is read, so that any later change shows in the next key.
  const index = deps.store.indexStat();
  const known = writer.meta();
  const head = headOrKnown(await deps.git.readHead(signal), known, deps.git);
  const meta = options.rebuild ? null : known;
  const sameVersions = hasSameVersions(meta, versions);
  // A new HEAD certainly needs the history, so it is read while files are parsed.
  const early = !sameVersions || meta?.head !== head.head || meta.shallow !== head.shallow ? readHistory(run) : null;
  const tracked = (): readonly string[] => writer.files().map(({ path }) => path);
  const warm = warmParsers(deps.parser, cache) ?? undefined;
  const walked = await watch.time("walk", () => walkWorkTree(deps, options, tracked, report, signal, warm));
  // A walk of many files leaves garbage, in whose place the memory of a whole run would grow.
  if (meta === null && walked.tree.packed.paths.length > PATH_BYTES_TO_FREE) Bun.gc(true);
  const fingerprint = changeFingerprint({ ...versions, craCommit: deps.build.craCommit }, head, index, walked);
  const problems = onDemand(() => writer.problems());
  const mayRetry = options.retries && problems().some(({ why }) => isFailure(why));
  // The same SCIP index may cover other files now.
  const isAsked = options.scip !== undefined;
  if (meta !== null && fingerprint !== null && fingerprint === cache.fingerprint() && !mayRetry && !isAsked) {
    keepListings(cache, walked);
    if (!cache.isUsedToday()) markUsed(run, writer.files());
    return unchangedSummary(run, meta, problems());
  }
  const opening = { deps, index, writer, cache, maker: statMaker(deps.build), versions };
  const scope = openScope(opening, walked, meta, isWhole || !sameVersions || mayRetry || isAsked);
  const { stored } = scope;
  const valid = sameVersions ? stored.files : [];
  if (meta !== null) failIfBehind(deps, options, scope.scan, valid);
  const { startWriter, writeHere } = deps.store;
  const rows = openRowQueue(
    () => startWriter(report, signal, { linksAll: !sameVersions, sparesMemory: isLarge(walked.tree) }),
    writeHere === undefined ? null : (request) => writeHere(request, report, signal),
    stored.files,
    known?.counts.files ?? 0,
  );
  try {
    const scan = await watch.time("parse", () =>
      scanAndParse(deps, options, scope.scan, valid, cache, rows, report, signal),
    );
    forgetSecrets(cache, stored.files, scan);
    const { files, recovered, unsettled } = scan;
    const skips = scope.skips(scan.skips);
    const state: RepositoryState = { ...head, files, skips, recovered };
    const first = planIndex(stored, state, versions);
    const read = first.historyDue ? await (early ?? readHistory(run)) : null;
    const problem = read?.problem ?? head.problem;
    if (first.isCurrent && meta !== null && problem === meta.historyProblem && !isAsked) {
      // What could not be read may be readable next time with the same stat key.
      const isSettled = scan.problems.length === 0 && problem === head.problem;
      if (fingerprint !== null && isSettled) cache.setFingerprint(fingerprint);
      keepListings(cache, walked);
      scope.remember(meta, unsettled);
      if (!cache.isUsedToday()) markUsed(run, writer.files());
      const plain = { plan: first, scan: { ...scan, skips }, parsed: 0, changed: false };
      return summaryOf(run, meta, plain, problems());
    }
    const isUnread = problem !== null && deps.git.isUnread(problem);
    const kept = isUnread && known !== null ? knownHistory(known) : null;
    const history = kept === null ? read : null;
    const historyState = { historyProblem: problem, ...(kept === null ? {} : { keptHistory: kept }) };
    const written = await write(run, rows, versions, scope, state, head, history, historyState, read?.store);
    if (written === null) return null;
    scope.remember(written.meta, unsettled);
    const { unparsed } = written;
    if (unparsed.some(({ why }) => isFailure(why))) forgetFailures(cache, writer.files());
    // What did not change was marked earlier in the day.
    markUsed(run, cache.isUsedToday() ? [...written.plan.due] : writer.files());
    return summaryOf(run, written.meta, { ...written, scan: { ...scan, skips }, changed: true }, unparsed);
  } finally {
    await rows.abandon();
  }
}

/** The next walk lists no folder that stays as it is. */
function keepListings(cache: ParseCache, { tree }: WalkResult): void {
  if (tree.listings !== undefined) cache.setListings(tree.listings);
}

/** Keeps the facts of these files in the parse cache, and deletes what no work tree has used for long. */
function markUsed(
  { deps, options, cache }: Run,
  files: readonly Pick<IndexableFile, "contentHash" | "language">[],
): void {
  cache.use(deps.workTree.root, files.map(cacheKey));
  cache.evict(options.cacheBytesMax);
}

/** HEAD, or what is known of it from the index where it cannot be read. */
const headOrKnown = (head: Head, known: StoredMeta | null, { isUnread }: IndexDeps["git"]): Head =>
  head.problem !== null && isUnread(head.problem) && known?.head != null
    ? { ...head, head: known.head, remoteUrl: known.remoteUrl, shallow: known.shallow }
    : head;

/** Starts to read the history; the promise may be awaited much later, or never. */
function readHistory({ deps, options, cache, report, signal, watch }: Run): Promise<HeldHistory> {
  const onProgress = (done: number, total: number): void => report({ phase: "history", done, total });
  const read = watch.time("history", async () => {
    const { commitsMax } = options;
    return heldHistory(await deps.git.readHistory({ commitsMax, known: cache.commits(), signal, onProgress }), cache);
  });
  read.catch(() => undefined); // Awaited later; a failure meanwhile must not end the process.
  return read;
}

type Writing = Omit<Extract<GenerationOutcome, { readonly kind: "applied" }>, "kind"> & {
  readonly plan: Plan;
  readonly parsed: number;
};

/**
 * Writes the generation. If cached facts are lost or unreadable, parses them again and retries; null where they are not of the part.
 * `meanwhile` stores the history that was read; `RowQueue` says when it is called.
 */
async function write(
  run: Run,
  rows: RowQueue,
  versions: BuildVersions,
  { stored, isPart }: Pick<Scope, "stored" | "isPart">,
  state: RepositoryState,
  head: Head,
  history: HeldHistory | null,
  historyState: Pick<StoredMeta, "historyProblem" | "keptHistory">,
  meanwhile: (() => void) | undefined,
): Promise<Writing | null> {
  const { deps, options, cache, report, signal, watch } = run;
  let parsed = 0;
  let current = state;
  let isChanging = false;
  for (let tries = 1; tries <= TRIES_MAX || (isChanging && options.patient === true); tries += 1) {
    const plan = planIndex(stored, current, versions);
    const request = (): GenerationRequest => ({
      repo: {
        path: deps.workTree.root,
        remoteUrl: head.remoteUrl,
        head: head.head,
        indexedAt: new Date(deps.now()).toISOString(),
      },
      meta: {
        ...versions,
        sourceHash: null,
        head: head.head,
        remoteUrl: head.remoteUrl,
        shallow: head.shallow,
        ...historyState,
      },
      due: dueFiles(plan),
      removedIds: plan.removed.map(({ id }) => id),
      skips: plan.sameSkips ? null : current.skips,
      sameVersions: hasSameVersions(stored.meta, versions),
      isRepeated: tries > 1,
      isPartial: false,
      scip: options.scip ?? (options.rebuild ? "forget" : "keep"),
      history: historyToWrite(history, stored.meta, options.coChangeFilesMax),
    });
    // Nothing here keeps what is asked for.
    const outcome = await watch.time("write", () => rows.finish(request(), meanwhile));
    if (outcome.kind === "applied") return { ...outcome, plan, parsed };
    const lost = new Set(outcome.paths);
    const known = new Set([...current.files].map(({ path }) => path));
    if (isPart && !lost.isSubsetOf(known)) return null;
    isChanging = [...current.files].every((file) => !lost.has(file.path) || cache.facts(cacheKey(file)) !== null);
    const complete = await watch.time("parse", () =>
      completeCache(deps, options, current.files, cache, rows, report, signal, lost),
    );
    parsed += complete.parsed;
    current = { ...state, files: complete.files };
  }
  return notReadBack(isChanging ? deps.workTree.root : null);
}

/** `changing` is a folder whose files changed at each try. */
function notReadBack(changing: string | null = null): never {
  const ofFiles = { message: "files keep changing while they are read", next: "try again when they do not" };
  const ofFacts = { message: "cached facts cannot be read back", next: "run: cra clean --cache" };
  throw new Failed({ code: "io", where: changing ?? "parse cache", ...(changing === null ? ofFacts : ofFiles) });
}
