/** `cra report`: a run as one page to hand on, which needs no network and no cra. */
import { resolve } from "node:path";
import { Failed } from "../../failure.ts";
import { TASK_ID } from "../options/package-options.ts";
import { checkTarget, writeWhole } from "../output/write-file.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";

export const REPORT: Command = {
  name: "report",
  summary: "write a run as one HTML page: package, budget, graph, ranking, decisions, rounds",
  arguments: [TASK_ID],
  options: [
    {
      flag: "--output",
      short: "-o",
      value: "file",
      summary: "write the page to this file; standard output without it",
      completes: "file",
    },
    { flag: "--force", summary: "overwrite the file", needs: ["--output"] },
  ],
  examples: [{ line: "cra report 1f3a -o report.html", does: "one file that opens anywhere, without network" }],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, output, environment, signal } = context;
  const typed = values.text("--output");
  const path = typed === undefined || typed === "-" ? null : resolve(environment.cwd, typed);
  const force = values.switch("--force");
  if (path !== null) checkTarget(path, { force });
  const { reportPage } = await import("../../present/report/page.ts");
  const taskId = values.argument("task-id") ?? "";
  return await withApp(context, async (app) => {
    const { round } = await app.reopen(taskId, signal);
    if (round === null)
      throw new Failed({
        code: "no-match",
        message: `no round of task ${taskId} has finished; run: cra refine ${taskId}`,
      });
    const record = await app.runRecord(taskId, null);
    const page = reportPage({ package: round.package, round: round.round, record });
    const { task_id } = record;
    if (path === null) await output.result({ json: () => ({ schema_version: 1, task_id, page }), text: () => page });
    else {
      writeWhole(path, page, { force });
      if (output.mode.json) await output.json({ schema_version: 1, task_id, file: path });
      await output.say(`cra: the report of task ${task_id} is in ${typed}`);
      const { noteUntracked } = await import("../output/deliver.ts");
      await noteUntracked(context, path, app);
    }
    return 0;
  });
}
