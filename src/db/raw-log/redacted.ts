/** The raw log with secrets redacted: none is written, and none is read from what an earlier version wrote. */
import type { Redactor } from "../../secrets/redactor.ts";
import type { RawLog } from "./raw-log.ts";

export const redactedLog = (log: RawLog, { value, text }: Redactor): RawLog => ({
  ...log,
  appendIndexRun: (row) => log.appendIndexRun(value(row)),
  appendTaskRun: (row) => log.appendTaskRun({ ...row, task: text(row.task), options: value(row.options) }),
  // A notice can quote what a model's server said.
  appendTaskResult: (runId, row) => log.appendTaskResult(runId, value(row)),
  appendModelCall: (runId, row) => log.appendModelCall(runId, value(row)),
  appendEnrichment: (row) => log.appendEnrichment({ ...row, output: text(row.output) }),
  runs: (taskId) => value(log.runs(taskId)),
  latestRun: (taskId) => value(log.latestRun(taskId)),
  modelCalls: (taskId, round) => value(log.modelCalls(taskId, round)),
});
