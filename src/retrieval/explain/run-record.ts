/**
 * The rounds of a task as the log has them: requests, results, stages, model calls and decisions.
 *
 * A round that was interrupted and continued has several attempts. The record is that of the newest one, except that model
 * calls come from all attempts: a continued round does not repeat them.
 */
import { z } from "zod";
import type { LoggedRun, LogReader } from "../../db/raw-log/raw-log.ts";
import { Failed } from "../../failure.ts";
import { judgedBeside } from "../record/model-verdicts.ts";
import { expandLoggedTaskId } from "../record/task-id-prefix.ts";

const count = z.int().nonnegative();
const json = z.json();

/** One call of a model; `status` is "ok" or what went wrong. */
const Call = z.strictObject({
  stage: z.string(),
  model: z.string(),
  base_url: z.string(),
  status: z.string(),
  started_at: z.string(),
  ms: count,
  prompt_tokens: z.number().nullable(),
  response_tokens: z.number().nullable(),
  prompt: z.string(),
  response: z.string().nullable(),
});

/** One decision on a file (`symbol` null) or a symbol; the stage of a model's verdict is `<stage>:judgement`. */
const DecisionJson = z.strictObject({
  stage: z.string(),
  path: z.string(),
  symbol: z.string().nullable(),
  line: z.number().nullable(),
  kind: z.string().nullable(),
  tier: z.string(),
  included: z.boolean(),
  detail: z.string(),
  score: z.number(),
  terms: json,
  tokens: z.number().nullable(),
  reason: z.string(),
});

/** Decisions of one stage in one tier. */
const Tally = z.strictObject({ stage: z.string(), tier: z.string(), included: count, left_out: count });

const Round = z.strictObject({
  round: z.int().positive(),
  attempts: z.int().positive(),
  /** Null while it runs, and after a crash. */
  status: z.enum(["finished", "cancelled", "failed"]).nullable(),
  command: z.string(),
  started_at: z.string(),
  finished_at: z.string().nullable(),
  ms: count.nullable(),
  options: json,
  budget: json,
  /** Of the index that the round read. */
  content_hash: z.string(),
  cra_version: z.string(),
  token_count: count.nullable(),
  files: count.nullable(),
  notices: json,
  stages: z.array(z.strictObject({ stage: z.string(), ms: count, counts: json })),
  model_calls: z.array(Call),
  decision_counts: z.array(Tally),
  decisions: z.array(DecisionJson),
});
export type RoundRecord = z.infer<typeof Round>;

/** What `cra log --json` prints. */
export const RunRecord = z.strictObject({
  schema_version: z.literal(1),
  task_id: z.string(),
  task: z.string(),
  rounds: z.array(Round),
});
export type RunRecord = z.infer<typeof RunRecord>;

/**
 * All rounds of a task, or one of them. Throws `unknown-task`, a usage failure when `typedId` begins several ids,
 * `no-match` for a round that does not exist, and `io` when the rows do not have the expected shape.
 */
export function runRecord(log: LogReader, typedId: string, round: number | null): RunRecord {
  const taskId = expandLoggedTaskId(log, typedId);
  const byRound = Map.groupBy(log.runs(taskId), (run) => run.round);
  const [newest] = [...byRound.values()].flat().slice(-1);
  if (newest === undefined) throw new Failed({ code: "unknown-task", taskId: typedId });
  const selected = [...byRound].filter(([number]) => round === null || number === round).sort(([a], [b]) => a - b);
  if (selected.length === 0) {
    const known = [...byRound.keys()].sort((a, b) => a - b).join(", ");
    throw new Failed({ code: "no-match", message: `task ${taskId} has no round ${round}; the log knows ${known}` });
  }
  const record = RunRecord.safeParse({
    schema_version: 1,
    task_id: taskId,
    task: newest.task,
    rounds: selected.flatMap(([, attempts]) => {
      const last = attempts.at(-1);
      return last === undefined ? [] : [roundOf(log, last, attempts.length)];
    }),
  });
  if (record.success) return record.data;
  const message = `the log's rows of task ${taskId} are not in the form that cra writes`;
  throw new Failed({ code: "io", message, where: "raw.sqlite", next: "see: cra doctor" });
}

/** In the shape of `Round`, from rows that somebody may have edited. */
function roundOf(log: LogReader, run: LoggedRun, attempts: number) {
  const { taskId, round, result } = run;
  const decisions = judgedBeside(log.decisions(taskId, { round }));
  return {
    round,
    attempts,
    status: result?.status ?? null,
    command: run.command,
    started_at: run.startedAt,
    finished_at: result?.finishedAt ?? null,
    ms: result?.ms ?? null,
    options: run.options,
    budget: run.budget,
    content_hash: run.contentHash,
    cra_version: run.craVersion,
    token_count: result?.tokenCount ?? null,
    files: result?.files ?? null,
    notices: result?.notices ?? [],
    stages: log.stages(taskId, round),
    model_calls: log.modelCalls(taskId, round).map((call) => ({
      stage: call.stage,
      model: call.model,
      base_url: call.baseUrl,
      status: call.status,
      started_at: call.startedAt,
      ms: call.ms,
      prompt_tokens: call.promptTokens,
      response_tokens: call.responseTokens,
      prompt: call.prompt,
      response: call.response,
    })),
    decision_counts: [...Map.groupBy(decisions, ({ stage, tier }) => JSON.stringify([stage, tier])).values()].flatMap(
      (rows) => {
        const [first] = rows;
        if (first === undefined) return [];
        const included = rows.filter((row) => row.included).length;
        return [{ stage: first.stage, tier: first.tier, included, left_out: rows.length - included }];
      },
    ),
    decisions: decisions.map(({ runId: _, round: __, ...row }) => row),
  };
}
