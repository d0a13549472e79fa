/**
 * Every call of a model as the raw log keeps it, prompt and response whole.
 *
 * Not here: what is asked (`judgement/`, `enrichment/`), the rest of the log (`raw-log.ts`).
 */
import type { Db } from "../sqlite/open.ts";

/**
 * One call of a model. `response` is null when nothing came; `status` is "ok" or what went wrong; `ms` is what it took;
 * tokens are the server's count, null when it told none.
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

/** A call of a task's run; `runId` tells the attempts at one round apart. */
export type LoggedModelCall = ModelCallRow & { readonly runId: number; readonly round: number };

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

/** The calls of all attempts at a round, or at all rounds, oldest first. */
export const readModelCalls = (db: Db, taskId: string, round?: number): readonly LoggedModelCall[] =>
  db.all<LoggedModelCall>(
    `select run_id as runId, round, stage, model, base_url as baseUrl, prompt, response, status, ms,
       prompt_tokens as promptTokens, response_tokens as responseTokens, started_at as startedAt
     from model_calls
     where run_id in (select id from task_runs where task_id = ?1 and (?2 is null or round = ?2)) order by id`,
    taskId,
    round ?? null,
  );
