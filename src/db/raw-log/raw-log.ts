/**
 * The raw log's rows and operations: what ran, what each run decided and why. Append-only.
 *
 * A round that was interrupted and continued has several runs; questions about the round are answered from the newest.
 */

/** A value that is stored as JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type IndexRunRow = {
  readonly repoPath: string;
  readonly head: string | null;
  readonly contentHash: string | null;
  readonly craVersion: string;
  readonly startedAt: string;
  readonly ms: number;
  readonly status: "finished" | "unchanged" | "cancelled" | "failed";
  readonly summary: Json;
};

/** The start of one attempt at one round of a task. Rounds count from 1. */
export type TaskRunRow = {
  readonly taskId: string;
  readonly round: number;
  readonly command: string;
  readonly task: string;
  readonly options: Json;
  readonly budget: Json;
  readonly contentHash: string;
  readonly craVersion: string;
  readonly startedAt: string;
};

export type TaskResultRow = {
  readonly status: "finished" | "cancelled" | "failed";
  readonly tokenCount: number | null;
  readonly files: number | null;
  readonly notices: Json;
  readonly ms: number;
  readonly finishedAt: string;
};

export type StageRow = { readonly stage: string; readonly ms: number; readonly counts: Json };

/** The decision of one stage about a file (`symbol` is null) or a symbol (its qualified name). */
export type DecisionRow = {
  readonly stage: string;
  readonly path: string;
  readonly symbol: string | null;
  readonly line: number | null;
  readonly kind: string | null;
  readonly tier: string;
  readonly included: boolean;
  readonly detail: string;
  readonly score: number;
  readonly terms: Json;
  readonly tokens: number | null;
  readonly reason: string;
};

/** A run read back from the log; `result` is null while it runs and after a crash. */
export type LoggedRun = TaskRunRow & { readonly runId: number; readonly result: TaskResultRow | null };
export type LoggedDecision = DecisionRow & { readonly runId: number; readonly round: number };

/** `round` defaults to the newest. `path` matches exactly. `symbol` is a qualified name or its last part. */
export type DecisionFilter = { readonly round?: number; readonly path?: string; readonly symbol?: string };

/**
 * One call of a model. `response` is null when none arrived; `status` is "ok" or the error; token counts are the
 * server's, null when it reported none.
 */
export type ModelCallRow = {
  readonly stage: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly prompt: string;
  readonly response: string | null;
  readonly status: string;
  readonly ms: number;
  readonly promptTokens: number | null;
  readonly responseTokens: number | null;
  readonly startedAt: string;
};

/** A call made for a task. `runId` distinguishes several attempts at one round. */
export type LoggedModelCall = ModelCallRow & { readonly runId: number; readonly round: number };

/** Sums over calls by the server's own counts; `ms` is the time of the whole calls. */
export type CallTotals = {
  readonly calls: number;
  readonly promptTokens: number;
  readonly answerTokens: number;
  readonly ms: number;
};

/** A model's answer about one file. `output` is JSON; `contentHash` is the hex SHA-256 of the file's bytes. */
export type EnrichmentRow = {
  readonly path: string;
  readonly contentHash: string;
  readonly model: string;
  readonly output: string;
  readonly createdAt: string;
};

/** `session` holds the bytes of a SQLite file; `createdAt` is an ISO time. */
export type ArchivedSession = { readonly taskId: string; readonly session: Uint8Array; readonly createdAt: string };

export type LogWriter = {
  appendIndexRun(row: IndexRunRow): void;
  /** Returns the run id that the run's other rows refer to. */
  appendTaskRun(row: TaskRunRow): number;
  appendTaskResult(runId: number, row: TaskResultRow): void;
  appendStage(runId: number, row: StageRow): void;
  /** All rows in one transaction. */
  appendDecisions(runId: number, rows: readonly DecisionRow[]): void;
  /** `runId` is null for a call outside any task. */
  appendModelCall(runId: number | null, row: ModelCallRow): void;
  appendEnrichment(row: EnrichmentRow): void;
  /** Stores a session, unless the same bytes are stored already. */
  appendSessionArchive(row: ArchivedSession): void;
};

export type LogReader = {
  /** Every attempt, oldest first. */
  runs(taskId?: string): readonly LoggedRun[];
  latestRun(taskId?: string): LoggedRun | null;
  /** The highest round of a task; 0 for an unknown task. */
  lastRound(taskId: string): number;
  decisions(taskId: string, filter?: DecisionFilter): readonly LoggedDecision[];
  stages(taskId: string, round?: number): readonly StageRow[];
  /** The calls of all attempts at a round, or at all rounds, oldest first. */
  modelCalls(taskId: string, round?: number): readonly LoggedModelCall[];
  /** The newest answered calls of a model on a server, whatever they were for; null if none is recent. */
  recentCalls(model: string, baseUrl: string): CallTotals | null;
  /** Every answer about a file, oldest first. */
  enrichments(): Iterable<EnrichmentRow>;
  /** The archived sessions of one task, or of all, oldest first, read one at a time. */
  sessionArchives(taskId?: string): Iterable<ArchivedSession>;
};

export type RawLog = LogWriter & LogReader & { close(): void };
