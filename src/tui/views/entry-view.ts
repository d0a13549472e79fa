/** The first screen: the task, the sessions that can be resumed, and the state of the index. */

import { entryLayout, insideOf, windowTop } from "../state/layout/layout.ts";
import { type Matched, sessionName, sessionsListed } from "../state/lists/filtered-lists.ts";
import type { IndexState, SessionRow, State } from "../state/state.ts";
import { clockTime, counted, elapsed, grouped, progressText } from "../styling/numbers.ts";
import { fitted, justified, type Line, line, span, withRole } from "../styling/styled-text.ts";
import { type Signs, signsFor } from "../styling/theme.ts";
import { jobSign } from "./chrome.ts";
import { highlighted } from "./matched-letters.ts";
import { pane, scrollThumb } from "./pane.ts";
import { typedLine, typedLines } from "./typed-text.ts";

/** The rows between the header and the status line. */
export function entryBody(state: State): readonly Line[] {
  const { entry, look, size } = state;
  const signs = signsFor(look.ascii);
  const layout = entryLayout(size, entry);
  return [...taskPane(state, layout.task, signs), ...sessionsPane(state, layout.sessions, signs)];
}

function taskPane({ entry, look, size }: State, rows: number, signs: Signs): readonly Line[] {
  if (rows < 3) return [];
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
  const lines = entry.task.text === "" ? "" : counted(entry.task.text.split("\n").length, "line");
  return pane(box, { title: "Task", right: entry.task.all === true ? "all selected" : lines }, content);
}

const PLACEHOLDER = [
  "Describe the task: a bug report, a feature, a question, a stack trace.",
  "You can paste a whole issue: cra finds the files and functions it names.",
];

function sessionsPane(state: State, rows: number, signs: Signs): readonly Line[] {
  if (rows < 3) return [];
  const { entry, look, overlay } = state;
  const { columns } = state.size;
  const box = { columns, rows, active: entry.focus === "sessions", signs };
  const inside = insideOf(box);
  const sessions = entry.sessions;
  if (sessions === null || sessions.length === 0)
    return pane(box, { title: "Sessions" }, [
      line("dim", sessions === null ? "loading" : "None yet. Run a task: it can be resumed here."),
    ]);
  const isFiltering = overlay?.is === "filter" && overlay.of === "sessions";
  const listed = sessionsListed(entry);
  const typing: readonly Line[] = isFiltering
    ? [[span("key", "/ "), ...typedLine(entry.filter, inside.columns - 2, look)]]
    : [];
  const room = inside.rows - typing.length;
  const top = windowTop(entry.sessionAt, listed.length, room);
  const query = entry.filter.text;
  const count = query === "" ? grouped(sessions.length) : `${grouped(listed.length)} of ${grouped(sessions.length)}`;
  const shown = listed
    .slice(top, top + room)
    .map((found, at) => sessionRow(found, box.active && top + at === entry.sessionAt, inside.columns, signs));
  return pane(
    box,
    {
      title: "Sessions",
      right: `${query === "" || isFiltering ? "" : `/${query}  `}${count}`,
      thumb: scrollThumb(top, listed.length, room, typing.length),
    },
    [...typing, ...(shown.length > 0 ? shown : [line("dim", `No session matches "${query}". Esc clears the filter.`)])],
  );
}

function sessionRow({ row, matched }: Matched<SessionRow>, current: boolean, columns: number, signs: Signs): Line {
  const { taskId, task, title, purpose, rounds, lastUsed, unsaved } = row;
  const role = task === null && title === null ? "dim" : title === null ? "plain" : "strong";
  const facts = [
    ...(unsaved ? ["unsaved marks"] : []),
    ...(purpose === undefined ? [] : [`for ${purpose}`]),
    ...(columns < 60 ? [] : [counted(rounds, "round")]),
    ...(columns < 70 || lastUsed === null ? [] : [clockTime(lastUsed)]),
  ].join(signs.dot);
  const made = justified(
    [
      span(current ? "accent" : "plain", current ? `${signs.pointer} ` : "  "),
      span("accent", taskId.slice(0, 8)),
      span("plain", "  "),
      ...(matched.length === 0 ? [span(role, sessionName(row))] : highlighted(sessionName(row), matched, role)),
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
      ? `indexing${signs.dot}${index.step === null ? "starting" : progressText(index.step, now, signs.dot)}${signs.dot}after ${elapsed(now - index.startedAt)}`
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
