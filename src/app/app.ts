/**
 * The door to everything cra can do: opens a repository and offers one function for each use case.
 *
 * A use case's file is loaded when it is first called, so a command pays only for what it uses. The caller closes the app.
 */
import { statSync } from "node:fs";
import { loadConfig } from "../config/read-files.ts";
import type { Config } from "../config/settings.ts";
import { type Drafts, openDrafts } from "../db/session/drafts.ts";
import type { EscalationDecision, RetrievalBundle } from "../escalation/escalation-schema.ts";
import { Failed } from "../failure.ts";
import type { Notice } from "../notice.ts";
import type { FormattedContext } from "../recall/context/context-json.ts";
import type { PremortemRequest } from "../recall/context/premortem.ts";
import type { Explanation } from "../retrieval/explain/explain.ts";
import type { RunRecord } from "../retrieval/explain/run-record.ts";
import type { PipelineEvent } from "../retrieval/model/events.ts";
import { isUntracked } from "../source/walk/untracked.ts";
import { browseIndex, type IndexedFile, type IndexedName } from "./indexing/browse-index.ts";
import type { EnrichProgress, EnrichRequest, EnrichSummary } from "./indexing/enrich.ts";
import type { Exported } from "./indexing/export-index.ts";
import type { IndexRequest, IndexSummary } from "./indexing/index-repository.ts";
import type { SourceFound, SourceLines } from "./indexing/read-source.ts";
import type { SearchRequest, SearchResult } from "./indexing/search-index.ts";
import type { Status } from "./indexing/status.ts";
import type { EmbedSummary } from "./memory/embed.ts";
import type { EscalateRequest } from "./memory/escalate.ts";
import type { RecallQuestion } from "./memory/recall.ts";
import { type AppMemory, appMemory } from "./memory/remember.ts";
import type { ValuesSummary } from "./memory/values.ts";
import type { ReturnRequest, TaskRound } from "./retrieval/earlier-rounds.ts";
import type { GivenCode } from "./retrieval/given-code.ts";
import type { RefineRequest } from "./retrieval/refine.ts";
import type { Reopened } from "./retrieval/reopen.ts";
import type { RetrieveResult } from "./retrieval/retrieve.ts";
import type { RetrieveRequest } from "./retrieval/retrieve-request.ts";
import type { Pushed, PushRequest, QueuedCommit } from "./team/push.ts";
import type { Checkup } from "./upkeep/doctor.ts";
import type { ModelStatus } from "./upkeep/model-status.ts";
import type { ArchiveReport, ArchiveRequest, StoredSession } from "./upkeep/sessions.ts";
import type { Cleaned, DiskUse, FreedBy } from "./upkeep/storage.ts";
import type { AppRequest, LoadedConfig, OnProgress, Reporting } from "./workspace/environment.ts";
import { type Member, withMemberPaths } from "./workspace/members.ts";
import type { OpenStored, Workspace } from "./workspace/workspace.ts";

/** Everything that the command line, MCP and the terminal interface can ask for. */
export type App = AppState & Indexing & Browsing & Packages & Learning & Upkeep & { close(): void };

type AppState = {
  /** The repository's root, absolute, links resolved. */
  readonly root: string;
  readonly config: Config;
  /** Notices that are not part of a result; grows. */
  readonly notices: readonly Notice[];
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
};

type Indexing = {
  isIndexed(): boolean;
  index(request: IndexRequest, signal: AbortSignal): Promise<IndexSummary>;
  /** Indexes, and pushes what a team's store lacks of the checked-out commit; or queues it for workers. */
  push(request: PushRequest, signal: AbortSignal): Promise<Pushed | QueuedCommit>;
  /** The facts of every indexed file, for another machine to import. Throws `not-indexed`. */
  exportIndex(onProgress: OnProgress, signal: AbortSignal): Promise<Exported>;
  /** Indexes now and after each change. Yields the first run and every run that changed the index. */
  watch(request: IndexRequest, signal: AbortSignal): AsyncGenerator<IndexSummary, never>;
  /** Brings the index up to date and asks the model about files; yields one step for each. */
  enrich(request: EnrichRequest, signal: AbortSignal): AsyncGenerator<EnrichProgress, EnrichSummary>;
};

type Browsing = {
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchResult>;
  /** Every indexed file and definition, by path. */
  names(): readonly IndexedName[];
  /** One file as it was indexed; null when it is not in the index. */
  indexedFile(path: string): IndexedFile | null;
  /** The present source of a file, of lines of it, or of a definition that is named. */
  readSource(what: string, lines: SourceLines | null, signal: AbortSignal): Promise<SourceFound>;
  /** Those of these files that are in the index, as they were indexed. */
  indexedFiles(paths: readonly string[]): readonly IndexedFile[];
  /** Whether a file lies in the repository, and git neither tracks nor ignores it. */
  isUntracked(path: string): boolean;
  /** The absolute path of an indexed file; null for one that is not on this machine. */
  sourcePath(path: string): string | null;
  /** The repositories of this machine that are asked instead of this one; mostly none. */
  members(): readonly Member[];
  /** Those of these indexed files that have changed since, or are gone. */
  changedFiles(paths: readonly string[]): readonly string[];
};

/** A task's id may be shortened to its beginning everywhere. */
type Packages = {
  retrieve(request: RetrieveRequest, signal: AbortSignal): AsyncGenerator<PipelineEvent, RetrieveResult>;
  /** Runs another round of a task with feedback on the one before; `provenance.changes` of the package says what changed. */
  refine(request: RefineRequest, signal: AbortSignal): AsyncGenerator<PipelineEvent, RetrieveResult>;
  /**
   * Rebuilds the newest finished round of a task, or one by its number, and records nothing. The package is the same if
   * the index is. Throws `unknown-task`.
   */
  reopen(taskId: string, signal: AbortSignal, round?: number | null): Promise<Reopened>;
  /** The rounds of a task, the newest first. */
  rounds(taskId: string): Promise<readonly TaskRound[]>;
  /** Makes a new round that asks for what an earlier one did, and for its request. */
  returnTo(request: ReturnRequest, signal: AbortSignal): AsyncGenerator<PipelineEvent, RetrieveResult>;
  /** Texts of earlier tasks without duplicates, newest first. */
  earlierTasks(limit: number): readonly string[];
  /** Why files and symbols are in the newest round of a task, or not. A path starts from the working folder or from the root. */
  explain(taskId: string, what: string | null): Promise<Explanation>;
  /** The repositories of this machine that the newest round of a task was asked of, mostly none; none of an unknown task. */
  taskMembers(taskId: string): Promise<readonly Member[]>;
  /** What the log records of a task: all its rounds, or one. */
  runRecord(taskId: string, round: number | null): Promise<RunRecord>;
  /** Drafts of tasks in progress. */
  readonly drafts: Drafts;
  /** What code the prompts of agents' sessions were given. */
  givenCode(): Promise<GivenCode>;
};

type Learning = {
  /** Memories and experiences. */
  readonly memory: AppMemory;
  /** What is known about a subject. Needs no index; a source that cannot be asked is left out, with a notice. */
  recall(request: RecallQuestion, signal: AbortSignal): Promise<FormattedContext>;
  /** What went wrong before in work of this kind. */
  premortem(request: PremortemRequest, signal: AbortSignal): Promise<FormattedContext>;
  /** Computes all missing vectors with the model named. Throws `model-failed` when it does not answer. */
  embedAll(model: string, reporting: Reporting, signal: AbortSignal): Promise<EmbedSummary>;
  /** Recomputes the values of all experiences. Throws a usage failure for a server that may not be asked. */
  values(reporting: Reporting, signal: AbortSignal): Promise<ValuesSummary>;
  /** Decides whether a failure needs deep retrieval, and retrieves. Writes nothing and needs no index. */
  escalate(request: EscalateRequest, signal: AbortSignal): Promise<EscalationDecision | RetrievalBundle>;
};

type Upkeep = {
  status(signal: AbortSignal): Promise<Status>;
  /** What is known of the configured model; null without one. `asks`: its server is asked about itself, for a second at most. */
  modelStatus(how: { readonly asks: boolean }, signal: AbortSignal): Promise<ModelStatus | null>;
  /** Checks every database for damage and changes nothing. */
  examine(onProgress: OnProgress, signal: AbortSignal): Promise<Checkup>;
  disk(): Promise<{ readonly dataDir: string; readonly uses: readonly DiskUse[] }>;
  /** Removes the given kinds of data; a dry run only lists them. */
  clean(named: ReadonlySet<FreedBy>, how: { readonly dryRun: boolean }): Promise<Cleaned>;
  /** The sessions of tasks, last used first. */
  sessions(): Promise<readonly StoredSession[]>;
  /** Deletes a session and its draft. Its finished rounds stay in the log. Throws a usage failure while it is in use. */
  deleteSession(taskId: string, signal: AbortSignal): Promise<void>;
  /** Archives finished sessions in the log; a dry run only lists them. */
  archive(request: ArchiveRequest, signal: AbortSignal): Promise<ArchiveReport>;
};

/** The type of this module, for the command line. */
export type AppDoor = {
  openApp(request: AppRequest, openStored?: OpenStored): Promise<App>;
  openConfig(request: AppRequest): Promise<LoadedConfig>;
};

/** The settings in force in a folder, which need not be in a repository. */
export async function openConfig({ environment, repo, flags }: AppRequest): Promise<LoadedConfig> {
  const { findRepository } = await import("../source/git/folders.ts");
  const start = repo ?? environment.cwd;
  const { root, kind } = findRepository(start);
  if (!statSync(start).isDirectory())
    throw new Failed({ code: "no-repository", path: start, why: "it is a file, not a folder" });
  const workTree = kind === "bare" ? null : root;
  const config = loadConfig({ flags, variables: environment.variables, root: workTree, cwd: environment.cwd });
  return { root: workTree, config: withMemberPaths(config, root, environment) };
}

/** Opens the given repository, or the one around the working folder; `openStored` opens those of a store that it asks. */
export async function openApp(request: AppRequest, openStored?: OpenStored): Promise<App> {
  const { environment } = request;
  const { root, config } = await openConfig(request);
  if (root === null) {
    const why = "it is a bare repository, which has no work tree";
    throw new Failed({ code: "no-repository", path: request.repo ?? environment.cwd, why });
  }
  const { openWorkspace } = await import("./workspace/workspace.ts");
  const workspace = { ...(await openWorkspace(root, config, environment)), ...(openStored && { openStored }) };
  const { notices, index, log } = workspace;
  return {
    root,
    config,
    notices,
    nowMs: () => performance.now(),
    ...indexing(workspace, async () => (await openConfig(request)).config),
    ...browsing(workspace),
    ...packages(workspace),
    ...learning(workspace),
    ...upkeep(workspace),
    close() {
      index.close();
      log.close();
    },
  };
}

const indexing = (workspace: Workspace, readConfig: () => Promise<Config>): Indexing => ({
  isIndexed: workspace.index.exists,
  index: async (request, signal) =>
    workspace.config.settings["workspace.repos"].length > 0
      ? (await import("./indexing/several-indexes.ts")).indexSeveral(workspace, request, signal)
      : request.fromStore === undefined
        ? (await import("./indexing/index-repository.ts")).index(workspace, request, signal)
        : (await import("./team/index-from.ts")).indexFromStore(workspace, request, request.fromStore, signal),
  push: async (request, signal) => (await import("./team/push.ts")).push(workspace, request, signal),
  exportIndex: async (onProgress, signal) =>
    (await import("./indexing/export-index.ts")).exportFacts(workspace, onProgress, signal),
  async *watch(request, signal) {
    return yield* (await import("./indexing/watch.ts")).watchIndex(workspace, readConfig, request, signal);
  },
  async *enrich(request, signal) {
    if (workspace.config.settings["workspace.repos"].length > 0)
      return yield* (await import("./indexing/enrich-several.ts")).enrichSeveral(workspace, request, signal);
    return yield* (await import("./indexing/enrich.ts")).enrich(workspace, request, signal);
  },
});

function browsing(workspace: Workspace): Browsing {
  const { root, environment } = workspace;
  return {
    search: async (request, signal) =>
      (await import("./indexing/search-index.ts")).searchIndex(workspace, request, signal),
    readSource: async (what, lines, signal) =>
      (await import("./indexing/read-source.ts")).readPresent(workspace, what, lines, signal),
    ...browseIndex(workspace),
    isUntracked: (path) => isUntracked(root, path, environment.variables),
  };
}

function packages(workspace: Workspace): Packages {
  const { paths, redactor, log } = workspace;
  const logged = (taskId: string) => {
    const found = log.read();
    if (found === null) throw new Failed({ code: "unknown-task", taskId });
    return found;
  };
  const drafts = openDrafts(paths.sessions, workspace.createDataFolder);
  return {
    async *retrieve(request, signal) {
      return yield* (await import("./retrieval/retrieve.ts")).retrieve(workspace, request, signal);
    },
    async *refine(request, signal) {
      return yield* (await import("./retrieval/refine.ts")).refine(workspace, request, signal);
    },
    reopen: async (taskId, signal, round) =>
      (await import("./retrieval/reopen.ts")).reopen(workspace, taskId, signal, round),
    rounds: async (taskId) => (await import("./retrieval/earlier-rounds.ts")).taskRounds(workspace, taskId),
    async *returnTo(request, signal) {
      return yield* (await import("./retrieval/earlier-rounds.ts")).returnTo(workspace, request, signal);
    },
    earlierTasks: (limit) => [...new Set((log.read()?.runs() ?? []).map(({ task }) => task).reverse())].slice(0, limit),
    explain: async (taskId, what) => (await import("./retrieval/explain-task.ts")).explainTask(workspace, taskId, what),
    taskMembers: async (taskId) => (await import("./retrieval/task-members.ts")).taskMembers(workspace, taskId),
    runRecord: async (taskId, round) =>
      (await import("../retrieval/explain/run-record.ts")).runRecord(logged(taskId), taskId, round),
    drafts: { ...drafts, write: (taskId, typed, names) => drafts.write(taskId, redactor.value(typed), names) },
    givenCode: async () => (await import("./retrieval/given-code.ts")).givenCode(workspace),
  };
}

const learning = (workspace: Workspace): Learning => ({
  memory: appMemory(workspace),
  recall: async (request, signal) => (await import("./memory/recall.ts")).recallContext(workspace, request, signal),
  premortem: async (request, signal) => (await import("./memory/recall.ts")).premortem(workspace, request, signal),
  embedAll: async (model, request, signal) =>
    (await import("./memory/embed.ts")).embedAll(workspace, model, request, signal),
  values: async (request, signal) => (await import("./memory/values.ts")).rebuildValues(workspace, request, signal),
  escalate: async (request, signal) => (await import("./memory/escalate.ts")).runEscalation(workspace, request, signal),
});

const upkeep = (workspace: Workspace): Upkeep => ({
  status: async (signal) => (await import("./indexing/status.ts")).status(workspace, signal),
  modelStatus: async (how, signal) => (await import("./upkeep/model-status.ts")).modelStatus(workspace, how, signal),
  examine: async (onProgress, signal) => (await import("./upkeep/doctor.ts")).examine(workspace, onProgress, signal),
  disk: async () => {
    const { paths } = workspace;
    return { dataDir: paths.folder, uses: (await import("./upkeep/storage.ts")).diskUses(paths) };
  },
  clean: async (named, { dryRun }) => {
    const { paths, environment } = workspace;
    const { clean, cleanable } = await import("./upkeep/storage.ts");
    return dryRun ? cleanable(paths, named) : clean(paths, named, environment);
  },
  sessions: async () => (await import("./upkeep/sessions.ts")).storedSessions(workspace.paths, workspace.log.read()),
  deleteSession: async (taskId, signal) =>
    (await import("./upkeep/sessions.ts")).deleteSession(workspace, taskId, signal),
  archive: async (request, signal) =>
    (await import("./upkeep/sessions.ts")).archiveSessions(workspace, request, signal),
});
