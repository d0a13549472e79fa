/** Appends rows to the raw log. Rows of a run that the log does not have are dropped. */
import type { Db } from "../sqlite/db.ts";
import type {
  ArchivedSession,
  EnrichmentRow,
  IndexRunRow,
  ModelCallRow,
  StageRow,
  TaskResultRow,
  TaskRunRow,
} from "./raw-log.ts";

export function appendIndexRun(db: Db, row: IndexRunRow): void {
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
}

export function appendTaskRun(db: Db, row: TaskRunRow): number {
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
}

export function appendTaskResult(db: Db, runId: number, row: TaskResultRow): void {
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
}

export function appendStage(db: Db, runId: number, row: StageRow): void {
  db.run(
    `insert into stages(run_id, task_id, round, stage, ms, counts)
     select id, task_id, round, ?2, ?3, ?4 from task_runs where id = ?1`,
    runId,
    row.stage,
    Math.round(row.ms),
    JSON.stringify(row.counts),
  );
}

export function appendModelCall(db: Db, runId: number | null, row: ModelCallRow): void {
  db.run(
    `insert into model_calls(run_id, task_id, round, stage, model, base_url, prompt, response, status, ms,
       prompt_tokens, response_tokens, started_at)
     select ?1, t.task_id, t.round, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
     from (select 1) left join task_runs t on t.id = ?1`,
    runId,
    row.stage,
    row.model,
    row.baseUrl,
    row.prompt.toWellFormed(),
    row.response?.toWellFormed() ?? null,
    row.status,
    Math.round(row.ms),
    row.promptTokens,
    row.responseTokens,
    row.startedAt,
  );
}

export function appendEnrichment(db: Db, { path, contentHash, model, output, createdAt }: EnrichmentRow): void {
  db.run(
    `insert into enrichment_outputs(path, content_hash, model, output, created_at) values (?1, ?2, ?3, ?4, ?5)`,
    path,
    contentHash,
    model.toWellFormed(),
    output.toWellFormed(),
    createdAt,
  );
}

export function appendSessionArchive(db: Db, { taskId, session, createdAt }: ArchivedSession): void {
  db.run(
    `insert into session_archives(task_id, session, created_at) select ?1, ?2, ?3
     where not exists (select 1 from session_archives where task_id = ?1 and session = ?2)`,
    taskId,
    session,
    createdAt,
  );
}
