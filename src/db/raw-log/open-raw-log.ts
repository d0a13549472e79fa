/**
 * Opens the raw log: appends rows, answers questions, and starts a new log when the file turns out to be damaged.
 *
 * Triggers in `schema.ts` refuse updates and deletes.
 */
import { lstatSync } from "node:fs";
import { Failed, type Failure } from "../../failure.ts";
import type { Notice } from "../../notice.ts";
import type { Access, Db } from "../sqlite/db.ts";
import { NOTHING_WRITTEN, openDatabase } from "../sqlite/open.ts";
import { quarantine } from "../sqlite/quarantine.ts";
import {
  appendEnrichment,
  appendIndexRun,
  appendModelCall,
  appendSessionArchive,
  appendStage,
  appendTaskResult,
  appendTaskRun,
} from "./append-rows.ts";
import { decisionAppender, fromJson, NEWEST_RUN, readDecisions } from "./decisions.ts";
import type {
  ArchivedSession,
  CallTotals,
  EnrichmentRow,
  LoggedModelCall,
  LoggedRun,
  RawLog,
  StageRow,
  TaskResultRow,
  TaskRunRow,
} from "./raw-log.ts";
import { RAW_SCHEMA } from "./schema.ts";

/**
 * Opens the log at `path`, creating it if needed. A damaged log, found now or while appending, is moved aside and never
 * deleted; a new one is started and `onDamage` is called. Rows appended later for a run of the old log are dropped.
 * Reading a damaged log throws. With `access` "read", a missing or empty file is a log without rows, and appending throws `io`.
 */
export function openRawLog(
  path: string,
  onDamage: (notice: Notice) => void = () => undefined,
  access: Exclude<Access, "write"> = "append",
): RawLog {
  let damage: string | null = null;
  const damaged = (where: string, why: string): Failure => {
    damage = why;
    return RAW_SCHEMA.damaged(where, why);
  };
  const opened = (): Db => {
    if (access === "read" && inodeOf(path) === null) return nothing();
    try {
      return openDatabase(path, access, { ...RAW_SCHEMA, damaged });
    } catch (error) {
      // It is being created, or its creator was killed or found no room for it.
      if (damage !== NOTHING_WRITTEN) throw error;
      damage = null;
      return nothing();
    }
  };
  const open = () => {
    const db = opened();
    return { db, appendDecisions: decisionAppender(db) };
  };
  let inode = inodeOf(path);
  /** Throws `error` unless it is about damage. */
  const restart = (error: unknown): ReturnType<typeof open> => {
    if (damage === null) throw error;
    const why = damage;
    damage = null;
    // Another process may have moved the file meanwhile; the one there now is its new log.
    if (inodeOf(path) === inode) onDamage({ code: "log-restarted", why, movedTo: quarantine(path) });
    const log = open();
    inode = inodeOf(path);
    return log;
  };
  let log = orElse(open, restart);
  inode = inodeOf(path);
  /** Runs `work`, and once more on a new log if the first run finds damage. */
  const restarting = <T>(work: () => T): T =>
    orElse(work, (error) => {
      if (damage !== null) log.db.close();
      log = restart(error);
      return work();
    });
  return {
    appendIndexRun: (row) => restarting(() => appendIndexRun(log.db, row)),
    appendTaskRun: (row) => restarting(() => appendNewRun(log.db, row, damaged)),
    appendTaskResult: (runId, row) => restarting(() => appendTaskResult(log.db, runId, row)),
    appendStage: (runId, row) => restarting(() => appendStage(log.db, runId, row)),
    appendDecisions: (runId, rows) => restarting(() => log.appendDecisions(runId, rows)),
    appendModelCall: (runId, row) => restarting(() => appendModelCall(log.db, runId, row)),
    appendEnrichment: (row) => restarting(() => appendEnrichment(log.db, row)),
    appendSessionArchive: (row) => restarting(() => appendSessionArchive(log.db, row)),
    runs: (taskId) => log.db.all<StoredRun>(RUNS, taskId ?? null).map(loggedRun),
    latestRun: (taskId) => {
      const row = log.db.get<StoredRun>(`${RUNS} desc limit 1`, taskId ?? null);
      return row === null ? null : loggedRun(row);
    },
    lastRound: (taskId) => restarting(() => lastRound(log.db, taskId)),
    decisions: (taskId, filter = {}) => readDecisions(log.db, taskId, filter),
    stages: (taskId, round) =>
      log.db
        .all<Omit<StageRow, "counts"> & { counts: string }>(
          `select stage, max(ms, 0) as ms, counts from stages where run_id = ${NEWEST_RUN} order by id`,
          taskId,
          round ?? null,
        )
        .map((row) => ({ ...row, counts: fromJson(row.counts) })),
    modelCalls: (taskId, round) => log.db.all<LoggedModelCall>(MODEL_CALLS, taskId, round ?? null),
    recentCalls: (model, baseUrl) => {
      const found = log.db.get<CallTotals>(RECENT_CALLS, model, baseUrl);
      return found === null || found.calls === 0 ? null : found;
    },
    enrichments: () => log.db.each<EnrichmentRow>(ENRICHMENTS),
    sessionArchives: (taskId) => log.db.each<ArchivedSession>(ARCHIVES, taskId ?? null),
    close: () => log.db.close(),
  };
}

function orElse<T>(work: () => T, otherwise: (error: unknown) => T): T {
  try {
    return work();
  } catch (error) {
    return otherwise(error);
  }
}

/** An empty, read-only log without a file. */
function nothing(): Db {
  const db = openDatabase(":memory:", "write", RAW_SCHEMA);
  db.script("pragma query_only = on");
  return db;
}

/** Distinguishes the file from another one of the same name. */
const inodeOf = (path: string): number | null => lstatSync(path, { throwIfNoEntry: false })?.ino ?? null;

/** Throws `damaged` if the log has results of the new run: then the row of an earlier one with its id is gone. */
function appendNewRun(db: Db, row: TaskRunRow, damaged: (path: string, why: string) => Failure): number {
  const run = appendTaskRun(db, row);
  const ofRun = "select 1 from task_results where run_id = ?1 union all select 1 from decision_packs where run_id = ?1";
  if (db.get(ofRun, run) !== null) throw new Failed(damaged(db.path, "a new run has results already"));
  return run;
}

function lastRound(db: Db, taskId: string): number {
  const sql = "select coalesce(max(round), 0) as last from task_runs where task_id = ?1";
  return db.get<{ last: number }>(sql, taskId)?.last ?? 0;
}

const MODEL_CALLS = `select run_id as runId, round, stage, model, base_url as baseUrl, prompt, response, status, ms,
       prompt_tokens as promptTokens, response_tokens as responseTokens, started_at as startedAt
     from model_calls
     where run_id in (select id from task_runs where task_id = ?1 and (?2 is null or round = ?2)) order by id`;

/** Of the last 200 calls of any kind, the newest 20 answers: their prompts would take long to pass over. */
const RECENT_CALLS = `select count(*) as calls, total(prompt_tokens) as promptTokens, total(response_tokens) as answerTokens,
       total(ms) as ms
     from (select prompt_tokens, response_tokens, ms from model_calls
       where id > (select max(id) from model_calls) - 200 and model = ?1 and base_url = ?2 and status = 'ok' and ms > 0
         and prompt_tokens is not null and response_tokens is not null
       order by id desc limit 20)`;

const ENRICHMENTS = `select path, content_hash as contentHash, model, output, created_at as createdAt
     from enrichment_outputs order by id`;

const ARCHIVES = `select task_id as taskId, session, created_at as createdAt from session_archives
     where ?1 is null or task_id = ?1 order by id`;

type StoredRun = Omit<TaskRunRow, "options" | "budget"> & { runId: number; options: string; budget: string } & (
    | (Omit<TaskResultRow, "notices"> & { notices: string })
    | { status: null }
  );

const RUNS = `select t.id as runId, t.task_id as taskId, t.round, t.command, t.task, t.options, t.budget,
  t.content_hash as contentHash, t.cra_version as craVersion, t.started_at as startedAt,
  r.status, r.token_count as tokenCount, r.files, r.notices, max(r.ms, 0) as ms, r.finished_at as finishedAt
  from task_runs t left join task_results r on r.run_id = t.id where (?1 is null or t.task_id = ?1) order by t.id`;

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
