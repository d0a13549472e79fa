/**
 * The migrations of the raw log, with the triggers that make every table append-only. The list only grows.
 *
 * The triggers abort updates and deletes and, because `insert or replace` bypasses those, every insert of an existing key.
 * Decisions are most of the log, so their repeated parts are stored once (`decisions.ts`), and those of a stage together
 * (`decision-packs.ts`); earlier versions wrote `decision_rows`. Times are ISO texts, durations milliseconds.
 */
import type { Schema } from "../sqlite/db.ts";
import { textColumns } from "../sqlite/text-chain.ts";

const TABLES_V1 = `
create table index_runs (
  id integer primary key check (id > 0), repo_path text not null, head text, content_hash text,
  cra_version text not null, started_at text not null, ms integer not null, status text not null, summary text not null
) strict;
create table task_runs (
  id integer primary key check (id > 0), task_id text not null, round integer not null, command text not null,
  task text not null, options text not null, budget text not null, content_hash text not null,
  cra_version text not null, started_at text not null
) strict;
create index task_runs_task on task_runs(task_id, round);
create table task_results (
  id integer primary key check (id > 0), run_id integer not null references task_runs(id),
  task_id text not null, round integer not null, status text not null, token_count integer, files integer,
  notices text not null, ms integer not null, finished_at text not null
) strict;
create unique index task_results_run on task_results(run_id);
create table stages (
  id integer primary key check (id > 0), run_id integer not null references task_runs(id),
  task_id text not null, round integer not null, stage text not null, ms integer not null, counts text not null
) strict;
create index stages_run on stages(run_id);
create table decision_subjects (
  id integer primary key check (id > 0), path text not null, symbol text, line integer, kind text
) strict;
create index decision_subjects_path on decision_subjects(path, symbol);
create table decision_verdicts (
  id integer primary key check (id > 0), stage text not null, tier text not null, included integer not null,
  detail text not null, reason text not null
) strict;
create index decision_verdicts_reason on decision_verdicts(reason);
create table decision_rows (
  run_id integer not null references task_runs(id), number integer not null check (number > 0),
  subject_id integer not null references decision_subjects(id),
  verdict_id integer not null references decision_verdicts(id),
  score real not null, tokens integer, terms text, primary key (run_id, number)
) strict, without rowid;
create view decisions as
  select d.run_id, r.task_id, r.round, d.number, v.stage, s.path, s.symbol, s.line, s.kind, v.tier, v.included, v.detail,
    d.score, d.terms, d.tokens, v.reason
  from decision_rows d join task_runs r on r.id = d.run_id
    join decision_subjects s on s.id = d.subject_id join decision_verdicts v on v.id = d.verdict_id;
create table model_calls (
  id integer primary key check (id > 0), run_id integer references task_runs(id), task_id text, round integer,
  stage text, model text not null, base_url text not null, prompt text not null, response text, status text not null,
  ms integer not null, prompt_tokens integer, response_tokens integer, started_at text not null
) strict;
create index model_calls_run on model_calls(run_id);
create table enrichment_outputs (
  id integer primary key check (id > 0), path text not null, content_hash text not null, model text not null,
  output text not null, created_at text not null
) strict;
create index enrichment_outputs_path on enrichment_outputs(path, content_hash);
create table evaluations (
  id integer primary key check (id > 0), name text not null, options text not null, results text not null,
  cra_version text not null, created_at text not null
) strict;
create table session_archives (
  id integer primary key check (id > 0), task_id text not null, session blob not null, created_at text not null
) strict;
create index session_archives_task on session_archives(task_id);
`;

/** The unique keys of each table; a key of several columns is separated by commas. */
const KEYS_V1: readonly (readonly [table: string, keys: readonly string[]])[] = [
  ["index_runs", ["id"]],
  ["task_runs", ["id"]],
  ["task_results", ["id", "run_id"]],
  ["stages", ["id"]],
  ["decision_subjects", ["id"]],
  ["decision_verdicts", ["id"]],
  ["decision_rows", ["run_id,number"]],
  ["model_calls", ["id"]],
  ["enrichment_outputs", ["id"]],
  ["evaluations", ["id"]],
  ["session_archives", ["id"]],
];

/** In these triggers an id that SQLite assigns is still -1, which no row has. */
const appendOnlyTriggers = (table: string, keys: readonly string[]): string =>
  [
    ...["update", "delete"].map(
      (action) =>
        `create trigger ${table}_no_${action} before ${action} on ${table} begin select raise(abort, '${table} is append-only'); end;`,
    ),
    ...keys.map((key) => {
      const columns = key.split(",");
      return `create trigger ${table}_no_replace_${columns.join("_")} before insert on ${table}
         when exists (select 1 from ${table} where ${columns.map((column) => `${column} = new.${column}`).join(" and ")})
         begin select raise(abort, '${table} is append-only'); end;`;
    }),
  ].join("\n");

const TABLES_V2 = `
create table decision_packs (
  id integer primary key check (id > 0), run_id integer not null references task_runs(id),
  number integer not null check (number > 0), count integer not null check (count > 0), stage text not null,
  ${textColumns("decision_packs")}
) strict;
create unique index decision_packs_run on decision_packs(run_id, number);
drop view decisions;
drop index decision_subjects_path;
create index decision_subjects_path on decision_subjects(path);
create index decision_subjects_file on decision_subjects(path) where symbol is null;
`;

const V1 = [TABLES_V1, ...KEYS_V1.map(([table, keys]) => appendOnlyTriggers(table, keys))].join("\n");
const V2 = [TABLES_V2, appendOnlyTriggers("decision_packs", ["id", "run_id,number"])].join("\n");

export const RAW_SCHEMA: Schema = {
  applicationId: 0x63726132, // "cra2"
  migrations: [V1, V2],
  digests: {
    1: "7164c39ae7b33772e1e845d41ff216eacc2762caa086b25d0dbad0eb19fab2e6",
    2: "00733ab97a358a7f5b07d688f4c260820f784d5ae1e1158bfcb9de5769a40af7",
  },
  journal: "wal",
  damaged: (path, why) => ({
    code: "io",
    message: `the log is damaged (${why})`,
    where: path,
    next: "cra index --rebuild moves it aside and starts a new one",
  }),
};
