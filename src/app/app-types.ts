/**
 * What the command line and the terminal interface can ask for, and what they get. Not here: doing it (`app.ts`).
 */
import type { Settings } from "../config/keys.ts";
import type { Config, Layer } from "../config/settings.ts";
import type { SearchHit } from "../db/curated/knowledge-base.ts";
import type { IndexMeta } from "../db/curated/meta.ts";
import type { Drafts } from "../db/session/drafts.ts";
import type { EscalationRequest } from "../escalation/escalate.ts";
import type { EscalationDecision, RetrievalBundle } from "../escalation/escalation-schema.ts";
import type { Notice } from "../failure.ts";
import type { IndexSummary as RunSummary } from "../indexing/update/index-repo.ts";
import type { RecallRequest } from "../recall/context/assemble.ts";
import type { FormattedContext } from "../recall/context/context-json.ts";
import type { PremortemRequest } from "../recall/context/premortem.ts";
import type { DryRun } from "../retrieval/dry-run.ts";
import type { Explanation } from "../retrieval/explain/explain.ts";
import type { RunRecord } from "../retrieval/explain/run-record.ts";
import type { PipelineEvent } from "../retrieval/model/events.ts";
import type { ContextPackage } from "../retrieval/model/package-schema.ts";
import type { Constraints, RefinementRequest } from "../retrieval/model/refinement.ts";
import type { Refinement } from "../retrieval/refinement/refine-round.ts";
import type { Reproduction } from "../retrieval/refinement/reproduction.ts";
import type { Format } from "../retrieval/render/formats.ts";
import type { DiffOptions } from "../source/revisions/work-tree-diff.ts";
import type { IndexedFile, IndexedName } from "./browse-index.ts";
import type { Cleaned } from "./clean.ts";
import type { Checkup, OnProgress } from "./doctor.ts";
import type { EmbedRequest, EmbedSummary } from "./embed.ts";
import type { EnrichProgress, EnrichSummary, EnrichWish } from "./enrich.ts";
import type { AppMemory } from "./remember.ts";
import type { ArchiveReport, ArchiveWish, StoredSession } from "./sessions.ts";
import type { DiskUse, FreedBy, Status } from "./storage.ts";
import type { ValuesRequest, ValuesSummary } from "./values.ts";

/** What a run may know of the process it is in, as plain data. Only `main-process.ts` builds it. */
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
  /** What starts this program again: its file, after that of the runtime when it runs from source. */
  readonly program: readonly string[];
};

export type AppRequest = {
  readonly environment: Environment;
  /** A folder as typed, or null to look upward from the working folder. */
  readonly repo: string | null;
  /** Settings as typed, strongest first. */
  readonly flags: readonly Layer[];
};

export type IndexRequest = {
  readonly failFast: boolean;
  readonly rebuild: boolean;
  /** An export of another machine, as a file or an address: what it knows of contents that are here is not parsed. */
  readonly importFrom?: string;
  /** `total` is null while it is not known. */
  onProgress(step: {
    readonly phase: string;
    readonly done: number;
    readonly total: number | null;
    readonly bytes?: number;
  }): void;
};

/** What indexing did, and what the index holds now. */
export type IndexSummary = Omit<RunSummary, "meta"> & { readonly meta: IndexMeta; readonly imported?: Imported };

/** What came of an import. `from` may be shown; `compared` contents were parsed here too and were the same. */
export type Imported = {
  readonly from: string;
  readonly entries: number;
  readonly takenOver: number;
  readonly compared: number;
};

/** An index's facts as a file for other machines, and how many contents are left out of it. */
export type Exported = {
  readonly bytes: Uint8Array;
  readonly entries: number;
  readonly leftOut: { readonly secret: number; readonly unparsed: number };
};

/** A run's wishes, checked. `template` is the user's own, or null for the built-in one. */
export type RetrieveRequest = {
  readonly task: string;
  readonly settings: Settings;
  readonly hintPaths: readonly string[];
  readonly hintSymbols: readonly string[];
  /** Folders and files, from the root, that everything lies in; everywhere when left out. */
  readonly only?: readonly string[];
  /** What was changed is looked for when the run begins, and named in its constraints. With it the task may be empty. */
  readonly changes?: DiffOptions;
  readonly template: { readonly text: string; readonly path: string } | null;
  /** What must be in the package, and what must not; nothing by default. */
  readonly constraints?: Constraints;
  /** Makes this a further round of a task. */
  readonly refines?: Refinement;
  /** Bring an index up to date that is older than the work tree. */
  readonly refresh: boolean;
  /** A model that fails ends the run. */
  readonly strict: boolean;
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
  readonly round: number;
  /** Those that held: of a further round, all that the task has been asked for. */
  readonly constraints: Constraints;
  readonly reproduction: Reproduction;
  /** The package in any format. The bundle reads the index, so it must not have been written since. */
  render(format: Format): Promise<string>;
  /** What another round would give, as long as the app is open. */
  readonly dryRun: DryRun;
};

/**
 * A further round of a task. `taskId` may be the beginning of one. A null `budget` is that of the round before, and so
 * is everything else that selects.
 */
export type RefineRequest = {
  readonly taskId: string;
  readonly request: RefinementRequest;
  /** A text with stack frames of a failure: what they name in the index is missed. */
  readonly trace?: string;
  /** What was changed is looked for when the round begins, and named in its request. */
  readonly changes?: DiffOptions;
  readonly budget: number | null;
  readonly refresh: boolean;
  /** A model that fails ends the round; it does not by default. */
  readonly strict?: boolean;
  onRefresh: IndexRequest["onProgress"];
};

/** The package says itself what changed (`provenance.changes`). */
export type RefineResult = RetrieveResult;

/** The newest finished round of a task, made again. `round` is null when none has finished. */
export type Reopened = { readonly taskId: string; readonly task: string; readonly round: RetrieveResult | null };

/** Asking about files. The model is the settings' one; without one nothing is asked. */
export type EnrichRequest = EnrichWish & {
  /** Told of what is worth knowing while it goes on. */
  onNotice(notice: Notice): void;
  onRefresh: IndexRequest["onProgress"];
};

/** What to do about a failure. `runDir` is the folder that its run left, absolute or from the working folder. */
export type EscalateRequest = EscalationRequest & { readonly runDir: string };

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
  /** The facts of everything in the index, as another machine may import them. Without an index: `not-indexed`. */
  exportIndex(onProgress: IndexRequest["onProgress"], signal: AbortSignal): Promise<Exported>;
  /** Indexes, then again whenever something changed: every run that changed the index, until the signal. */
  watch(request: IndexRequest, signal: AbortSignal): AsyncGenerator<IndexSummary, never>;
  retrieve(request: RetrieveRequest, signal: AbortSignal): AsyncGenerator<PipelineEvent, RetrieveResult>;
  /** Asks for a task's package again, with what is said of the one before. */
  refine(request: RefineRequest, signal: AbortSignal): AsyncGenerator<PipelineEvent, RefineResult>;
  /** Brings the index up to date and asks the model about files; a step for each. */
  enrich(request: EnrichRequest, signal: AbortSignal): AsyncGenerator<EnrichProgress, EnrichSummary>;
  /**
   * The newest finished round of a task as it was, or as the index of now gives it; nothing is recorded. The id may be
   * the beginning of one. Throws `unknown-task`.
   */
  reopen(taskId: string, signal: AbortSignal): Promise<Reopened>;
  /** Texts of earlier tasks, the newest first, each once. */
  earlierTasks(limit: number): readonly string[];
  search(query: string, limit: number): readonly SearchHit[];
  /** Every indexed file and definition, by path. */
  names(): readonly IndexedName[];
  /** One file as it was indexed; null when it is not in the index. */
  indexedFile(path: string): IndexedFile | null;
  /** Those of these indexed files that have changed since, or are gone. */
  changedFiles(paths: readonly string[]): readonly string[];
  /**
   * Why things are in the newest round of a task, or not: all of them, or one file, folder or symbol. The id may be
   * the beginning of one; a path may start from the working folder or from the root.
   */
  explain(taskId: string, what: string | null): Promise<Explanation>;
  /** What the log knows of a task: all its rounds, or one. The id may be the beginning of one. */
  runRecord(taskId: string, round: number | null): Promise<RunRecord>;
  /** What tasks remember, the last used first. */
  sessions(): Promise<readonly StoredSession[]>;
  /** Moves finished sessions into the log, or only says which would go. */
  archive(wish: ArchiveWish, signal: AbortSignal): Promise<ArchiveReport>;
  /** Decides whether a failure needs deep retrieval, and retrieves; writes nothing, and needs no index. */
  escalate(request: EscalateRequest, signal: AbortSignal): Promise<EscalationDecision | RetrievalBundle>;
  status(signal: AbortSignal): Promise<Status>;
  /** Looks for damage in all that is stored, and changes nothing. */
  examine(onProgress: OnProgress, signal: AbortSignal): Promise<Checkup>;
  /** What takes disk. */
  disk(): Promise<{ readonly dataDir: string; readonly uses: readonly DiskUse[] }>;
  /** Removes what is named, or only says what that would be. */
  clean(named: ReadonlySet<FreedBy>, how: { readonly dryRun: boolean }): Promise<Cleaned>;
  /** What interfaces keep of tasks that are being worked on. */
  readonly drafts: Drafts;
  /** Memories and experiences. */
  readonly memory: AppMemory;
  /** What is known about something. Needs no index; what cannot be asked is left out, with a notice. */
  recall(request: RecallRequest, signal: AbortSignal): Promise<FormattedContext>;
  /** What went wrong before in such work. */
  premortem(request: PremortemRequest, signal: AbortSignal): Promise<FormattedContext>;
  /** Has the model called so make all vectors that are missing. Throws `model-failed` when it does not answer. */
  embedAll(model: string, request: EmbedRequest, signal: AbortSignal): Promise<EmbedSummary>;
  /** Makes the values of all experiences anew. Throws a usage failure for a server that may not be asked. */
  values(request: ValuesRequest, signal: AbortSignal): Promise<ValuesSummary>;
  close(): void;
};

/** The settings in force, with the repository's root (null in a bare one). */
export type LoadedConfig = { readonly root: string | null; readonly config: Config };

/** The two ways in; the module `app.ts` is one. */
export type AppDoor = {
  openApp(request: AppRequest): Promise<App>;
  openConfig(request: AppRequest): Promise<LoadedConfig>;
};
