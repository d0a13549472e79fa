/** `cra sessions`: lists or archives. Exit code 1 when a named session was not archived. */
import type { ArchiveReport, StoredSession } from "../../app/upkeep/sessions.ts";
import { Failed } from "../../failure.ts";
import { bytesText } from "../../present/amounts.ts";
import { type Cell, table, taskLine } from "../../present/layout.ts";
import { counted } from "../../text/counted.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";

const DAYS_DEFAULT = 30;

export const SESSIONS: Command = {
  name: "sessions",
  summary: "list the sessions of tasks, or archive finished ones in the log",
  arguments: [
    {
      name: "action",
      summary: "archive: move finished sessions that are not in use into the log",
      required: false,
      choices: ["archive"],
    },
    {
      name: "task-id",
      summary: "archive only these sessions, whatever their age; ids, or at least their first three characters",
      required: false,
      variadic: true,
    },
  ],
  options: [
    {
      flag: "--older-than",
      value: "days",
      whole: { least: 0, most: 100_000 },
      summary: `archive sessions last used at least this many days ago (default ${DAYS_DEFAULT})`,
    },
    { flag: "--dry-run", summary: "only show what would be archived" },
  ],
  examples: [
    { line: "cra sessions", does: "the tasks that can be resumed or refined, and their size" },
    { line: "cra sessions archive --older-than 90", does: "move the oldest into the log" },
  ],
  run: (context) => (context.values.argument("action") === undefined ? list(context) : archive(context)),
};

async function list(context: Context): Promise<number> {
  const { values, output } = context;
  const flag = values.switch("--dry-run")
    ? "--dry-run"
    : values.whole("--older-than") === undefined
      ? null
      : "--older-than";
  if (flag !== null)
    throw new Failed({ code: "usage", message: `${flag} needs the action archive`, next: "see: cra sessions --help" });
  return await withApp(context, async (app) => {
    const sessions = await app.sessions();
    await output.result({
      json: () => ({ schema_version: 1, sessions: sessions.map(sessionJson) }),
      text: () => (sessions.length === 0 ? "there are no sessions\n" : listText(sessions)),
    });
    return 0;
  });
}

/** Characters of a task that fit beside the other columns. */
const TASK_CHARS_MAX = 50;

const listText = (sessions: readonly StoredSession[]): string =>
  table(
    ["task", "state", "rounds", "last used", "size", "what"],
    sessions.map(({ taskId, task, purpose, rounds, state, lastUsed, bytes, why }): readonly Cell[] => [
      taskId,
      state,
      rounds,
      lastUsed ?? "-",
      bytesText(bytes),
      why ?? (task === null ? "not in the log" : taskText(task, purpose)),
    ]),
  );

/** Tasks of one text differ in what they are for. */
const taskText = (task: string, purpose: StoredSession["purpose"]): string =>
  `${taskLine(task, TASK_CHARS_MAX)}${purpose === null ? "" : ` (--for ${purpose})`}`;

const sessionJson = ({ taskId, task, purpose, rounds, state, lastUsed, bytes, why }: StoredSession) => ({
  task_id: taskId,
  task,
  for: purpose,
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
  return await withApp(context, async (app) => {
    const report = await app.archive({ tasks, olderThanDays, dryRun }, signal);
    await output.result({ json: () => reportJson(report, dryRun), text: () => reportText(report, dryRun) });
    for (const { taskId, why } of report.stayed)
      await output.say(`cra: note: the session of task ${taskId} was kept: ${why}`);
    if (report.younger > 0 && olderThanDays !== null)
      await output.say(
        `cra: note: kept ${counted(report.younger, "session")} used in the last ${counted(olderThanDays, "day")}`,
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
