/**
 * Builds the world once: repository, settings, databases, clock. Below this line nothing constructs any of
 * them; capabilities are handed what they need.
 *
 * Edges are loaded when they are first asked for, so a command pays only for what it uses. An opened
 * app is closed by whoever opened it.
 */

import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { sep } from "node:path";
import { loadConfig } from "../config/read-files.ts";
import type { KnowledgeBase } from "../db/curated/knowledge-base.ts";
import type { RawLog } from "../db/raw-log/raw-log.ts";
import { Failed, type Notice } from "../failure.ts";
import { VERSION } from "../version.ts";
import type { App, AppRequest, IndexRequest, IndexSummary, LoadedConfig, RetrieveRequest } from "./app-types.ts";
import { changedFiles, indexedFile, namesIn } from "./browse-index.ts";
import type { IndexingWish } from "./index-repository.ts";
import { guardedModel, openRedactor, withoutSecrets } from "./redaction.ts";
import { appMemory } from "./remember.ts";

/** The settings in force in a folder, which need not be in a repository. */
export async function openConfig({ environment, repo, flags }: AppRequest): Promise<LoadedConfig> {
  const { findRepository } = await import("../source/git/folders.ts");
  const start = repo ?? environment.cwd;
  if (!isFolder(start)) {
    const why = isThere(start) ? "it is a file, not a folder" : "there is no such folder";
    throw new Failed({ code: "no-repository", path: start, why });
  }
  const { root, kind } = findRepository(start);
  const workTree = kind === "bare" ? null : root;
  return { root: workTree, config: loadConfig({ flags, variables: environment.variables, root: workTree }) };
}

/** Builds the world around the repository that is named, or found upward from the working folder. */
export async function openApp(request: AppRequest): Promise<App> {
  const { environment } = request;
  const { root, config } = await openConfig(request);
  if (root === null) {
    const why = "it is a bare repository, which has no work tree";
    throw new Failed({ code: "no-repository", path: request.repo ?? environment.cwd, why });
  }
  const { createDataDir, dataPaths, locateDataDir } = await import("../db/data-folder/paths.ts");
  const { openDrafts } = await import("../db/session/drafts.ts");
  const { openKnowledgeBase } = await import("../db/curated/open-knowledge-base.ts");
  const { openRawLog } = await import("../db/raw-log/open-raw-log.ts");
  const { redactedIndex } = await import("../db/curated/redacted.ts");
  const { redactedLog } = await import("../db/raw-log/redacted.ts");
  const redactor = await openRedactor(config.settings);
  const dataDir = locateDataDir(root, {
    explicit: config.settings.data_dir,
    uid: environment.uid,
    env: environment.variables,
  });
  const paths = dataPaths(dataDir.path);
  const notices: Notice[] = dataDir.notice === null ? [] : [dataDir.notice];
  const onNotice = (notice: Notice) => void notices.push(notice);
  const opened: { kb: KnowledgeBase | null; log: RawLog | null } = { kb: null, log: null };
  const knowledge = () => (opened.kb ??= redactedIndex(openKnowledgeBase(paths.curated, root), redactor));
  const openIndex = () => opened.kb;
  const forget = () => {
    opened.kb?.close();
    opened.kb = null;
  };
  // Reading must not create a log where there is none.
  const openLog = () => (opened.log ??= redactedLog(openRawLog(paths.raw, onNotice), redactor));
  const log = () => (isFile(paths.raw) ? openLog() : opened.log);
  const isIndexed = () => {
    if (opened.kb !== null) return true;
    try {
      return knowledge() !== null;
    } catch (error) {
      if (error instanceof Failed && error.failure.code === "not-indexed") return false;
      throw error;
    }
  };
  const world = { root, paths, settings: config.settings, environment };
  const recallWorld = {
    path: paths.memory,
    vectors: paths.vectors,
    knowledge,
    settings: config.settings,
    redactor,
    onNotice,
  };
  const drafts = openDrafts(paths.sessions, () => void createDataDir(dataDir));
  const indexing = async (wish: IndexingWish, onProgress: IndexRequest["onProgress"], signal: AbortSignal) => {
    const { runIndexing } = await import("./index-repository.ts");
    forget();
    createDataDir(dataDir);
    const summary = await runIndexing(world, wish, onProgress, signal);
    // Somebody may have looked into the index meanwhile, and what is open shows it as it was.
    forget();
    return { ...summary, meta: knowledge().meta() };
  };
  const staleness = async (signal: AbortSignal): Promise<string | null> => {
    const { findStaleness } = await import("./index-repository.ts");
    return findStaleness(world, knowledge(), signal);
  };
  /** Runs a request on an index that is fresh, if it is to be. `before` is an earlier run of the same task. */
  async function* retrieving(
    request: RetrieveRequest,
    before: { readonly round: number; readonly contentHash: string } | null,
    signal: AbortSignal,
  ) {
    const { planRetrieval, runRetrieval } = await import("./retrieve.ts");
    const plan = planRetrieval(request);
    const { refreshIndex } = await import("./refresh-index.ts");
    const index = (lockWaitMs: number) => indexing({ ...REFRESH, lockWaitMs }, request.onRefresh, signal);
    const refreshed = request.refresh
      ? await refreshIndex({ index, staleness: () => staleness(signal) })
      : { notices: [], inputsSkipped: null };
    createDataDir(dataDir);
    const kb = knowledge();
    const asked =
      request.changes === undefined
        ? { request, notices: [] }
        : await (await import("./diff.ts")).withChanges({ ...world, kb }, request, request.changes, signal);
    const hasChanged = before !== null && before.contentHash !== kb.meta().contentHash;
    const changed: readonly Notice[] = hasChanged ? [{ code: "index-changed", round: before.round }] : [];
    const notices = [...refreshed.notices, ...changed, ...asked.notices];
    const { variables } = environment;
    const runWorld = { kb, openIndex, paths, redactor, variables, ...refreshed, notices, onNotice };
    return yield* runRetrieval(runWorld, { ...plan, request: asked.request }, signal);
  }
  const coverage = async () => {
    const { coverageOf } = await import("../enrichment/coverage.ts");
    const { knownFrom } = await import("../enrichment/known.ts");
    return coverageOf(knowledge(), knownFrom(log()?.enrichments() ?? []));
  };
  return {
    root,
    config,
    notices,
    nowMs: () => performance.now(),
    isIndexed,
    async index({ failFast, rebuild, importFrom, onProgress }, signal) {
      const wish: IndexingWish = { failFast, rebuild, thorough: true, lockWaitMs: LOCK_WAIT_MS };
      if (importFrom === undefined) return indexing(wish, onProgress, signal);
      const { openImport } = await import("./import-index.ts");
      const { adoption, notices, imported } = await openImport(world, importFrom, onProgress, signal);
      const summary = await indexing({ ...wish, adoption }, onProgress, signal);
      return { ...summary, notices: [...notices, ...summary.notices], imported: imported() };
    },
    exportIndex: async (onProgress, signal) =>
      (await import("./export-index.ts")).exportFacts({ ...world, kb: knowledge(), redactor }, onProgress, signal),
    async *watch({ failFast, rebuild, onProgress }, signal) {
      const { watchIndex } = await import("./watch.ts");
      let wish: IndexingWish = { failFast, rebuild, thorough: true, lockWaitMs: LOCK_WAIT_MS };
      const index = async (): Promise<IndexSummary> => {
        const summary = await indexing(wish, onProgress, signal);
        wish = { ...wish, rebuild: false, thorough: false, lockWaitMs: 0 };
        return summary;
      };
      const paths = ({ skips }: IndexSummary) => [...knowledge().files(), ...skips].map(({ path }) => path);
      return yield* watchIndex({ root, index, paths }, signal);
    },
    async *retrieve(asked, signal) {
      const request = withoutSecrets(asked, redactor);
      try {
        const result = yield* retrieving(request, null, signal);
        const { reproductionOfRequest } = await import("./refine.ts");
        // Where it was nothing but changes, the run has worded it.
        const { raw_description: task } = result.package.task_query;
        return { ...result, reproduction: reproductionOfRequest({ ...request, task }, result.constraints, config) };
      } catch (error) {
        const { withBudgetSource } = await import("./retrieve.ts");
        throw withBudgetSource(error, config);
      }
    },
    async *refine(request, signal) {
      const { planRefinement, reproduction } = await import("./refine.ts");
      const found = planRefinement(log(), paths.sessions, config, request);
      const plan = { ...found, retrieve: withoutSecrets(found.retrieve, redactor) };
      const result = yield* retrieving(plan.retrieve, plan.before, signal);
      return { ...result, reproduction: reproduction(plan, result.constraints, config) };
    },
    async *enrich({ onNotice: tell, onRefresh, ...wish }, signal) {
      const { openModel, sendingNotice } = await import("./open-model.ts");
      const { settings } = config;
      const model =
        settings.model === null
          ? null
          : guardedModel(await openModel(settings.model, settings, environment.variables), redactor);
      const sending = model === null ? null : sendingNotice(settings);
      const { refreshIndex } = await import("./refresh-index.ts");
      const index = (lockWaitMs: number) => indexing({ ...REFRESH, lockWaitMs }, onRefresh, signal);
      const refreshed = await refreshIndex({ index, staleness: () => staleness(signal) });
      for (const notice of refreshed.notices) tell(notice);
      const { runEnrichment } = await import("./enrich.ts");
      forget();
      return yield* runEnrichment({ root, paths, model, redactor, sending, environment, onNotice: tell }, wish, signal);
    },
    async reopen(taskId, signal) {
      const { reopen } = await import("./reopen-round.ts");
      return reopen(
        { kb: knowledge, openIndex, log: log(), paths, redactor, variables: environment.variables, config, onNotice },
        taskId,
        signal,
      );
    },
    earlierTasks: (limit) => [...new Set((log()?.runs() ?? []).map(({ task }) => task).reverse())].slice(0, limit),
    search: (query, limit) => knowledge().search(query, limit),
    names: () => namesIn(knowledge()),
    indexedFile: (path) => indexedFile(knowledge(), path),
    changedFiles: (paths) => changedFiles(knowledge(), root, paths),
    drafts: { ...drafts, write: (taskId, draft) => drafts.write(taskId, redactor.value(draft)) },
    memory: appMemory({ path: paths.memory, redactor, makeFolder: () => void createDataDir(dataDir), log }),
    recall: async (request, signal) => (await import("./recall.ts")).recallContext(recallWorld, request, signal),
    premortem: async (request, signal) => (await import("./recall.ts")).premortem(recallWorld, request, signal),
    embedAll: async (model, request, signal) =>
      (await import("./embed.ts")).embedAll(
        { ...recallWorld, index: isIndexed() ? knowledge() : null },
        model,
        request,
        signal,
      ),
    values: async (request, signal) =>
      (await import("./values.ts")).rebuildValues(
        { paths, settings: config.settings, redactor, variables: environment.variables },
        request,
        signal,
      ),
    explain: async (taskId, what) => {
      const { explain } = await import("../retrieval/explain/explain.ts");
      const raw = log();
      if (raw === null) throw new Failed({ code: "unknown-task", taskId });
      const place = { root: withSlashes(root), folder: withSlashes(realpathSync(environment.cwd)) };
      return explain(raw, isIndexed() ? knowledge() : null, taskId, what, place);
    },
    runRecord: async (taskId, round) => {
      const { runRecord } = await import("../retrieval/explain/run-record.ts");
      const raw = log();
      if (raw === null) throw new Failed({ code: "unknown-task", taskId });
      return runRecord(raw, taskId, round);
    },
    sessions: async () => (await import("./sessions.ts")).storedSessions(paths, log()),
    archive: async (wish, signal) => {
      const { archiveSessions } = await import("./sessions.ts");
      return archiveSessions({ paths, log: log(), openLog, environment }, wish, signal);
    },
    escalate: async (request, signal) => {
      const { runEscalation } = await import("./escalate.ts");
      const { escalationMemory } = await import("./escalate-memory.ts");
      const memory = escalationMemory(recallWorld);
      const world = { root, dataDir: dataDir.path, config, environment, memory, redactor };
      return runEscalation(world, request, signal);
    },
    status: async (signal) => ({
      root,
      dataDir: dataDir.path,
      index: isIndexed() ? knowledge().meta() : null,
      stale: isIndexed() ? await staleness(signal) : null,
      enrichment: isIndexed() ? await coverage() : null,
      stored: (await import("./storage.ts")).storedIn(paths),
      runs: log()?.runs().length ?? 0,
      versions: [["cra", VERSION.version], ...(await partVersions())],
    }),
    examine: async (onProgress, signal) => {
      const { examine } = await import("./doctor.ts");
      return examine({ root, dir: dataDir, paths, uid: environment.uid }, onProgress, signal);
    },
    disk: async () => ({ dataDir: paths.folder, uses: (await import("./storage.ts")).diskUses(paths) }),
    clean: async (named, { dryRun }) => {
      const { clean, cleanable } = await import("./clean.ts");
      return dryRun ? cleanable(paths, named) : clean(paths, named, environment);
    },
    close() {
      forget();
      opened.log?.close();
    },
  };
}

/** Another cra is waited for this long by `cra index`. */
const LOCK_WAIT_MS = 10_000;
const REFRESH: Omit<IndexingWish, "lockWaitMs"> = { failFast: false, rebuild: false, thorough: false };

/** The versions that results depend on, by name. */
export async function partVersions(): Promise<readonly (readonly [string, string])[]> {
  const { versionsOfParts } = await import("./versions.ts");
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
