/**
 * The raw log: what was run, what each run decided and why. Append-only.
 *
 * Invariants: nothing here changes or removes a row (the triggers of `schema.ts` would refuse it);
 * a round that was interrupted and continued has several runs, and questions about it are answered from
 * its newest one.
 * Not here: what a decision means (`retrieval/`), a task's resumable state (`session.ts`).
 */
import { lstatSync } from "node:fs";
import type { Failure, Notice } from "../../failure.ts";
import { type Db, openDatabase } from "../sqlite/open.ts";
import { setAside } from "../sqlite/quarantine.ts";
import { type ArchivedSession, appendSessionArchive, readArchives } from "./archives.ts";
import { decisionAppender, fromJson, NEWEST_RUN, readDecisions } from "./decisions.ts";
import { appendEnrichment, type EnrichmentRow, readEnrichments } from "./enrichment.ts";
import { appendModelCall, type LoggedModelCall, type ModelCallRow, readModelCalls } from "./model-calls.ts";
import { RAW_SCHEMA } from "./schema.ts";

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

/** The beginning of one attempt at one round of a task. Rounds count from 1. */
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

/** A verdict on one file (`symbol` null) or one symbol (its qualified name) in one stage. */
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

/** A run as it is read back; `result` is null while it runs, and after a crash. */
export type LoggedRun = TaskRunRow & { readonly runId: number; readonly result: TaskResultRow | null };
export type LoggedDecision = DecisionRow & { readonly runId: number; readonly round: number };

/** `round`: the newest by default. `path`: exactly this one. `symbol`: a qualified name, or its last part. */
export type DecisionFilter = { readonly round?: number; readonly path?: string; readonly symbol?: string };

export type RawLog = {
  appendIndexRun(row: IndexRunRow): void;
  /** Returns the id that the run's other rows are appended under. */
  appendTaskRun(row: TaskRunRow): number;
  appendTaskResult(runId: number, row: TaskResultRow): void;
  appendStage(runId: number, row: StageRow): void;
  /** All rows in one transaction. */
  appendDecisions(runId: number, rows: readonly DecisionRow[]): void;
  /** `runId` is null for a call that belongs to no run of a task. */
  appendModelCall(runId: number | null, row: ModelCallRow): void;
  appendEnrichment(row: EnrichmentRow): void;
  /** Every attempt, oldest first. */
  runs(taskId?: string): readonly LoggedRun[];
  latestRun(taskId?: string): LoggedRun | null;
  /** The highest round of a task, 0 when there is none. In a damaged log, as in a new one, there is none. */
  lastRound(taskId: string): number;
  decisions(taskId: string, filter?: DecisionFilter): readonly LoggedDecision[];
  stages(taskId: string, round?: number): readonly StageRow[];
  /** What all attempts at a round asked of a model, or those of all rounds, oldest first. */
  modelCalls(taskId: string, round?: number): readonly LoggedModelCall[];
  /** Every answer on a file, oldest first. */
  enrichments(): Iterable<EnrichmentRow>;
  /** Keeps a session as it is; one that is kept already, byte for byte, is not kept again. */
  appendSessionArchive(row: ArchivedSession): void;
  /** The sessions that were kept, of one task or of all, oldest first. */
  sessionArchives(taskId?: string): Iterable<ArchivedSession>;
  close(): void;
};

/**
 * Opens the log at `path`, creating it where there is none. Losing the log stops nothing: a damaged one, found
 * now or while appending, is moved aside (never deleted), a new one is begun, and `onDamage` is told. What
 * follows in the new log on a run of the old one is dropped. Reading a damaged log throws.
 */
export function openRawLog(path: string, onDamage: (notice: Notice) => void = () => undefined): RawLog {
  const found: { why: string | null } = { why: null };
  const damaged = (where: string, why: string): Failure => {
    found.why = why;
    return RAW_SCHEMA.damaged(where, why);
  };
  const open = (): RawLog => rawLog(openDatabase(path, "append", { ...RAW_SCHEMA, damaged }));
  let standing = fileAt(path);
  /** Throws `error` unless it comes from damage. */
  const restart = (error: unknown, closing: RawLog | null): RawLog => {
    if (found.why === null) throw error;
    const { why } = found;
    found.why = null;
    closing?.close();
    // Another process may have moved it meanwhile; what stands there now is its new log.
    if (fileAt(path) === standing) onDamage({ code: "log-restarted", why, movedTo: setAside(path) });
    const next = open();
    standing = fileAt(path);
    return next;
  };
  let log = orElse(open, (error) => restart(error, null));
  standing = fileAt(path);
  const append =
    <Row extends readonly unknown[], T>(act: (to: RawLog, ...row: Row) => T) =>
    (...row: Row): T =>
      orElse(
        () => act(log, ...row),
        (error) => {
          log = restart(error, log);
          return act(log, ...row);
        },
      );
  return {
    appendIndexRun: append((to, row: IndexRunRow) => to.appendIndexRun(row)),
    appendTaskRun: append((to, row: TaskRunRow) => to.appendTaskRun(row)),
    appendTaskResult: append((to, runId: number, row: TaskResultRow) => to.appendTaskResult(runId, row)),
    appendStage: append((to, runId: number, row: StageRow) => to.appendStage(runId, row)),
    appendDecisions: append((to, runId: number, rows: readonly DecisionRow[]) => to.appendDecisions(runId, rows)),
    appendModelCall: append((to, runId: number | null, row: ModelCallRow) => to.appendModelCall(runId, row)),
    appendEnrichment: append((to, row: EnrichmentRow) => to.appendEnrichment(row)),
    runs: (taskId) => log.runs(taskId),
    latestRun: (taskId) => log.latestRun(taskId),
    lastRound: append((to, taskId: string) => to.lastRound(taskId)),
    decisions: (taskId, filter) => log.decisions(taskId, filter),
    stages: (taskId, round) => log.stages(taskId, round),
    modelCalls: (taskId, round) => log.modelCalls(taskId, round),
    enrichments: () => log.enrichments(),
    appendSessionArchive: append((to, row: ArchivedSession) => to.appendSessionArchive(row)),
    sessionArchives: (taskId) => log.sessionArchives(taskId),
    close: () => log.close(),
  };
}

function orElse<T>(work: () => T, otherwise: (error: unknown) => T): T {
  try {
    return work();
  } catch (error) {
    return otherwise(error);
  }
}

/** What tells a file from another one of the same name. */
const fileAt = (path: string): number | null => lstatSync(path, { throwIfNoEntry: false })?.ino ?? null;

type StoredRun = Omit<TaskRunRow, "options" | "budget"> & { runId: number; options: string; budget: string } & (
    | {
        status: TaskResultRow["status"];
        tokenCount: number | null;
        files: number | null;
        notices: string;
        ms: number;
        finishedAt: string;
      }
    | { status: null }
  );

const RUNS = `select t.id as runId, t.task_id as taskId, t.round, t.command, t.task, t.options, t.budget,
  t.content_hash as contentHash, t.cra_version as craVersion, t.started_at as startedAt,
  r.status, r.token_count as tokenCount, r.files, r.notices, r.ms, r.finished_at as finishedAt
  from task_runs t left join task_results r on r.run_id = t.id where (?1 is null or t.task_id = ?1) order by t.id`;

/** Appends to and reads a database that `openRawLog` prepared. */
export function rawLog(db: Db): RawLog {
  return {
    appendIndexRun(row) {
      db.run(
        `insert into index_runs(repo_path, head, content_hash, cra_version, started_at, ms, status, summary)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
        row.repoPath,
        row.head,
        row.contentHash,
        row.craVersion,
        row.startedAt,
        Math.round(row.ms),
        row.status,
        JSON.stringify(row.summary),
      );
    },
    appendTaskRun(row) {
      const added = db.get<{ id: number }>(
        `insert into task_runs(task_id, round, command, task, options, budget, content_hash, cra_version, started_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) returning id`,
        row.taskId,
        row.round,
        row.command,
        row.task,
        JSON.stringify(row.options),
        JSON.stringify(row.budget),
        row.contentHash,
        row.craVersion,
        row.startedAt,
      );
      return added?.id ?? 0;
    },
    appendTaskResult(runId, row) {
      db.run(
        `insert into task_results(run_id, task_id, round, status, token_count, files, notices, ms, finished_at)
         select id, task_id, round, ?2, ?3, ?4, ?5, ?6, ?7 from task_runs where id = ?1`,
        runId,
        row.status,
        row.tokenCount,
        row.files,
        JSON.stringify(row.notices),
        Math.round(row.ms),
        row.finishedAt,
      );
    },
    appendStage(runId, row) {
      db.run(
        `insert into stages(run_id, task_id, round, stage, ms, counts)
         select id, task_id, round, ?2, ?3, ?4 from task_runs where id = ?1`,
        runId,
        row.stage,
        Math.round(row.ms),
        JSON.stringify(row.counts),
      );
    },
    appendDecisions: decisionAppender(db),
    appendModelCall: (runId, row) => appendModelCall(db, runId, row),
    runs: (taskId) => db.all<StoredRun>(RUNS, taskId ?? null).map(loggedRun),
    latestRun: (taskId) => {
      const row = db.get<StoredRun>(`${RUNS} desc limit 1`, taskId ?? null);
      return row === null ? null : loggedRun(row);
    },
    lastRound: (taskId) =>
      db.get<{ last: number }>("select coalesce(max(round), 0) as last from task_runs where task_id = ?1", taskId)
        ?.last ?? 0,
    decisions: (taskId, filter = {}) => readDecisions(db, taskId, filter),
    stages: (taskId, round) =>
      db
        .all<Omit<StageRow, "counts"> & { counts: string }>(
          `select stage, ms, counts from stages where run_id = ${NEWEST_RUN} order by id`,
          taskId,
          round ?? null,
        )
        .map((row) => ({ ...row, counts: fromJson(row.counts) })),
    modelCalls: (taskId, round) => readModelCalls(db, taskId, round),
    appendEnrichment: (row) => appendEnrichment(db, row),
    enrichments: () => readEnrichments(db),
    appendSessionArchive: (row) => appendSessionArchive(db, row),
    sessionArchives: (taskId) => readArchives(db, taskId),
    close: () => db.close(),
  };
}

function loggedRun(row: StoredRun): LoggedRun {
  const { runId, taskId, round, command, task, contentHash, craVersion, startedAt } = row;
  const run = { runId, taskId, round, command, task, contentHash, craVersion, startedAt };
  const { status } = row;
  const result = status === null ? null : resultOf(row);
  return { ...run, options: fromJson(row.options), budget: fromJson(row.budget), result };
}

function resultOf(row: Exclude<StoredRun, { status: null }>): TaskResultRow {
  const { status, tokenCount, files, notices, ms, finishedAt } = row;
  return { status, tokenCount, files, notices: fromJson(notices), ms, finishedAt };
}
