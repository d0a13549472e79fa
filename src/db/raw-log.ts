/**
 * The raw log: what was run, what each run decided and why. Append-only.
 *
 * Invariants: nothing here changes or removes a row (the triggers of `raw-log-schema.ts` would refuse it);
 * a round that was interrupted and continued has several runs, and questions about it are answered from
 * its newest one.
 * Not here: what a decision means (`retrieval/`), a task's resumable state (`session.ts`).
 */
import { type Db, openDatabase } from "./open.ts";
import { RAW_SCHEMA } from "./raw-log-schema.ts";

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
  /** Every attempt, oldest first. */
  runs(taskId?: string): readonly LoggedRun[];
  latestRun(taskId?: string): LoggedRun | null;
  decisions(taskId: string, filter?: DecisionFilter): readonly LoggedDecision[];
  stages(taskId: string, round?: number): readonly StageRow[];
  close(): void;
};

/** Opens the log at `path`, creating it where there is none. */
export const openRawLog = (path: string): RawLog => rawLog(openDatabase(path, "append", RAW_SCHEMA));

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
type StoredDecision = Omit<LoggedDecision, "included" | "terms"> & { included: 0 | 1; terms: string | null };

const RUNS = `select t.id as runId, t.task_id as taskId, t.round, t.command, t.task, t.options, t.budget,
  t.content_hash as contentHash, t.cra_version as craVersion, t.started_at as startedAt,
  r.status, r.token_count as tokenCount, r.files, r.notices, r.ms, r.finished_at as finishedAt
  from task_runs t left join task_results r on r.run_id = t.id where (?1 is null or t.task_id = ?1) order by t.id`;

/** The newest attempt at the asked round, or at the newest one. */
const NEWEST =
  "(select id from task_runs where task_id = ?1 and (?2 is null or round = ?2) order by round desc, id desc limit 1)";

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
    appendDecisions: (runId, rows) => db.transaction(() => appendDecisions(db, runId, rows)),
    runs: (taskId) => db.all<StoredRun>(RUNS, taskId ?? null).map(loggedRun),
    latestRun: (taskId) => {
      const row = db.get<StoredRun>(`${RUNS} desc limit 1`, taskId ?? null);
      return row === null ? null : loggedRun(row);
    },
    decisions: (taskId, filter = {}) =>
      db
        .all<StoredDecision>(
          `select run_id as runId, round, stage, path, symbol, line, kind, tier, included, detail, score, terms, tokens, reason
           from decisions where run_id = ${NEWEST} and (?3 is null or path = ?3)
             and (?4 is null or symbol = ?4 or symbol like ?5 escape '\\') order by id`,
          taskId,
          filter.round ?? null,
          filter.path ?? null,
          filter.symbol ?? null,
          endingIn(filter.symbol ?? ""),
        )
        .map((row) => ({
          ...row,
          included: row.included === 1,
          terms: row.terms === null ? null : fromJson(row.terms),
        })),
    stages: (taskId, round) =>
      db
        .all<Omit<StageRow, "counts"> & { counts: string }>(
          `select stage, ms, counts from stages where run_id = ${NEWEST} order by id`,
          taskId,
          round ?? null,
        )
        .map((row) => ({ ...row, counts: fromJson(row.counts) })),
    close: () => db.close(),
  };
}

function appendDecisions(db: Db, runId: number, rows: readonly DecisionRow[]): void {
  const run = db.get<{ taskId: string; round: number }>(
    "select task_id as taskId, round from task_runs where id = ?1",
    runId,
  );
  if (run === null) return;
  db.runAll(
    `insert into decisions(run_id, task_id, round, stage, path, symbol, line, kind, tier, included, detail, score, terms, tokens, reason)
     values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)`,
    rows.map((row) => [
      runId,
      run.taskId,
      run.round,
      row.stage,
      row.path,
      row.symbol,
      row.line,
      row.kind,
      row.tier,
      row.included ? 1 : 0,
      row.detail,
      row.score,
      row.terms === null ? null : JSON.stringify(row.terms),
      row.tokens,
      row.reason,
    ]),
  );
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

/** What `JSON.stringify` wrote into an append-only column. */
const fromJson = (text: string): Json => JSON.parse(text);

/** A pattern for `like ... escape '\\'`: a dotted name whose last part is this one. */
const endingIn = (name: string): string => `%.${name.replace(/[\\%_]/g, "\\$&")}`;
