/**
 * The messages between the interface and its worker thread, as data that can be posted between threads.
 */

import type { AppRequest } from "../../app/environment.ts";
import type { Remembered } from "../../app/remember.ts";
import type { RetrieveRequest } from "../../app/retrieve-request.ts";
import type { Failure } from "../../failure.ts";
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import type { RefinementRequest } from "../../retrieval/model/refinement.ts";
import type { Format } from "../../retrieval/render/formats.ts";
import type { DryRun, LoadedPreview, OutlineSymbol, Round } from "../state/review-state.ts";
import type { FinderRow, IndexState, SessionRow, Step } from "../state/state.ts";

/**
 * The world to work in. `place` are the flags that said where it is; `wish` is what every new task is asked with.
 */
export type WorkerSetup = {
  readonly request: AppRequest;
  readonly place: readonly string[];
  readonly wish: Pick<RetrieveRequest, "template" | "refresh" | "only" | "changes">;
};

export type KnownIndex = Pick<IndexState, "status" | "files" | "headline">;
export type Home = { readonly sessions: readonly SessionRow[]; readonly history: readonly string[] };

/** What a run says on its way. */
export type RunProgress = { readonly step: Step } | { readonly events: readonly PipelineEvent[] };

/** Each job: what is asked, what comes of it, what is told meanwhile. */
export type Jobs = {
  readonly knownIndex: { readonly ask: null; readonly answer: KnownIndex; readonly news: never };
  readonly home: { readonly ask: null; readonly answer: Home; readonly news: never };
  readonly index: { readonly ask: null; readonly answer: KnownIndex; readonly news: Step };
  readonly retrieve: {
    readonly ask: { readonly task: string; readonly request: RefinementRequest; readonly budget: number | null };
    readonly answer: Round;
    readonly news: RunProgress;
  };
  readonly refine: {
    readonly ask: { readonly taskId: string; readonly request: RefinementRequest; readonly budget: number | null };
    readonly answer: Round;
    readonly news: RunProgress;
  };
  /** `round` is null when none has finished. The id may be the beginning of one. */
  readonly resume: {
    readonly ask: string;
    readonly answer: { readonly taskId: string; readonly task: string; readonly round: Round | null };
    readonly news: never;
  };
  readonly preview: { readonly ask: string; readonly answer: LoadedPreview; readonly news: never };
  readonly outline: { readonly ask: string; readonly answer: readonly OutlineSymbol[]; readonly news: never };
  readonly find: {
    readonly ask: { readonly query: string; readonly limit: number };
    readonly answer: { readonly rows: readonly FinderRow[]; readonly matches: number; readonly of: number };
    readonly news: never;
  };
  /** Null when no round is at hand to ask about. */
  readonly whatIf: {
    readonly ask: {
      readonly request: RefinementRequest;
      readonly budget: number | null;
      readonly rejecting: string | null;
    };
    readonly answer: DryRun | null;
    readonly news: never;
  };
  /** Makes an experience of a task, or brings the one that was made of it up to date. */
  readonly rememberTask: {
    readonly ask: string;
    readonly answer: { readonly id: string; readonly status: Remembered["status"] };
    readonly news: never;
  };
  /** The newest round's package; null when there is none. */
  readonly render: { readonly ask: Format; readonly answer: string | null; readonly news: never };
};
export type JobName = keyof Jobs;

export type Job<Name extends JobName> = {
  readonly kind: "do";
  readonly id: number;
  readonly job: Name;
  readonly ask: Jobs[Name]["ask"];
};

/** To the worker; `open` comes first and once, `close` last. `standing` is the task whose newest round is at hand. */
export type WorkerRequest =
  | { readonly kind: "open"; readonly world: WorkerSetup; readonly standing: string | null }
  | { readonly [Name in JobName]: Job<Name> }[JobName]
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "close" };

/** From it: any number of `news`, then one of the others. */
export type WorkerReply<Name extends JobName> =
  | { readonly kind: "news"; readonly id: number; readonly news: Jobs[Name]["news"] }
  | { readonly kind: "answer"; readonly id: number; readonly answer: Jobs[Name]["answer"] }
  | { readonly kind: "failed"; readonly id: number; readonly failure: Failure }
  | { readonly kind: "bug"; readonly id: number; readonly message: string; readonly stack: string };

/** Does one job. Rejects with a `Failed`, or with what is a bug. */
export type JobHandler<Name extends JobName> = (
  ask: Jobs[Name]["ask"],
  tell: (news: Jobs[Name]["news"]) => void,
  signal: AbortSignal,
) => Promise<Jobs[Name]["answer"]>;

export type JobHandlers = { readonly [Name in JobName]: JobHandler<Name> };

/** Everything that can do jobs, until it is closed. */
export type Crew = { readonly jobs: JobHandlers; close(): Promise<void> };
