/** The raw log: append-only, three ways; and what can be asked of it. */
import { describe, expect, test } from "bun:test";
import { openDatabase } from "../../src/db/open.ts";
import { type DecisionRow, openRawLog, type RawLog, type TaskRunRow } from "../../src/db/raw-log.ts";
import { RAW_SCHEMA } from "../../src/db/raw-log-schema.ts";
import { folder } from "./folder.ts";

const RUN: TaskRunRow = {
  taskId: "aaaa1111",
  round: 1,
  command: "retrieve",
  task: "fix the login",
  options: { depth: 1, include: [] },
  budget: { tokens: 1000 },
  contentHash: "c0ffee",
  craVersion: "1.0.0",
  startedAt: "2026-01-01T00:00:00Z",
};
const DECISION: DecisionRow = {
  stage: "scope",
  path: "src/a.ts",
  symbol: null,
  line: null,
  kind: null,
  tier: "seed",
  included: true,
  detail: "none",
  score: 0.5,
  terms: [{ signal: "mention", value: 0.5 }],
  tokens: 12,
  reason: "the task names it",
};

/** One row in every table. */
function filled(path: string): void {
  const log = openRawLog(path);
  log.appendIndexRun({
    repoPath: "/r",
    head: null,
    contentHash: "h",
    craVersion: "1",
    startedAt: "t",
    ms: 1.6,
    status: "finished",
    summary: { files: 1 },
  });
  const run = log.appendTaskRun(RUN);
  log.appendDecisions(run, [DECISION]);
  log.appendStage(run, { stage: "scope", ms: 3, counts: { files: 1 } });
  log.appendTaskResult(run, { status: "finished", tokenCount: 5, files: 1, notices: [], ms: 9, finishedAt: "t2" });
  log.close();
  const db = openDatabase(path, "write", RAW_SCHEMA);
  db.run(
    "insert into model_calls(model, base_url, prompt, status, ms, started_at) values ('m', 'u', 'p', 'ok', 1, 't')",
  );
  db.run(
    "insert into enrichment_outputs(path, content_hash, model, output, created_at) values ('p', 'h', 'm', 'o', 't')",
  );
  db.run("insert into evaluations(name, options, results, cra_version, created_at) values ('n', '{}', '{}', '1', 't')");
  db.run("insert into session_archives(task_id, session, created_at) values ('a', x'00', 't')");
  db.close();
}

const TABLES = [
  "index_runs",
  "task_runs",
  "task_results",
  "stages",
  "decisions",
  "model_calls",
  "enrichment_outputs",
  "evaluations",
  "session_archives",
];

describe("append-only", () => {
  test("no method changes a row", () => {
    using dir = folder();
    const names: readonly (keyof RawLog)[] = [
      "appendIndexRun",
      "appendTaskRun",
      "appendTaskResult",
      "appendStage",
      "appendDecisions",
      "runs",
      "latestRun",
      "decisions",
      "stages",
      "close",
    ];
    expect(Object.keys(openRawLog(dir.at("raw"))).sort()).toEqual([...names].sort());
  });
  test("every table is in the list below", () => {
    using dir = folder();
    openRawLog(dir.at("raw")).close();
    const tables = openDatabase(dir.at("raw"), "read", RAW_SCHEMA).all<{ name: string }>(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
    );
    expect(tables.map(({ name }) => name).sort()).toEqual([...TABLES].sort());
  });
  for (const table of TABLES)
    test(`${table} refuses update, delete and every way of replacing`, () => {
      using dir = folder();
      filled(dir.at("raw"));
      const db = openDatabase(dir.at("raw"), "write", RAW_SCHEMA);
      const rows = (): readonly unknown[] => db.all(`select * from ${table}`);
      const before = rows();
      expect(before.length).toBe(1);
      const columns = db
        .all<{ name: string }>(`pragma table_info(${table})`)
        .map(({ name }) => name)
        .join(", ");
      for (const sql of [
        `update ${table} set id = 7`,
        `update or replace ${table} set id = id`,
        `delete from ${table}`,
        `insert or replace into ${table} select * from ${table}`,
        `replace into ${table} select * from ${table}`,
        `insert into ${table}(${columns}) select ${columns} from ${table} where true on conflict(id) do update set id = id + 1`,
      ])
        expect(() => db.run(sql)).toThrow("append-only");
      expect(() => db.run(`insert into ${table} select -1, ${columns.slice(4)} from ${table}`)).toThrow();
      expect(rows()).toEqual(before);
    });
  test("a run has one result", () => {
    using dir = folder();
    filled(dir.at("raw"));
    const db = openDatabase(dir.at("raw"), "write", RAW_SCHEMA);
    const other = "select 99, run_id, task_id, round, 'failed', null, null, '[]', 0, 't' from task_results";
    for (const verb of ["insert", "insert or replace"])
      expect(() => db.run(`${verb} into task_results ${other}`)).toThrow("append-only");
  });
});

test("what was appended is read back", () => {
  using dir = folder();
  filled(dir.at("raw"));
  const log = openRawLog(dir.at("raw"));
  const [run] = log.runs("aaaa1111");
  expect(run).toEqual({
    ...RUN,
    runId: 1,
    result: { status: "finished", tokenCount: 5, files: 1, notices: [], ms: 9, finishedAt: "t2" },
  });
  expect(log.latestRun()).toEqual(run ?? null);
  expect(log.latestRun("bbbb2222")).toBeNull();
  expect(log.decisions("aaaa1111")).toEqual([{ ...DECISION, runId: 1, round: 1 }]);
  expect(log.stages("aaaa1111")).toEqual([{ stage: "scope", ms: 3, counts: { files: 1 } }]);
});

test("a continued round answers with its newest attempt, earlier rounds stay", () => {
  using dir = folder();
  const log = openRawLog(dir.at("raw"));
  const attempt = (round: number, reason: string): void =>
    log.appendDecisions(log.appendTaskRun({ ...RUN, round }), [{ ...DECISION, reason }]);
  attempt(1, "first");
  attempt(1, "first, continued");
  attempt(2, "second");
  const reasons = (round?: number): readonly string[] =>
    log.decisions("aaaa1111", round === undefined ? {} : { round }).map(({ reason }) => reason);
  expect([reasons(), reasons(1), reasons(3)]).toEqual([["second"], ["first, continued"], []]);
  expect(log.runs("aaaa1111").map(({ round, result }) => [round, result])).toEqual([
    [1, null],
    [1, null],
    [2, null],
  ]);
});

test("thousands of decisions, asked for by path and symbol", () => {
  using dir = folder();
  const log = openRawLog(dir.at("raw"));
  const run = log.appendTaskRun(RUN);
  const rows = Array.from({ length: 5_000 }, (_, n) => ({
    ...DECISION,
    path: `src/${n % 50}.ts`,
    symbol: n % 2 ? `Class${n}.go_${n}` : null,
  }));
  log.appendDecisions(run, rows);
  expect(log.decisions("aaaa1111").length).toBe(5_000);
  expect(log.decisions("aaaa1111", { path: "src/7.ts" }).length).toBe(100);
  expect(log.decisions("aaaa1111", { symbol: "go_11" }).map(({ symbol }) => symbol)).toEqual(["Class11.go_11"]);
  expect(log.decisions("aaaa1111", { symbol: "Class11.go_11", path: "src/11.ts" }).length).toBe(1);
  expect(log.decisions("aaaa1111", { symbol: "go%" })).toEqual([]);
});
