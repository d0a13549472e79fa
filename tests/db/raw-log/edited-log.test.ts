/** A log whose rows somebody changed, in a form that SQLite finds nothing wrong with. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { checkRawLog } from "../../../src/db/check/raw-log.ts";
import { openRawLog } from "../../../src/db/raw-log/open-raw-log.ts";
import type { TaskRunRow } from "../../../src/db/raw-log/raw-log.ts";
import { TEXT_BYTES_MAX } from "../../../src/db/sqlite/text-chain.ts";
import { packZstd } from "../../../src/text/zstd.ts";
import { failureOf } from "../../support/failure.ts";
import { folder } from "../folder.ts";

const RUN: TaskRunRow = {
  taskId: "aaaa1111",
  round: 1,
  command: "retrieve",
  task: "fix the login",
  options: {},
  budget: {},
  contentHash: "c0ffee",
  craVersion: "1.0.0",
  startedAt: "2026-01-01T00:00:00Z",
};
const about = { path: "src/a.ts", symbol: null, line: null, kind: null };
const says = { stage: "scope", tier: "seed", included: true, detail: "none", reason: "the task names it" };

test("decisions that cannot be read are not read as none", () => {
  using dir = folder();
  const log = openRawLog(dir.at("raw"));
  const run = log.appendTaskRun(RUN);
  log.appendDecisions(run, [{ ...about, ...says, score: 0.5, terms: [], tokens: 12 }]);
  expect(log.decisions("aaaa1111")).toMatchObject([about]);
  const edited = new Database(dir.at("raw"));
  edited.run("drop trigger decision_packs_no_update");
  edited.run("update decision_packs set packed = '[]'");
  edited.close();
  expect(failureOf(() => log.decisions("aaaa1111"))).toMatchObject({
    code: "io",
    message: "the decisions of task aaaa1111 cannot be read from the log",
    next: "see: cra doctor",
  });
  log.close();
});

test("more decisions than fit into a row take several", () => {
  using dir = folder();
  const log = openRawLog(dir.at("raw"));
  const terms = "x".repeat(TEXT_BYTES_MAX / 16);
  const rows = Array.from({ length: 41 }, (_, score) => ({ ...about, ...says, score, terms, tokens: 12 }));
  log.appendDecisions(log.appendTaskRun(RUN), rows);
  expect(log.decisions("aaaa1111").map(({ score }) => score)).toEqual(rows.map(({ score }) => score));
  log.close();
  expect(checkRawLog(dir.at("raw"), () => undefined)).toEqual([]);
});

test("decisions that unpack to more than cra writes are damage", () => {
  using dir = folder();
  const log = openRawLog(dir.at("raw"));
  const run = log.appendTaskRun(RUN);
  log.appendDecisions(run, [{ ...about, ...says, score: 1, terms: [], tokens: 12 }]);
  const edited = new Database(dir.at("raw"));
  const name = "decision_packs_no_update";
  const [trigger] = edited.query<{ sql: string }, [string]>("select sql from sqlite_schema where name = ?1").all(name);
  edited.run(`drop trigger ${name}`);
  const line = JSON.stringify([1, 1, 1, 12, "x".repeat(TEXT_BYTES_MAX)]);
  edited.run("update decision_packs set packed = ?1", [packZstd(Buffer.from(line), null)]);
  edited.run(trigger?.sql ?? "");
  edited.close();
  expect(failureOf(() => log.decisions("aaaa1111"))).toMatchObject({ code: "io", next: "see: cra doctor" });
  log.close();
  expect(checkRawLog(dir.at("raw"), () => undefined)).toMatchObject([
    { code: "log-damaged", what: "decisions that cra cannot have written, such as 1" },
  ]);
});
