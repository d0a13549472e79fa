/**
 * `cra sessions`: what tasks remember; `cra sessions archive` moves what nobody works on into the log.
 *
 * Exit code 1 when a session that was named stays.
 */
import type { ArchiveReport, StoredSession } from "../../app/sessions.ts";
import { Failed } from "../../failure.ts";
import { bytesText, type Cell, counted, table } from "../../present/layout.ts";
import { taskLine } from "../output/task-line.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Context, Runner } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";

const DAYS_DEFAULT = 30;

export const run: Runner = async (context) =>
  context.values.argument("action") === undefined ? await list(context) : await archive(context);

async function list(context: Context): Promise<number> {
  const { values, output } = context;
  const flag = values.switch("--dry-run")
    ? "--dry-run"
    : values.whole("--older-than") === undefined
      ? null
      : "--older-than";
  if (flag !== null)
    throw new Failed({ code: "usage", message: `${flag} is for archiving`, next: "see: cra sessions --help" });
  return await withApp(context, appRequest(context), async (app) => {
    const sessions = await app.sessions();
    if (output.look.json) await output.json({ schema_version: 1, sessions: sessions.map(sessionJson) });
    else await output.data(sessions.length === 0 ? "no task remembers anything\n" : listText(sessions));
    return 0;
  });
}

/** As much of a task as fits beside the rest. */
const TASK_CHARS_MAX = 50;

const listText = (sessions: readonly StoredSession[]): string =>
  table(
    ["task", "state", "rounds", "last used", "size", "what"],
    sessions.map(({ taskId, task, rounds, state, lastUsed, bytes, why }): readonly Cell[] => [
      taskId,
      state,
      rounds,
      lastUsed ?? "-",
      bytesText(bytes),
      why ?? (task === null ? "the log does not know it" : taskLine(task, TASK_CHARS_MAX)),
    ]),
  );

const sessionJson = ({ taskId, task, rounds, state, lastUsed, bytes, why }: StoredSession) => ({
  task_id: taskId,
  task,
  rounds,
  state,
  last_used: lastUsed,
  bytes,
  why,
});

async function archive(context: Context): Promise<number> {
  const { values, output, signal } = context;
  const tasks = values.list("task-id");
  const dryRun = values.switch("--dry-run");
  const olderThanDays = values.whole("--older-than") ?? (tasks.length === 0 ? DAYS_DEFAULT : null);
  return await withApp(context, appRequest(context), async (app) => {
    const report = await app.archive({ tasks, olderThanDays, dryRun }, signal);
    if (output.look.json) await output.json(reportJson(report, dryRun));
    else await output.data(reportText(report, dryRun));
    for (const { taskId, why } of report.stayed)
      await output.say(`cra: note: the session of task ${taskId} stays: ${why}`);
    if (report.younger > 0 && olderThanDays !== null)
      await output.say(
        `cra: note: used in the last ${counted(olderThanDays, "day")}, so left alone: ${counted(report.younger, "session")}`,
      );
    const isAllDone = report.stayed.length === 0 && report.younger === 0;
    return tasks.length > 0 && !isAllDone ? 1 : 0;
  });
}

function reportText({ archived }: ArchiveReport, dryRun: boolean): string {
  const rows = archived.map(({ taskId, bytes }) => [taskId, bytesText(bytes)]);
  const bytes = bytesText(archived.reduce((sum, session) => sum + session.bytes, 0));
  const total = `${dryRun ? "would archive" : "archived"} ${counted(archived.length, "session")}, ${bytes}`;
  return `${table(["task", "size"], rows)}${total}\n`;
}

const reportJson = ({ archived, stayed, younger }: ArchiveReport, dryRun: boolean) => ({
  schema_version: 1,
  dry_run: dryRun,
  archived: archived.map(({ taskId, bytes }) => ({ task_id: taskId, bytes })),
  stayed: stayed.map(({ taskId, why }) => ({ task_id: taskId, why })),
  younger,
});
