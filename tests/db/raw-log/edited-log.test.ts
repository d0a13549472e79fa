/** A log whose rows somebody changed, in a form that SQLite finds nothing wrong with. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { openRawLog } from "../../../src/db/raw-log/open-raw-log.ts";
import { failureOf } from "../../support/failure.ts";
import { folder } from "../folder.ts";

test("decisions that cannot be read are not read as none", () => {
  using dir = folder();
  const log = openRawLog(dir.at("raw"));
  const run = log.appendTaskRun({
    taskId: "aaaa1111",
    round: 1,
    command: "retrieve",
    task: "fix the login",
    options: {},
    budget: {},
    contentHash: "c0ffee",
    craVersion: "1.0.0",
    startedAt: "2026-01-01T00:00:00Z",
  });
  const about = { path: "src/a.ts", symbol: null, line: null, kind: null };
  const says = { stage: "scope", tier: "seed", included: true, detail: "none", reason: "the task names it" };
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
