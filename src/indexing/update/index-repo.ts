/**
 * Brings a repository's index up to date: walk, read, parse what is new, resolve, write.
 *
 * Content hashes decide; an unchanged repository parses nothing and writes nothing. Parsed facts are kept
 * at once, the index itself changes in one transaction at the end, so readers see the old or the new
 * generation and an interrupted run is continued by the next. Runs on the main thread, awaiting workers.
 * Not here: opening anything (`index-deps.ts` says what is handed in).
 */
import type { StoredMeta } from "../../db/curated/meta.ts";
import type { CuratedWriter } from "../../db/curated/write.ts";
import type { CachedCommit, ParseCache } from "../../db/parse-cache/parse-cache.ts";
import { Failed, type Notice } from "../../failure.ts";
import type { Head } from "../../source/git/git-state.ts";
import { byPath } from "../../text/order.ts";
import { glanceAt, walkNow } from "./change-fingerprint.ts";
import {
  type Found,
  type FoundFile,
  indexContentHash,
  isMadeAlike,
  type Making,
  makingOf,
  type Plan,
  planIndex,
  type Skip,
  type Stored,
} from "./compare.ts";
import type { IndexDeps, IndexOptions } from "./index-deps.ts";
import { type PhaseTimes, type ReportProgress, type Stopwatch, stopwatch } from "./progress.ts";
import { type Rows, rowWriter } from "./row-batches.ts";
import { completeCache, forgetSecrets, type Gathered, gather, type Problem } from "./scan-and-parse.ts";
import type { ApplyRequest } from "./write-generation.ts";

/** What a run of indexing did, and what the index holds now. */
export type IndexSummary = {
  /** False when the index was current already. */
  readonly changed: boolean;
  readonly meta: StoredMeta;
  readonly files: {
    readonly added: number;
    readonly changed: number;
    readonly removed: number;
    readonly unchanged: number;
  };
  readonly parsed: number;
  readonly fromCache: number;
  readonly skips: readonly Skip[];
  /** Files that could not be read (left out) or parsed (indexed as text), by path. */
  readonly problems: readonly Problem[];
  readonly notices: readonly Notice[];
  readonly ms: PhaseTimes;
  readonly msTotal: number;
  /** Size of the index on disk. */
  readonly bytes: number;
};

/** A file that keeps changing while it is indexed is given up after this many tries. */
const TRIES_MAX = 3;

/**
 * Indexes the repository. Throws `Failed`: `locked`, `io` (disk, or the first problem under `failFast`),
 * `index-newer`; and the signal's reason when aborted, leaving the old generation.
 */
export async function indexRepository(
  deps: IndexDeps,
  options: IndexOptions,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<IndexSummary> {
  const lock = await deps.takeLock(signal);
  try {
    return await withRepair(deps, options, report, signal);
  } finally {
    lock.release();
  }
}

/** Damage may show only while the index is used; then it is moved aside and built anew, once. */
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
    const notice = deps.moveAside(error.failure.path, error.failure.why);
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
  const { writer, notice } = deps.openCurated();
  try {
    const cache = deps.openCache();
    try {
      const summary = await update({
        deps,
        options,
        writer,
        cache,
        report,
        signal,
        watch: stopwatch(deps.now),
        startedAt: deps.now(),
      });
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
  readonly startedAt: number;
};

async function update(run: Run): Promise<IndexSummary> {
  const { deps, options, writer, cache, report, signal, watch } = run;
  const making = makingOf(deps, options);
  // Before anything is read of it: what changes from here on shows in the next mark.
  const index = deps.indexMark();
  const head = await deps.readHead(signal);
  const meta = options.rebuild ? null : writer.meta();
  const alike = isMadeAlike(meta, making);
  // A new HEAD needs the history for sure, so it is read while files are parsed.
  const early = !alike || meta?.head !== head.head || meta.shallow !== head.shallow ? reading(run) : null;
  const walked = await watch.time("walk", () => walkNow(deps, options, report, signal));
  const glance = glanceAt({ ...making, craCommit: deps.craCommit }, head, index, walked);
  if (meta !== null && glance !== null && glance === cache.fingerprint()) return unchangedSummary(run, meta);
  const stored: Stored = { meta, files: writer.files(), skips: writer.skips() };
  const rows = rowWriter(() => deps.apply(report, signal), stored);
  try {
    const gathered = await watch.time("parse", () =>
      gather(deps, options, walked, alike ? stored.files : [], cache, rows, report, signal),
    );
    forgetSecrets(cache, stored.files, gathered);
    const found: Found = { ...head, files: gathered.files, skips: gathered.skips };
    const first = planIndex(stored, found, making);
    const history = first.historyDue ? await (early ?? reading(run)) : null;
    const problem = history?.problem ?? head.problem;
    if (first.isCurrent && meta !== null && problem === meta.historyProblem) {
      // What could not be read may be readable next time, although no mark differs.
      const isSettled = gathered.problems.length === 0 && problem === head.problem;
      if (glance !== null && isSettled) cache.setFingerprint(glance);
      return summaryOf(run, meta, { plan: first, gathered, parsed: 0, changed: false });
    }
    const written = await write(run, rows, making, stored, found, head, history, problem);
    if (history !== null) cache.setCommits(history.commits);
    cache.evict(
      options.cacheBytesMax,
      written.files.map(({ contentHash: hash, language }) => ({ hash, language })),
    );
    return summaryOf(run, written.meta, { ...written, gathered, changed: true });
  } finally {
    await rows.abandon();
  }
}

type ReadHistory = { readonly commits: readonly CachedCommit[]; readonly problem: string | null };

function reading({ deps, options, cache, report, signal, watch }: Run): Promise<ReadHistory> {
  const onProgress = (done: number, total: number): void => report({ phase: "history", done, total });
  const read = watch.time("history", () =>
    deps.readHistory({ commitsMax: options.commitsMax, known: cache.commits(), signal, onProgress }),
  );
  read.catch(() => undefined); // Awaited later; a failure meanwhile must not end the process.
  return read;
}

type Writing = {
  readonly meta: StoredMeta;
  readonly plan: Plan;
  readonly parsed: number;
  readonly files: readonly FoundFile[];
};

/** Writes the generation; where the cache lost facts, or cannot read them any more, they are made again and it is tried again. */
async function write(
  run: Run,
  rows: Rows,
  making: Making,
  stored: Stored,
  found: Found,
  head: Head,
  history: ReadHistory | null,
  historyProblem: string | null,
): Promise<Writing> {
  const { deps, options, cache, report, signal, watch } = run;
  let parsed = 0;
  let now = found;
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const plan = planIndex(stored, now, making);
    const request: ApplyRequest = {
      repo: {
        path: deps.root,
        remoteUrl: head.remoteUrl,
        head: head.head,
        indexedAt: new Date(deps.now()).toISOString(),
      },
      meta: {
        ...making,
        contentHash: indexContentHash(now.files, head, making),
        head: head.head,
        remoteUrl: head.remoteUrl,
        shallow: head.shallow,
        historyProblem,
      },
      due: [...plan.added, ...plan.changed].sort((a, b) => (a.path < b.path ? -1 : 1)),
      removedIds: plan.removed.map(({ id }) => id),
      skips: now.skips,
      alike: isMadeAlike(stored.meta, making),
      isRepeated: tries > 1,
      history: history === null ? null : { commits: history.commits, filesMax: options.coChangeFilesMax },
    };
    const outcome = await watch.time("write", () => rows.finish(request));
    if (outcome.kind === "applied") return { meta: outcome.meta, plan, parsed, files: now.files };
    const lost = new Set(outcome.paths);
    for (const { path, contentHash: hash, language } of now.files) if (lost.has(path)) cache.drop({ hash, language });
    const complete = await watch.time("parse", () =>
      completeCache(deps, options, now.files, cache, rows, report, signal),
    );
    parsed += complete.parsed;
    now = { ...found, files: complete.files };
  }
  throw new Failed({
    code: "io",
    message: "its cached facts cannot be read back",
    where: "parse cache",
    next: "run: cra clean --cache",
  });
}

/** The summary of a full look that finds nothing to do. */
function unchangedSummary(run: Run, meta: StoredMeta): IndexSummary {
  const { writer, report } = run;
  const { files } = meta.counts;
  report({ phase: "read", done: files, total: files, bytes: 0 });
  const gathered = { files: [], skips: writer.skips().toSorted(byPath), problems: [], parsed: 0, fromCache: 0 };
  const plan = { added: [], changed: [], removed: [], unchanged: { length: files } };
  return summaryOf(run, meta, { plan, gathered, parsed: 0, changed: false });
}

type PlanSizes = Readonly<Record<"added" | "changed" | "removed" | "unchanged", { readonly length: number }>>;

function summaryOf(
  { deps, writer, watch, startedAt }: Run,
  meta: StoredMeta,
  {
    plan,
    gathered,
    parsed,
    changed,
  }: { readonly plan: PlanSizes; readonly gathered: Gathered; readonly parsed: number; readonly changed: boolean },
): IndexSummary {
  return {
    changed,
    meta,
    files: {
      added: plan.added.length,
      changed: plan.changed.length,
      removed: plan.removed.length,
      unchanged: plan.unchanged.length,
    },
    parsed: gathered.parsed + parsed,
    fromCache: gathered.fromCache,
    skips: gathered.skips,
    problems: [...gathered.problems, ...writer.problems()].sort(byPath),
    notices: meta.historyProblem === null ? [] : [{ code: "history-missing", why: meta.historyProblem }],
    ms: watch.times(),
    msTotal: deps.now() - startedAt,
    bytes: deps.indexBytes(),
  };
}
