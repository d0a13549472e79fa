/** Model calls in the raw log: complete, in order, by task and round. */
import { expect, test } from "bun:test";
import { checkRawLog } from "../../../src/db/check/raw-log.ts";
import { openRawLog } from "../../../src/db/raw-log/open-raw-log.ts";
import type { ModelCallRow, RawLog } from "../../../src/db/raw-log/raw-log.ts";
import { RAW_SCHEMA } from "../../../src/db/raw-log/schema.ts";
import { openDatabase } from "../../../src/db/sqlite/open.ts";
import { folder } from "../folder.ts";

const CALL: ModelCallRow = {
  stage: "scope",
  model: "m:1b",
  baseUrl: "http://127.0.0.1:11434",
  prompt: "sort these",
  response: '{"verdicts":[]}',
  status: "ok",
  ms: 300,
  promptTokens: 321,
  responseTokens: 7,
  startedAt: "2026-01-01T00:00:00Z",
};

const begin = (log: RawLog, taskId: string, round: number): number =>
  log.appendTaskRun({
    taskId,
    round,
    command: "retrieve",
    task: "t",
    options: {},
    budget: {},
    contentHash: "h",
    craVersion: "1",
    startedAt: "t",
  });

test("calls are returned unchanged, for every attempt, oldest first", () => {
  using dir = folder();
  const log = openRawLog(dir.at("raw"));
  const [killed, continued, next, other] = [
    begin(log, "aaaa1111", 1),
    begin(log, "aaaa1111", 1),
    begin(log, "aaaa1111", 2),
    begin(log, "bbbb2222", 1),
  ];
  log.appendModelCall(killed ?? 0, { ...CALL, stage: "analysis" });
  log.appendModelCall(other ?? 0, { ...CALL, stage: "other" });
  log.appendModelCall(continued ?? 0, { ...CALL, ms: 1.6, response: null, promptTokens: null, responseTokens: null });
  log.appendModelCall(next ?? 0, { ...CALL, status: "timeout" });
  log.appendModelCall(null, { ...CALL, stage: "enrich" });
  const first = { ...CALL, stage: "analysis", runId: killed, round: 1 };
  const second = {
    ...CALL,
    ms: 2,
    response: null,
    promptTokens: null,
    responseTokens: null,
    runId: continued,
    round: 1,
  };
  const third = { ...CALL, status: "timeout", runId: next, round: 2 };
  expect(log.modelCalls("aaaa1111") as readonly unknown[]).toEqual([first, second, third]);
  expect(log.modelCalls("aaaa1111", 1) as readonly unknown[]).toEqual([first, second]);
  expect(log.modelCalls("aaaa1111", 3)).toEqual([]);
  expect(log.modelCalls("bbbb2222").map(({ stage }) => stage)).toEqual(["other"]);
  log.close();
});

test("stores texts with lone surrogates", () => {
  using dir = folder();
  const log = openRawLog(dir.at("raw"));
  const run = begin(log, "aaaa1111", 1);
  log.appendModelCall(run, { ...CALL, prompt: "a\ud800b", response: "\udfff" });
  expect(log.modelCalls("aaaa1111")).toMatchObject([{ prompt: "a\ufffdb", response: "\ufffd" }]);
  log.close();
});

test("the check accepts what cra writes and finds impossible calls and sessions", () => {
  using dir = folder();
  const log = openRawLog(dir.at("raw"));
  const run = begin(log, "aaaa1111", 1);
  log.appendModelCall(run, CALL);
  log.appendModelCall(null, CALL);
  log.close();
  const found = (): readonly string[] => checkRawLog(dir.at("raw"), () => undefined).map(({ what }) => what);
  const isOnCalls = (what: string): boolean => /calls|sessions/.test(what);
  expect(found().filter(isOnCalls)).toEqual([]);
  const db = openDatabase(dir.at("raw"), "write", RAW_SCHEMA);
  const call =
    "insert into model_calls(model, base_url, prompt, status, ms, started_at, run_id, task_id, round) values";
  db.run(`${call} ('', 'u', 'p', 'ok', 1, '2026-01-01T00:00:00Z', null, null, null)`);
  db.run(`${call} ('m', 'u', 'p', 'ok', 1, '2026-01-01T00:00:00Z', 1, 'bbbb2222', 1)`);
  db.run(
    "insert into session_archives(task_id, session, created_at) values ('aaaa1111', x'00', '2026-01-01T00:00:00Z')",
  );
  db.close();
  expect(found().filter(isOnCalls)).toEqual([
    "1 model calls that cra cannot have written, such as 3",
    "1 model calls with another task or round than their run, such as 4",
    "1 archived sessions that cra cannot have written, such as 1",
  ]);
});
