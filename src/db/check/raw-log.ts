/** Checks every row of the raw log: cra wrote it, and rows that belong together agree. */
import { readPack } from "../raw-log/decision-packs.ts";
import { RAW_SCHEMA } from "../raw-log/schema.ts";
import type { Db } from "../sqlite/db.ts";
import { openUntouched } from "../sqlite/open.ts";
import { type BadRows, badRows, type Check, checkDatabase, type OnCheck, type Remedy } from "./database.ts";
import { type Diagnostic, REPAIR } from "./diagnostic.ts";

const REMEDY: Remedy = { code: "log-damaged", mend: REPAIR.rebuild };

/** Checks the log at `path`; a missing file has no diagnostics. */
export const checkRawLog = (path: string, onCheck: OnCheck): readonly Diagnostic[] =>
  checkDatabase(path, RAW_SCHEMA, [badRows("rows", REMEDY, ROWS), PACKS], REMEDY, onCheck);

const PACKS: Check = {
  name: "decisions",
  *run(db) {
    const last = (table: string): number =>
      db.get<{ id: number }>(`select coalesce(max(id), 0) as id from ${table}`)?.id ?? 0;
    const [subjects, verdicts] = [last("decision_subjects"), last("decision_verdicts")];
    for (const { id } of db.all<{ id: number }>("select id from decision_packs")) {
      const decisions = readPack(db, id);
      if (decisions?.every(({ subject, verdict }) => subject <= subjects && verdict <= verdicts)) continue;
      yield { severity: "error", ...REMEDY, what: `decisions that cra cannot have written, such as ${id}` };
      return;
    }
  },
};

const isNoTime = (column: string): string => `${column} not glob '[0-9]*T*:*Z'`;
const isNoTask = (column: string): string => `(length(${column}) not between 8 and 64 or ${column} glob '*[^0-9a-f]*')`;

/** The first bytes of every SQLite file: "SQLite format 3" and a zero byte. */
const SQLITE_MAGIC = "x'53514c69746520666f726d6174203300'";

/** Durations of runs, results and stages may be below zero: earlier versions wrote such ones when the clock was set back. */
const ROWS: readonly BadRows[] = [
  [
    "index runs that cra cannot have written",
    `select id as at from index_runs where status not in ('finished', 'unchanged', 'cancelled', 'failed')
       or not json_valid(summary) or ${isNoTime("started_at")}`,
  ],
  [
    "task runs that cra cannot have written",
    `select id as at from task_runs where ${isNoTask("task_id")} or round < 1 or not json_valid(options)
       or not json_valid(budget) or ${isNoTime("started_at")}`,
  ],
  [
    "results that cra cannot have written",
    `select id as at from task_results where status not in ('finished', 'cancelled', 'failed') or not json_valid(notices)
       or token_count < 0 or files < 0 or ${isNoTime("finished_at")}`,
  ],
  [
    "results with another task or round than their run",
    `select t.id as at from task_results t join task_runs r on r.id = t.run_id
     where t.task_id <> r.task_id or t.round <> r.round`,
  ],
  [
    "stages with another task or round than their run",
    `select t.id as at from stages t join task_runs r on r.id = t.run_id
     where t.task_id <> r.task_id or t.round <> r.round or not json_valid(t.counts)`,
  ],
  [
    "decisions that cra cannot have written",
    `select run_id as at from decision_rows where terms is not null and not json_valid(terms)
     union all select id from decision_verdicts where included not in (0, 1) or stage = '' or tier = ''
     union all select id from decision_subjects where path = '' or line < 1`,
  ],
  [
    "answers about files that cra cannot have written",
    `select id as at from enrichment_outputs where path = '' or model = '' or not json_valid(output)
       or length(content_hash) <> 64 or content_hash glob '*[^0-9a-f]*' or ${isNoTime("created_at")}`,
  ],
  [
    "model calls that cra cannot have written",
    `select id as at from model_calls where model = '' or status = '' or ms < 0 or prompt_tokens < 0
       or response_tokens < 0 or ${isNoTime("started_at")}`,
  ],
  [
    "model calls with another task or round than their run",
    `select c.id as at from model_calls c left join task_runs r on r.id = c.run_id
     where c.task_id is not r.task_id or c.round is not r.round`,
  ],
  [
    "archived sessions that cra cannot have written",
    `select id as at from session_archives where ${isNoTask("task_id")} or ${isNoTime("created_at")}
       or substr(session, 1, 16) <> ${SQLITE_MAGIC}`,
  ],
  [
    "runs whose decisions have a gap",
    `select run_id as at from (
       select run_id, number, 1 as count from decision_rows union all select run_id, number, count from decision_packs
     ) group by run_id having sum(count) <> max(number + count - 1) or min(number) <> 1`,
  ],
];

/** The rounds in the log at `path`, as `<task id> <round>`; null without a readable log. */
export function loggedRounds(path: string): ReadonlySet<string> | null {
  let db: Db | null = null;
  try {
    db = openUntouched(path, RAW_SCHEMA).db;
    return new Set(
      db.all<{ key: string }>("select task_id || ' ' || round as key from task_runs").map(({ key }) => key),
    );
  } catch {
    return null; // The check of the log reports the reason.
  } finally {
    db?.close();
  }
}
