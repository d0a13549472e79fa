/** What the app remembers of a task, on a real log and a real store. */
import { expect, test } from "bun:test";
import { appMemory } from "../../../src/app/memory/remember.ts";
import { openRawLog } from "../../../src/db/raw-log/open-raw-log.ts";
import { NO_REDACTION } from "../../../src/secrets/redactor.ts";
import { folder } from "../../db/folder.ts";

const TASK = "0123456789ab";

test("a task remembered twice at once becomes one experience with both inputs", async () => {
  using dir = folder();
  const log = openRawLog(dir.at("raw.sqlite"));
  const run = log.appendTaskRun({
    taskId: TASK,
    round: 1,
    command: "retrieve",
    task: "fix the login",
    options: {},
    budget: {},
    contentHash: "c0ffee",
    craVersion: "1.0.0",
    startedAt: "2026-01-01T00:00:00Z",
  });
  log.appendTaskResult(run, { status: "finished", tokenCount: 5, files: 1, notices: [], ms: 9, finishedAt: "t" });
  const memory = appMemory({
    paths: { memory: dir.at("memory.sqlite") },
    redactor: NO_REDACTION,
    createDataFolder: () => {},
    log: { read: () => log },
  });
  const told = await Promise.all([
    memory.rememberTask(TASK, { type: "experience", outcome: { status: "confirmed", result: "it was the cache" } }),
    memory.rememberTask(TASK, { type: "experience", surprise: "the cache was shared" }),
  ]);
  log.close();
  expect(told.map(({ status }) => status).sort()).toEqual(["added", "replaced"]);
  expect((await memory.list({})).entries).toMatchObject([
    { task_id: TASK, outcome: { result: "it was the cache" }, surprise: "the cache was shared" },
  ]);
});
