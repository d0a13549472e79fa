/** The messages between the interface and its worker thread, as data that can be posted between threads. */

import type { Remembered } from "../../app/memory/remember.ts";
import type { TaskRound } from "../../app/retrieval/earlier-rounds.ts";
import type { RetrieveRequest } from "../../app/retrieval/retrieve-request.ts";
import type { AppRequest, ProgressStep } from "../../app/workspace/environment.ts";
import type { Failure } from "../../failure.ts";
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import type { Format } from "../../retrieval/render/formats.ts";
import type { StandingChoice } from "../../retrieval/requests/refinement.ts";
import type { Asked } from "../state/effects.ts";
import type { DryRun, LoadedPreview, OutlineSymbol, Round } from "../state/review-state.ts";
import type { FinderRow, IndexState, SessionRow } from "../state/state.ts";

/** `locationFlags` are the options that chose the repository; `taskOptions` apply to every new task. */
export type WorkerSetup = {
  readonly request: AppRequest;
  readonly locationFlags: readonly string[];
  readonly taskOptions: Pick<RetrieveRequest, "template" | "refresh" | "only" | "changes">;
};

export type KnownIndex = Pick<IndexState, "status" | "files" | "headline">;
type Home = {
  readonly sessions: readonly SessionRow[];
  readonly history: readonly string[];
  /** What is known of the configured model without asking its server. */
  readonly model?: readonly string[];
};

/**
 * Progress of a run: a step of indexing, the pipeline's events since the last message, or, after it asked a model, what the
 * model's server is.
 */
export type RunProgress =
  | { readonly step: ProgressStep }
  | { readonly events: readonly PipelineEvent[] }
  | { readonly model: readonly string[] };

type JobType<Input, Result, Progress = never> = {
  readonly input: Input;
  readonly result: Result;
  readonly progress: Progress;
};
type Resumed = { readonly taskId: string; readonly task: string; readonly round: Round | null };
type FinderResult = { readonly rows: readonly FinderRow[]; readonly matches: number; readonly of: number };

export type Jobs = {
  readonly knownIndex: JobType<null, KnownIndex>;
  readonly home: JobType<null, Home>;
  readonly index: JobType<null, KnownIndex, ProgressStep>;
  readonly retrieve: JobType<Asked & { readonly task: string }, Round, RunProgress>;
  readonly refine: JobType<Asked & { readonly taskId: string; readonly standing?: StandingChoice }, Round, RunProgress>;
  /**
   * Takes a task id or a prefix of one, and the number of a round, null for the newest. `round` of the result is null if none
   * has finished.
   */
  readonly resume: JobType<{ readonly taskId: string; readonly round: number | null }, Resumed>;
  readonly preview: JobType<string, LoadedPreview>;
  readonly outline: JobType<string, readonly OutlineSymbol[]>;
  readonly find: JobType<{ readonly query: string; readonly limit: number }, FinderResult>;
  /** Null without a round, or while the index is being written. */
  readonly dryRun: JobType<Asked & { readonly rejecting: string | null }, DryRun | null>;
  /** Makes a new round that asks for what an earlier one did, and for the request. */
  readonly returnTo: JobType<Asked & { readonly taskId: string; readonly round: number }, Round, RunProgress>;
  /** The rounds of a task, the newest first. */
  readonly rounds: JobType<string, readonly TaskRound[]>;
  readonly deleteSession: JobType<string, null>;
  /** Creates or updates the experience of a task; the hypothesis is the user's. */
  readonly rememberTask: JobType<
    { readonly taskId: string; readonly hypothesis: string },
    { readonly id: string; readonly status: Remembered["status"] }
  >;
  /** The newest round's package as text; null without a round. */
  readonly render: JobType<Format, string | null>;
};
export type JobName = keyof Jobs;

export type Job<Name extends JobName> = {
  readonly kind: "job";
  readonly id: number;
  readonly job: Name;
  readonly input: Jobs[Name]["input"];
};

/** To the worker. `open` comes first and once, `close` last. The newest round of `taskId` answers the first dry run. */
export type WorkerRequest =
  | { readonly kind: "open"; readonly setup: WorkerSetup; readonly taskId: string | null }
  | { readonly [Name in JobName]: Job<Name> }[JobName]
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "close" };

/** From the worker: any number of `progress` messages, then one of the others. */
export type WorkerReply<Name extends JobName> =
  | { readonly kind: "progress"; readonly id: number; readonly progress: Jobs[Name]["progress"] }
  | { readonly kind: "result"; readonly id: number; readonly result: Jobs[Name]["result"] }
  | { readonly kind: "failed"; readonly id: number; readonly failure: Failure }
  | { readonly kind: "bug"; readonly id: number; readonly message: string; readonly stack: string };

/** Runs one job. Rejects with a `Failed`, or with any other error for a bug. */
type JobHandler<Name extends JobName> = (
  input: Jobs[Name]["input"],
  onProgress: (progress: Jobs[Name]["progress"]) => void,
  signal: AbortSignal,
) => Promise<Jobs[Name]["result"]>;

export type JobHandlers = { readonly [Name in JobName]: JobHandler<Name> };

export type OpenHandlers = { readonly handlers: JobHandlers; close(): Promise<void> };
