/** A run in progress: its stages, the model output, notices, and the files found so far. */

import { foundRows, insideOf, rowsAbove, runLayout, windowTop } from "../state/layout/layout.ts";
import { tellingFolders } from "../state/lists/same-names.ts";
import type { RunState, StageState, State } from "../state/state.ts";
import { counted, elapsed, grouped, percent, phaseWords, progressText } from "../styling/numbers.ts";
import { columnsOf, cut, justified, type Line, line, span, withRole, wrapped } from "../styling/styled-text.ts";
import { type Signs, signsFor } from "../styling/theme.ts";
import { jobSign } from "./chrome.ts";
import { fileHeadings, fileRow } from "./file-row.ts";
import { beside, pane, scrollThumb } from "./pane.ts";

/** The rows between the header and the status line. */
export function runBody(state: State, run: RunState): readonly Line[] {
  const signs = signsFor(state.look.ascii);
  const stages = stageLines(run, state.now, signs);
  const { narrow, left, files } = runLayout(state.size, run);
  const box = { columns: left.columns, rows: left.stages, active: false, signs };
  const inside = insideOf(box);
  const stagePane = left.stages === 0 ? [] : pane(box, { title: "Stages" }, stages(inside.columns));
  const below = left.below < 3 ? [] : belowPane(state, run, left.columns, left.below, signs);
  const filesPane = foundPane(run, files.columns, files.rows, signs);
  return narrow ? [...stagePane, ...filesPane] : beside([...stagePane, ...below], filesPane);
}

/** The line above the keys: the state of the run, or its end. */
export function runStatus({ look, now }: State, run: RunState): Line {
  const signs = signsFor(look.ascii);
  const time = elapsed((run.status === "running" || run.status === "cancelling" ? now : run.endedAt) - run.startedAt);
  const files = counted(run.files.length, "file");
  switch (run.status) {
    case "running":
      return [
        span("accent", ` ${jobSign("running", now, signs)[0]} `),
        span(
          "plain",
          `${refreshText(run, now, signs) ?? modelText(run) ?? `${files} so far`}${signs.dot}after ${time}`,
        ),
      ];
    case "cancelling":
      return [
        span("warn", ` ${jobSign("running", now, signs)[0]} stopping`),
        span("plain", `${signs.dot}${files} so far${signs.dot}${time}`),
      ];
    case "done":
      return [span("good", ` ${signs.done} `), span("plain", `${files}${signs.dot}${time}`)];
    case "cancelled":
      return [
        span("warn", ` ${signs.failed} stopped`),
        span("plain", `${signs.dot}${files} until then${signs.dot}${time}`),
      ];
    case "failed":
      return [span("bad", ` ${signs.failed} failed`), span("plain", `${signs.dot}${time}`)];
  }
}

/** The progress of indexing before the first stage; null afterwards. */
const refreshText = ({ refresh, stages }: RunState, now: number, { dot }: Signs): string | null =>
  refresh === null || stages.length > 0 ? null : `index${dot}${progressText(refresh, now, dot)}`;

/** How long a model is waited for; null while none is asked. */
const modelText = ({ judgement }: RunState): string | null =>
  judgement?.status === "asked" ? `waiting for the model, at most ${elapsed(judgement.leftMs)}` : null;

/** Lines of the stages, for a width. */
function stageLines(run: RunState, now: number, signs: Signs): (columns: number) => readonly Line[] {
  return (columns) => [
    ...(run.refresh === null ? [] : [refreshLine(run, now, columns, signs)]),
    ...run.stages.map((stage) => stageLine(stage, run.judgement, columns, now, signs)),
    ...(run.stages.length === 0 && run.refresh === null ? [line("dim", "starting")] : []),
  ];
}

function refreshLine({ refresh, stages, status }: RunState, now: number, columns: number, signs: Signs): Line {
  const [sign, role] = jobSign(stages.length > 0 ? "done" : status === "running" ? "running" : "stopped", now, signs);
  if (refresh === null) return [];
  const finished = stages.length > 0;
  const done =
    finished || refresh.total === 0 || (refresh.total === null && refresh.done === 0)
      ? ""
      : refresh.total === null
        ? grouped(refresh.done)
        : percent(refresh.done, refresh.total);
  const facts = finished ? "up to date" : phaseWords(refresh.phase);
  // The status line has the same words, so they are left out rather than cut.
  const room = columns - STAGE_COLUMNS - 3;
  return justified(
    [
      span(role, sign),
      span("strong", ` ${stageWords("index").padEnd(STAGE_COLUMNS)} `),
      span("dim", columnsOf(facts) + columnsOf(done) < room ? facts : ""),
    ],
    [span("dim", done)],
    columns,
    signs.ellipsis,
  );
}

function stageLine(
  stage: StageState,
  judgement: RunState["judgement"],
  columns: number,
  now: number,
  signs: Signs,
): Line {
  const [sign, role] = jobSign(stage.status, now, signs);
  const time = stage.status === "waiting" ? "" : elapsed(stage.endedAt - stage.startedAt);
  const kept = Object.entries(stage.counts).reduce((sum, [what, count]) => (what === OUT ? sum : sum + count), 0);
  const out = stage.counts[OUT] ?? 0;
  const isAsking = stage.status === "running" && judgement?.stage === stage.name && judgement.status === "asked";
  const isCounted = Object.keys(stage.counts).length > 0;
  const forms = isAsking
    ? [`asking ${judgement.model}`]
    : stage.status === "done"
      ? isCounted
        ? [`${grouped(kept)} kept, ${grouped(out)} left out`, `${grouped(kept)} kept`, grouped(kept)]
        : ["asked the model"]
      : stage.considered === 0
        ? []
        : [`${grouped(stage.considered)} looked at`, grouped(stage.considered)];
  const right = stage.status === "stopped" ? "stopped" : time;
  const room = columns - STAGE_COLUMNS - 3 - (right === "" ? 0 : right.length + 1);
  return justified(
    [
      span(role, sign),
      span(stage.status === "waiting" ? "dim" : "strong", ` ${stageWords(stage.name).padEnd(STAGE_COLUMNS)} `),
      span("dim", forms.find((form) => columnsOf(form) <= room) ?? forms.at(-1) ?? ""),
    ],
    [span(stage.status === "stopped" ? "warn" : "dim", right)],
    columns,
    signs.ellipsis,
  );
}

/** The key of the excluded files in counts. */
const OUT = "excluded";
const STAGE_COLUMNS = 18;

const STAGE_WORDS: Readonly<Record<string, string>> = {
  index: "updating the index",
  analysis: "reading the task",
  scope: "choosing files",
  precision: "choosing symbols",
  budget: "fitting the budget",
};
const stageWords = (name: string): string => STAGE_WORDS[name] ?? name;

/** The reply of the model, or else the notices. */
function belowPane(state: State, run: RunState, columns: number, rows: number, signs: Signs): readonly Line[] {
  const box = { columns, rows, active: false, signs };
  const inside = insideOf(box);
  const { judgement } = run;
  const notices = run.notices.flatMap(({ message }) =>
    wrapped(message, inside.columns - 2, 3, signs.ellipsis).map(
      (text, at): Line => [span("warn", at === 0 ? "! " : "  "), span("plain", text)],
    ),
  );
  if (judgement === null) {
    const nothing = notices.length === 0 ? [line("dim", "Nothing to report.")] : notices;
    return pane(box, { title: "Notices" }, nothing.slice(-inside.rows));
  }
  const asked = judgement.status === "asked";
  const silence = `silent ${elapsed(state.now - judgement.heardAt)}`;
  // All lines of each, because the end of the reply is what is new.
  const text = judgement.text
    .split("\n")
    .slice(-inside.rows)
    .flatMap((part) => wrapped(part, inside.columns, part.length + 1, signs.ellipsis))
    .map((piece) => line("plain", piece));
  // A question about the task alone has no candidates.
  const about = judgement.candidates === 0 ? "" : `${counted(judgement.candidates, "candidate")}, `;
  const head = `${about}call ${judgement.call} of ${judgement.calls}`;
  const room = Math.max(0, inside.rows - 1 - Math.min(notices.length, 2));
  return pane(box, { title: `Model ${judgement.model}`, right: asked ? silence : judgement.status }, [
    line("dim", cut(head, inside.columns, signs.ellipsis)),
    ...text.slice(-room),
    ...notices.slice(-2),
  ]);
}

function foundPane(run: RunState, columns: number, rows: number, signs: Signs): readonly Line[] {
  const box = { columns, rows, active: true, signs };
  const inside = insideOf(box);
  const partial = run.status === "cancelled" ? " (stopped: not a package)" : "";
  const title = { title: `Files${partial}`, right: grouped(run.files.length) };
  if (run.failure !== null)
    return pane(
      box,
      { title: "Failed" },
      wrapped(run.failure, inside.columns, inside.rows, signs.ellipsis).map((text) => line("plain", text)),
    );
  if (run.files.length === 0)
    return pane(box, title, [
      line("dim", run.status === "running" ? "Files appear here as they are found." : "No file was found."),
    ]);
  const best = run.files[0]?.score ?? 0;
  const listed = foundRows(inside.rows);
  const top = windowTop(run.cursor, run.files.length, listed);
  const telling = tellingFolders(run.files);
  const shown = run.files.slice(top, top + listed).map((file, at) => {
    const under = top + at === run.cursor ? "cursor" : null;
    return fileRow(
      { file, mark: null, under, matched: [], telling: telling.get(file.path) },
      inside.columns,
      signs,
      best,
    );
  });
  const current = run.files[run.cursor];
  const why: readonly Line[] =
    listed === inside.rows || current === undefined
      ? []
      : [
          withRole(line("dim", signs.horizontal.repeat(inside.columns)), "border"),
          [span("dim", "why  "), span("plain", cut(current.reason, inside.columns - 5, signs.ellipsis))],
        ];
  const filled = Array.from({ length: listed }, (_, at) => shown[at] ?? []);
  const headings = rowsAbove(inside.rows, false) > 0 ? [fileHeadings(inside.columns, false, true, signs)] : [];
  const thumb = scrollThumb(top, run.files.length, listed, headings.length);
  return pane(box, { ...title, thumb }, [...headings, ...filled, ...why]);
}
