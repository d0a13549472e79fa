/** The raw log: append-only, and its queries. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { checkRawLog } from "../../../src/db/check/raw-log.ts";
import { openRawLog } from "../../../src/db/raw-log/open-raw-log.ts";
import type { DecisionRow, RawLog, TaskRunRow } from "../../../src/db/raw-log/raw-log.ts";
import { RAW_SCHEMA } from "../../../src/db/raw-log/schema.ts";
import { openDatabase } from "../../../src/db/sqlite/open.ts";
import type { Notice } from "../../../src/notice.ts";
import { failureOf } from "../../support/failure.ts";
import { folder } from "../folder.ts";

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

const RESULT = { status: "finished", tokenCount: 5, files: 1, ms: 9, finishedAt: "t2" } as const;

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
  log.appendTaskResult(run, { ...RESULT, notices: [] });
  log.close();
  const db = openDatabase(path, "write", RAW_SCHEMA);
  db.run("insert into decision_rows values (?1, 2, 1, 1, 0.5, 12, ?2)", run, JSON.stringify(DECISION.terms));
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
  "decision_subjects",
  "decision_verdicts",
  "decision_rows",
  "decision_packs",
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
      "appendEnrichment",
      "enrichments",
      "sessionArchives",
      "appendSessionArchive",
      "modelCalls",
      "recentCalls",
      "appendModelCall",
      "runs",
      "latestRun",
      "lastRound",
      "decisions",
      "stages",
      "close",
    ];
    expect(Object.keys(openRawLog(dir.at("raw"))).sort()).toEqual([...names].sort());
  });
  test("every table is covered", () => {
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
      const info = db.all<{ name: string; pk: number }>(`pragma table_info(${table})`);
      const columns = info.map(({ name }) => name).join(", ");
      const keys = info.flatMap(({ name, pk }) => (pk > 0 ? [name] : []));
      const last = keys.at(-1) ?? "";
      for (const sql of [
        `update ${table} set ${last} = 7`,
        `update or replace ${table} set ${last} = ${last}`,
        `delete from ${table}`,
        `insert or replace into ${table} select * from ${table}`,
        `replace into ${table} select * from ${table}`,
        `insert into ${table}(${columns}) select ${columns} from ${table} where true
         on conflict(${keys.join(", ")}) do update set ${last} = ${last} + 1`,
      ])
        expect(() => db.run(sql)).toThrow("append-only");
      const negative = columns.replace(new RegExp(`\\b${last}\\b`), "-1");
      expect(() => db.run(`insert into ${table} select ${negative} from ${table}`)).toThrow(/CHECK|append-only/);
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

test("durations below zero, which earlier versions wrote when the clock was set back, are read as zero and no damage", () => {
  using dir = folder();
  const log = openRawLog(dir.at("raw"));
  const [startedAt, ms] = ["2026-01-01T00:00:00Z", -3_591_174];
  const indexed = { repoPath: "/r", head: null, contentHash: "h", craVersion: "1", startedAt, ms, summary: {} };
  log.appendIndexRun({ ...indexed, status: "finished" });
  const run = log.appendTaskRun(RUN);
  log.appendStage(run, { stage: "scope", ms, counts: {} });
  expect(log.latestRun()?.result).toBeNull();
  log.appendTaskResult(run, { status: "finished", tokenCount: 5, files: 1, notices: [], ms, finishedAt: startedAt });
  expect(log.stages(RUN.taskId)).toEqual([{ stage: "scope", ms: 0, counts: {} }]);
  expect(log.latestRun()?.result?.ms).toBe(0);
  log.close();
  expect(checkRawLog(dir.at("raw"), () => undefined)).toEqual([]);
});

test("decisions of an earlier version are read, and new ones follow them", () => {
  using dir = folder();
  const path = dir.at("raw");
  const old = openDatabase(path, "write", { ...RAW_SCHEMA, migrations: RAW_SCHEMA.migrations.slice(0, 1) });
  old.run(
    `insert into task_runs(id, task_id, round, command, task, options, budget, content_hash, cra_version, started_at)
     values (1, 'aaaa1111', 1, 'retrieve', 't', '{}', '{}', 'h', '1', 't')`,
  );
  old.run("insert into decision_subjects values (1, 'src/a.ts', null, null, null)");
  old.run("insert into decision_verdicts values (1, 'scope', 'seed', 1, 'none', 'the task names it')");
  old.run("insert into decision_rows values (1, 1, 1, 1, 0.5, 12, ?1)", JSON.stringify(DECISION.terms));
  old.close();
  const log = openRawLog(path);
  log.appendDecisions(1, [{ ...DECISION, symbol: "later" }]);
  const run = { runId: 1, round: 1 };
  expect(log.decisions("aaaa1111")).toEqual([
    { ...DECISION, ...run },
    { ...DECISION, ...run, symbol: "later" },
  ]);
  log.close();
});

test("appended rows are read back", () => {
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
  const logged = { ...DECISION, runId: 1, round: 1 };
  expect(log.decisions("aaaa1111")).toEqual([logged, logged]);
  expect(log.stages("aaaa1111")).toEqual([{ stage: "scope", ms: 3, counts: { files: 1 } }]);
});

test("a continued round answers from its newest attempt; earlier rounds stay", () => {
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

test("filters thousands of decisions by path and symbol", () => {
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

test("decisions are returned unchanged and in order, whatever they share", () => {
  const text = fc.constantFrom("a", "b", "", "a.b", "größe", "constructor");
  const decision: fc.Arbitrary<DecisionRow> = fc.record({
    stage: text,
    path: text,
    symbol: fc.option(text),
    line: fc.option(fc.nat(3)),
    kind: fc.option(text),
    tier: text,
    included: fc.boolean(),
    detail: text,
    score: fc.constantFrom(0, 0.25, 1, 0.123457),
    terms: fc.constantFrom(null, [], [{ signal: "x", value: 0.5 }]),
    tokens: fc.option(fc.nat(9)),
    reason: text,
  });
  fc.assert(
    fc.property(fc.array(fc.array(decision, { maxLength: 8 }), { maxLength: 4 }), (batches) => {
      const log = openRawLog(":memory:");
      for (const round of [1, 2]) {
        const run = log.appendTaskRun({ ...RUN, round });
        for (const batch of batches) log.appendDecisions(run, batch);
        const expected = batches.flat().map((row) => ({ ...row, runId: run, round }));
        expect(log.decisions(RUN.taskId)).toEqual(expected);
        expect(log.decisions(RUN.taskId, { path: "a" })).toEqual(expected.filter(({ path }) => path === "a"));
      }
      log.close();
    }),
    { numRuns: 20 },
  );
});

test("subjects are stored once, whatever characters they contain", () => {
  using dir = folder();
  const log = openRawLog(dir.at("raw"));
  const texts = ["a\u0000b", "a\u0001\t\n\r\f\b\u007f", "\ud800 alone", 'quo"te\\', "\u2028 größe 字 😀", ""];
  const rows = texts.map((text) => ({ ...DECISION, path: `src/${text}`, symbol: text, reason: text }));
  for (let time = 0; time < 2; time += 1) log.appendDecisions(log.appendTaskRun(RUN), [...rows, ...rows]);
  log.close();
  const db = new Database(dir.at("raw"), { readonly: true });
  for (const table of ["decision_subjects", "decision_verdicts"])
    expect(db.query<{ count: number }, []>(`select count(*) as count from ${table}`).get()).toEqual({
      count: texts.length,
    });
  db.close();
});

test("learned ids stay valid beside another log and after a rollback", () => {
  using dir = folder();
  const logs = [openRawLog(dir.at("raw")), openRawLog(dir.at("raw"))] as const;
  const runs = logs.map((log, at) => log.appendTaskRun({ ...RUN, round: at + 1 }));
  const rows = ["a", null, "b"].map((symbol) => ({ ...DECISION, symbol }));
  const [first, second] = logs;
  expect(() => first.appendDecisions(runs[0] ?? 0, [...rows, { ...DECISION, score: Number.NaN }])).toThrow();
  second.appendDecisions(runs[1] ?? 0, [{ ...DECISION, symbol: "of the other" }]);
  for (const log of [first, second, first]) log.appendDecisions(runs[0] ?? 0, rows);
  first.appendDecisions(runs[1] ?? 0, [{ ...DECISION, symbol: "of the other" }]);
  for (const log of logs) log.close();
  const again = openRawLog(dir.at("raw"));
  const symbolsOf = (round: number) => again.decisions(RUN.taskId, { round }).map(({ symbol }) => symbol);
  expect(symbolsOf(1)).toEqual(["a", null, "b", "a", null, "b", "a", null, "b"]);
  expect(symbolsOf(2)).toEqual(["of the other", "of the other"]);
  again.close();
  const db = new Database(dir.at("raw"), { readonly: true });
  expect(db.query("select count(*) as count from decision_subjects").get()).toEqual({ count: 4 });
  db.close();
});

test("learned ids are dropped when an earlier state of the log is restored", () => {
  using dir = folder();
  const append = (symbols: readonly string[]): void => {
    const log = openRawLog(dir.at("raw"));
    const rows = symbols.map((symbol) => ({ ...DECISION, symbol, reason: `because of ${symbol}` }));
    log.appendDecisions(log.appendTaskRun(RUN), rows);
    expect(log.decisions(RUN.taskId).map(({ symbol, reason }) => [symbol, reason])).toEqual(
      symbols.map((symbol) => [symbol, `because of ${symbol}`]),
    );
    log.close();
  };
  openRawLog(dir.at("raw")).close();
  const earlier = readFileSync(dir.at("raw"));
  append(["a", "b"]);
  append(["b", "c"]);
  writeFileSync(dir.at("raw"), earlier);
  append(["c", "a"]);
  append(["b", "a"]);
});

test("ids of one log are not used for another whose runs look the same", () => {
  using dir = folder();
  const append = (name: string, symbols: readonly string[]): void => {
    const log = openRawLog(dir.at(name));
    log.appendDecisions(
      log.appendTaskRun(RUN),
      symbols.map((symbol) => ({ ...DECISION, symbol })),
    );
    expect(log.decisions(RUN.taskId).map(({ symbol }) => symbol)).toEqual([...symbols]);
    log.close();
  };
  append("one", ["a"]);
  append("other", ["b"]);
  append("one", ["b", "a"]);
});

test("rows of a run that the log does not have are dropped", () => {
  using dir = folder();
  const log = openRawLog(dir.at("raw"));
  log.appendDecisions(7, [DECISION]);
  log.appendStage(7, { stage: "scope", ms: 3, counts: {} });
  log.appendTaskResult(7, { status: "finished", tokenCount: 5, files: 1, notices: [], ms: 9, finishedAt: "t2" });
  expect([log.decisions(RUN.taskId), log.stages(RUN.taskId), log.runs()]).toEqual([[], [], []]);
  log.appendDecisions(log.appendTaskRun(RUN), [DECISION]);
  expect(log.decisions(RUN.taskId)).toMatchObject([DECISION]);
  log.close();
});

test("a log that is only read is never created, and nothing can be appended to it", () => {
  using dir = folder();
  const empty = dir.at("empty");
  writeFileSync(empty, "");
  for (const path of [dir.at("missing"), empty]) {
    const log = openRawLog(path, () => expect.unreachable(), "read");
    expect([log.runs(), log.lastRound("a"), log.latestRun()]).toEqual([[], 0, null]);
    expect(log.recentCalls("m", "u")).toBeNull();
    expect(failureOf(() => log.appendTaskRun(RUN)).code).toBe("io");
    log.close();
  }
  expect(existsSync(dir.at("missing"))).toBe(false);
  expect(statSync(empty).size).toBe(0);
});

test("ids of a rolled-back transaction are unknown to another log", () => {
  using dir = folder();
  const first = openRawLog(dir.at("raw"));
  first.appendDecisions(first.appendTaskRun(RUN), [DECISION]);
  const second = openRawLog(dir.at("raw"));
  const added = { ...DECISION, symbol: "added", reason: "added" };
  second.appendDecisions(second.appendTaskRun(RUN), [DECISION]);
  expect(() => first.appendDecisions(first.appendTaskRun(RUN), [added, { ...DECISION, score: Number.NaN }])).toThrow();
  second.appendDecisions(second.appendTaskRun(RUN), [added]);
  expect(second.decisions(RUN.taskId)).toMatchObject([added]);
  first.close();
  second.close();
});

test("repeating a run's decisions takes little space", () => {
  using dir = folder();
  const log = openRawLog(dir.at("raw"));
  const rowsOf = (round: number) =>
    Array.from({ length: 5_000 }, (_, n) => ({
      ...DECISION,
      stage: "precision",
      score: n % 20 === 0 ? n / round : n / 7,
      path: `src/package/module_${n % 50}.py`,
      symbol: `SomeClass${n % 500}.some_method_${n}`,
      terms: null,
      reason: "neither named nor used, and nothing in it matches the task",
    }));
  const bytesOfRun = (round: number): number => {
    const before = bytesOf();
    log.appendDecisions(log.appendTaskRun({ ...RUN, round }), rowsOf(round));
    return bytesOf() - before;
  };
  const bytesOf = (): number =>
    openDatabase(dir.at("raw"), "read", RAW_SCHEMA).get<{ n: number }>(
      "select page_count * page_size as n from pragma_page_count, pragma_page_size",
    )?.n ?? 0;
  bytesOfRun(1);
  expect(bytesOfRun(2) / 5_000).toBeLessThan(4);
  for (const round of [1, 2])
    expect(log.decisions(RUN.taskId, { round }).map(({ score }) => score)).toEqual(
      rowsOf(round).map(({ score }) => score),
    );
});

/** A log that opens, and whose runs cannot be read or added to. */
function damageRows(path: string): void {
  filled(path);
  const db = openDatabase(path, "read", RAW_SCHEMA);
  const page = db.get<{ n: number }>("select rootpage as n from sqlite_schema where name = 'task_runs'")?.n ?? 0;
  db.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xff, 4096 * (page - 1), 4096 * page));
}

describe("a damaged log is moved aside and a new one started", () => {
  const damages: readonly (readonly [string, (path: string) => void])[] = [
    ["a text", (path) => writeFileSync(path, "this is no database".repeat(100))],
    ["a folder", (path) => mkdirSync(path)],
    ["a foreign database", (path) => openDatabase(path, "write", { ...RAW_SCHEMA, applicationId: 7 }).close()],
  ];
  for (const [name, damage] of damages)
    test(name, () => {
      using dir = folder();
      damage(dir.at("raw.sqlite"));
      writeFileSync(dir.at("raw.sqlite.bad-1"), "an earlier one");
      const told: Notice[] = [];
      const log = openRawLog(dir.at("raw.sqlite"), (notice) => told.push(notice));
      log.appendTaskRun(RUN);
      log.close();
      expect(openRawLog(dir.at("raw.sqlite")).runs().length).toBe(1);
      expect(told).toMatchObject([{ code: "log-restarted", movedTo: dir.at("raw.sqlite.bad-2") }]);
      expect(readFileSync(dir.at("raw.sqlite.bad-1"), "utf8")).toBe("an earlier one");
    });
  test("finds damage while appending", () => {
    using dir = folder();
    const path = dir.at("raw.sqlite");
    damageRows(path);
    const size = statSync(path).size;
    const told: Notice[] = [];
    const log = openRawLog(path, (notice) => told.push(notice));
    expect(told).toEqual([]);
    const run = log.appendTaskRun(RUN);
    log.appendDecisions(run, [DECISION]);
    expect(told).toMatchObject([{ code: "log-restarted", movedTo: `${path}.bad-1` }]);
    expect(log.decisions(RUN.taskId).length).toBe(1);
    expect(statSync(`${path}.bad-1`).size).toBe(size);
  });
  test("finds that results of runs are left whose rows are gone", () => {
    using dir = folder();
    const path = dir.at("raw.sqlite");
    filled(path);
    const db = openDatabase(path, "write", RAW_SCHEMA);
    const trigger = db.get<{ sql: string }>("select sql from sqlite_schema where name = 'task_runs_no_delete'");
    db.script(`pragma foreign_keys = off; drop trigger task_runs_no_delete; delete from task_runs; ${trigger?.sql}`);
    db.close();
    const told: Notice[] = [];
    const log = openRawLog(path, (notice) => told.push(notice));
    log.appendTaskResult(log.appendTaskRun(RUN), { ...RESULT, notices: [] });
    expect(log.runs().length).toBe(1);
    expect(told).toMatchObject([{ code: "log-restarted", movedTo: `${path}.bad-1` }]);
  });
  test("keeps the new log that another process started", () => {
    using dir = folder();
    const path = dir.at("raw.sqlite");
    damageRows(path);
    const told: Notice[] = [];
    const [mine, theirs] = [openRawLog(path, (notice) => told.push(notice)), openRawLog(path)];
    theirs.appendTaskRun(RUN);
    mine.appendTaskRun(RUN);
    expect(theirs.runs().length).toBe(2);
    expect(told).toEqual([]);
    expect([1, 2].map((n) => existsSync(`${path}.bad-${n}`))).toEqual([true, false]);
  });
  test("leaves a newer or read-only log alone", () => {
    using dir = folder();
    const path = dir.at("raw.sqlite");
    openDatabase(path, "write", { ...RAW_SCHEMA, migrations: [...RAW_SCHEMA.migrations, "select 1"] }).close();
    expect(failureOf(() => openRawLog(path)).code).toBe("index-newer");
    expect(failureOf(() => openRawLog(dir.at("none/raw.sqlite"))).code).toBe("io");
    expect(existsSync(`${path}.bad-1`)).toBe(false);
  });
});
