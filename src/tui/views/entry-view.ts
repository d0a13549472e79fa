/** The first screen: the task, the sessions that can be resumed, and the state of the index. */

import { entryLayout, insideOf, windowTop } from "../state/layout.ts";
import type { EntryState, IndexState, SessionRow, State } from "../state/state.ts";
import { counted, elapsed, grouped, progressText } from "../styling/numbers.ts";
import { fitted, justified, type Line, line, span, withRole } from "../styling/styled-text.ts";
import { type Signs, signsFor } from "../styling/theme.ts";
import { jobSign } from "./chrome.ts";
import { pane, scrollThumb } from "./pane.ts";
import { typedLines } from "./typed-text.ts";

/** The rows between the header and the status line. */
export function entryBody(state: State): readonly Line[] {
  const { entry, look, size } = state;
  const signs = signsFor(look.ascii);
  const layout = entryLayout(size, entry.sessions?.length ?? 0);
  return [...taskPane(state, layout.task, signs), ...sessionsPane(entry, size.columns, layout.sessions, signs)];
}

function taskPane({ entry, look, size }: State, rows: number, signs: Signs): readonly Line[] {
  const box = { columns: size.columns, rows, active: entry.focus === "task", signs };
  const inside = insideOf(box);
  const content =
    entry.task.text === ""
      ? PLACEHOLDER.map((text, at) =>
          at === 0 && box.active
            ? [span("caret", look.colour ? " " : look.ascii ? "|" : "▏"), span("dim", text)]
            : line("dim", ` ${text}`),
        )
      : typedLines(entry.task, inside.columns, inside.rows, look);
  const right = entry.historyAt === null ? "" : `earlier task ${entry.historyAt + 1}/${entry.history.length}`;
  return pane(box, { title: "Task", right }, content);
}

const PLACEHOLDER = [
  "Describe the task: a bug report, a feature, a question, a stack trace.",
  "You can paste a whole issue: cra finds the files and functions it names.",
];

function sessionsPane(entry: EntryState, columns: number, rows: number, signs: Signs): readonly Line[] {
  if (rows < 3) return [];
  const box = { columns, rows, active: entry.focus === "sessions", signs };
  const inside = insideOf(box);
  const sessions = entry.sessions;
  if (sessions === null || sessions.length === 0)
    return pane(box, { title: "Sessions" }, [
      line("dim", sessions === null ? "loading" : "none yet; tasks that you can resume appear here"),
    ]);
  const top = windowTop(entry.sessionAt, sessions.length, inside.rows);
  const shown = sessions.slice(top, top + inside.rows);
  return pane(
    box,
    {
      title: "Sessions",
      right: `${box.active ? `${entry.sessionAt + 1}/` : ""}${grouped(sessions.length)}`,
      thumb: scrollThumb(top, sessions.length, inside.rows),
    },
    shown.map((row, at) => sessionRow(row, box.active && top + at === entry.sessionAt, inside.columns, signs)),
  );
}

function sessionRow(row: SessionRow, current: boolean, columns: number, signs: Signs): Line {
  const { taskId, task, rounds, lastUsed, unsaved } = row;
  const title = task === null ? "(task text lost)" : (task.trimStart().split("\n", 1)[0] ?? "");
  const facts = [
    ...(unsaved ? ["unsaved marks"] : []),
    ...(columns < 60 ? [] : [counted(rounds, "round")]),
    ...(columns < 70 || lastUsed === null ? [] : [lastUsed.slice(0, 16).replace("T", " ")]),
  ].join(signs.dot);
  const made = justified(
    [
      span(current ? "accent" : "plain", current ? `${signs.pointer} ` : "  "),
      span("accent", taskId.slice(0, 8)),
      span(task === null ? "dim" : "plain", `  ${title}`),
    ],
    [span("plain", "  "), span(unsaved ? "warn" : "dim", facts)],
    columns,
    signs.ellipsis,
  );
  return current ? withRole(made, "cursor") : made;
}

/** The line above the keys: the state of the index, or the progress of indexing. */
export function entryStatus({ index, now, size, look }: State): Line {
  const signs = signsFor(look.ascii);
  const [sign, role] = jobSign(INDEX_JOBS[index.status], now, signs);
  const text =
    index.status === "indexing"
      ? `indexing${signs.dot}${index.step === null ? "starting" : `${index.step.phase} ${progressText(index.step, now, signs.dot)}`}${signs.dot}${elapsed(now - index.startedAt)}`
      : index.headline === ""
        ? WITHOUT_HEADLINE[index.status]
        : index.headline;
  const counts =
    index.files === null || index.status === "indexing" ? "" : `${counted(index.files, "file")}${signs.dot}`;
  return fitted(
    [span(role, ` ${sign} `), span("strong", "Index  "), span("plain", `${counts}${text}`)],
    size.columns,
    signs.ellipsis,
  );
}

const INDEX_JOBS = {
  unknown: "waiting",
  missing: "stopped",
  ready: "done",
  indexing: "running",
  failed: "stopped",
} as const satisfies Record<IndexState["status"], Parameters<typeof jobSign>[0]>;

const WITHOUT_HEADLINE: Readonly<Record<IndexState["status"], string>> = {
  unknown: "checking",
  missing: "not built yet; the first run builds it",
  ready: "ready",
  indexing: "",
  failed: "failed",
};
