/**
 * Linear mode: the state as sentences from top to bottom, for a screen reader.
 *
 * The first line names the mode and what turned it on; the last line lists the keys. Nothing changes with the clock alone.
 */

import { whyStopped } from "../../retrieval/render/stop-text.ts";
import { footerOf } from "../keys/bindings.ts";
import { keyName, shownKey } from "../keys/key-names.ts";
import { contextOf, isOffered, labelIn } from "../state/key-context.ts";
import { windowTop } from "../state/layout.ts";
import { type ChangeLine, changeLines, helpLines, historyRows, paletteRows } from "../state/pages.ts";
import { previewOf } from "../state/preview.ts";
import { hasNothingToRefine, unappliedChanges } from "../state/refinement-request.ts";
import { currentFile, type ListedFile, type ReviewState, type Round } from "../state/review-state.ts";
import { labelOf, type Overlay, type RunState, type State } from "../state/state.ts";
import { counted, grouped } from "../styling/numbers.ts";
import { type Line, line, wrapped } from "../styling/styled-text.ts";
import { tierName } from "./file-row.ts";
import { fileMarkWords, symbolMarkWords } from "./mark-words.ts";
import { edgeOf } from "./reason-view.ts";

/** Rows of a list that are read out around the current one. */
const LISTED = 9;
/** Lines of code that are read out. */
const CODE_LINES = 20;

/** Wraps lines to the width of the terminal. */
export function linearLines(state: State): readonly Line[] {
  const said = [
    `cra, screen reader mode, turned on by ${state.look.screenReader ?? "nobody"}.`,
    ...(state.overlay === null || state.overlay.is === "filter"
      ? screenText(state)
      : overlayText(state, state.overlay)),
    ...(state.message === null
      ? []
      : [`${state.message.kind === "error" ? "Error" : "Message"}: ${state.message.text}`]),
    keysText(state),
  ];
  return said.flatMap((text) =>
    wrapped(text, Math.max(20, state.size.columns), LINES_OF_ONE_MAX, "...").map((row) => line("plain", row)),
  );
}

const LINES_OF_ONE_MAX = 6;

function keysText(state: State): string {
  const context = contextOf(state);
  const keys = footerOf(context)
    .filter((name) => isOffered(state, name))
    .map((name) => `${shownKey(name, context, true) ?? ""} ${labelIn(state, name)}`);
  return `Keys: ${keys.join(", ")}.`;
}

function screenText(state: State): readonly string[] {
  const { screen, run, review } = state;
  if (screen === "run" && run !== null) return runText(state.task, run);
  if (screen === "review" && review !== null) return reviewText(state, review);
  return entryText(state);
}

function entryText({ entry, index, project }: State): readonly string[] {
  const sessions = entry.sessions ?? [];
  return [
    `New task in ${project.root}.`,
    `Index: ${[index.status, ...(index.files === null ? [] : [counted(index.files, "file")]), index.headline].filter((part) => part !== "").join(", ")}.`,
    entry.task.text === "" ? "Task: empty." : `Task, ${counted(entry.task.text.split("\n").length, "line")}:`,
    ...(entry.task.text === "" ? [] : entry.task.text.split("\n").slice(-CODE_LINES)),
    ...listText("Sessions", sessions.length, entry.focus === "sessions" ? entry.sessionAt : null, (at) => {
      const row = sessions[at];
      const task = row?.task?.trim().split("\n", 1)[0] ?? "task text lost";
      return `${task}, ${counted(row?.rounds ?? 0, "round")}${row?.unsaved === true ? ", unsaved marks" : ""}`;
    }),
  ];
}

function runText(task: string, run: RunState): readonly string[] {
  return [
    `Task: ${task === "" ? "review of changes" : (task.trim().split("\n", 1)[0] ?? "")}`,
    `Run: ${run.status === "cancelled" ? "cancelled; the result is partial" : run.status}.`,
    ...run.stages.map(({ name, status }) => `Stage ${name}: ${status}.`),
    ...(run.failure === null ? [] : [`Failed: ${run.failure}`]),
    ...(run.judgement === null
      ? []
      : [
          `Model ${run.judgement.model}: ${run.judgement.status}, call ${run.judgement.call} of ${run.judgement.calls}.`,
        ]),
    ...run.notices.map(({ message }) => `Notice: ${message}`),
    ...listText("Files found", run.files.length, run.cursor, (at) => fileText(run.files[at], "", false)),
  ];
}

function reviewText(state: State, review: ReviewState): readonly string[] {
  const { round, visible, files, filter } = review;
  const file = currentFile(review);
  const title = filter.text === "" ? "Files" : `Files that match ${filter.text}`;
  return [
    `Task: ${state.task.trim().split("\n", 1)[0] ?? ""}`,
    round === null
      ? "Cancelled: the result is partial, and there is no package."
      : `Round ${round.number}: ${grouped(round.package.token_count)} of ${grouped(round.package.budget)} tokens.${stopText(round)}`,
    ...(round === null ? [] : nextRoundText(review, round)),
    ...(review.symbols === null
      ? listText(title, visible.length, review.cursor, (at) => {
          const listed = files[visible[at] ?? -1];
          return fileText(listed, listed === undefined ? "" : fileMarkWords(review, listed.path), round !== null);
        })
      : symbolsText(review)),
    ...(file === null || review.pane === "list" ? [] : previewText(review, file.path)),
    ...(file === null || !review.reasonShown ? [] : [`Why: ${file.reason}`, ...freesText(review, file)]),
  ];
}

/** ` Coverage auto: the budget is full. Next: later, 310 tokens.` */
function stopText({ package: { provenance } }: Round): string {
  const { stop } = provenance.budget;
  if (stop === undefined) return "";
  const next = stop.next[0];
  const piece = next === undefined ? "" : ` Next: ${next.item}, ${counted(next.tokens, "token")}.`;
  return ` Coverage ${stop.coverage}: ${whyStopped(stop)}.${piece}`;
}

/** What the decisions would give, once that is known. */
function nextRoundText(review: ReviewState, round: Round): readonly string[] {
  const { result, requested, answered } = review.dryRun;
  if (hasNothingToRefine(review) || result === null || requested !== answered) return [];
  const coverage = review.decisions.coverage ?? round.package.provenance.budget.stop?.coverage;
  return [
    `The next round: ${grouped(result.tokens)} of ${grouped(result.budget)} tokens${coverage === undefined ? "" : `, coverage ${coverage}`}, ${grouped(result.enters.length)} in, ${grouped(result.leaves.length)} out.`,
  ];
}

function freesText(review: ReviewState, { path }: ListedFile): readonly string[] {
  const about = review.dryRun.result?.rejecting ?? null;
  const rejecting = about?.path === path ? about : null;
  const next = edgeOf(review).nextOut;
  return [
    ...(rejecting === null ? [] : [`Rejecting it frees ${counted(rejecting.frees, "token")}.`]),
    ...(next === null ? [] : [`First to go if the budget shrinks: ${next.item ?? next.path}.`]),
  ];
}

function symbolsText(review: ReviewState): readonly string[] {
  const { symbols } = review;
  if (symbols === null) return [];
  const rows = symbols.rows ?? [];
  return listText(`Symbols of ${symbols.path}`, rows.length, symbols.cursor, (at) => {
    const row = rows[at];
    if (row === undefined) return "";
    return `${row.qualifiedName}, ${row.kind}, ${row.detail === null ? "not shown" : `shown as ${row.detail}`}${symbolMarkWords(review, symbols.path, row.qualifiedName)}`;
  });
}

function previewText(review: ReviewState, path: string): readonly string[] {
  const preview = previewOf(review);
  if (preview === null) return [`Preview of ${path}: loading.`];
  const lines = preview.lines.slice(review.preview.top, review.preview.top + CODE_LINES);
  return [
    `Preview of ${path}${preview.ships || review.round === null ? "" : ", not in the package"}:`,
    ...lines.map(({ number, text }) => (number === null ? text : `${number}: ${text}`)),
  ];
}

/** Without a package, no file is left out of it. */
function fileText(file: ListedFile | undefined, mark: string, isPacked: boolean): string {
  if (file === undefined) return "";
  const tokens = file.tokens > 0 ? `, ${counted(file.tokens, "token")}` : isPacked ? ", not in the package" : "";
  return `${file.path}, ${tierName(file.tier)}${tokens}${mark}`;
}

/** A heading, then the rows around the current one with their numbers. */
function listText(
  title: string,
  count: number,
  cursor: number | null,
  textAt: (at: number) => string,
): readonly string[] {
  if (count === 0) return [`${title}: none.`];
  const top = windowTop(cursor ?? 0, count, LISTED);
  const shown = Math.min(LISTED, count - top);
  return [
    shown === count ? `${title}, ${count}:` : `${title}, ${top + 1} to ${top + shown} of ${grouped(count)}:`,
    ...Array.from(
      { length: shown },
      (_, row) => `${top + row + 1}. ${textAt(top + row)}${top + row === cursor ? " (current)" : ""}`,
    ),
  ];
}

function overlayText(state: State, overlay: Overlay): readonly string[] {
  switch (overlay.is) {
    case "help":
      return helpLines(state)
        .slice(overlay.top, overlay.top + CODE_LINES)
        .map((row) =>
          row.is === "text"
            ? row.text
            : row.is === "heading"
              ? `Keys, ${row.category}:`
              : `${row.keys.map((key) => keyName(key, true)).join(" or ")}: ${row.label}`,
        );
    case "palette": {
      const names = paletteRows(state, overlay.query.text);
      const rows = listText("Commands", names.length, overlay.cursor, (at) => {
        const name = names[at];
        return name === undefined ? "" : labelIn(state, name);
      });
      return [`Query: ${overlay.query.text}`, ...rows];
    }
    case "history": {
      const tasks = historyRows(state.entry, overlay.query.text);
      const rows = listText("Earlier tasks", tasks.length, overlay.cursor, (at) => tasks[at]?.split("\n", 1)[0] ?? "");
      return [`Query: ${overlay.query.text}`, ...rows];
    }
    case "finder":
      return [
        `Add a file or symbol. Query: ${overlay.query.text}`,
        ...listText(
          `Matches (${grouped(overlay.matches)} of ${grouped(overlay.of)})`,
          overlay.rows.length,
          overlay.cursor,
          (at) => {
            const row = overlay.rows[at];
            return row === undefined
              ? ""
              : `${labelOf(row.found)}, ${row.found.name === null ? "file" : row.found.kind}`;
          },
        ),
      ];
    case "budget":
      return [`Budget in tokens: ${overlay.value.text}`, ...problemText(overlay.problem)];
    case "notes":
      return [`Note for the next round: ${overlay.value.text}`];
    case "save":
      return [
        `Save as ${overlay.format}. Path: ${overlay.path.text}`,
        ...lackText(state.review),
        ...(overlay.status === "exists" ? ["The file already exists. Overwrite it?"] : []),
        ...problemText(overlay.problem),
      ];
    case "changes":
      return [
        "What the round changed:",
        ...(changeLines(state) ?? []).slice(overlay.top, overlay.top + CODE_LINES).map(changeText),
      ];
    case "command":
      return [...lackText(state.review), "Equivalent command:", state.review?.round?.command ?? ""];
    case "quit":
      return ["Some marks are not applied yet. They are saved. Quit?"];
    case "filter":
      return [];
  }
}

function changeText(row: ChangeLine): string {
  if (row.is === "heading") return `${row.text}:`;
  const { path, item } = row.is === "made" ? row.change : row.move;
  const detail = row.is === "made" ? row.change.detail : counted(row.move.tokens, "token");
  return `${row.kind}: ${path}${item === null ? "" : `, ${item}`}, ${detail}`;
}

function lackText(review: ReviewState | null): readonly string[] {
  const lack = review === null ? null : unappliedChanges(review);
  return lack === null ? [] : [`Warning: ${lack}.`];
}

const problemText = (problem: string | null): readonly string[] => (problem === null ? [] : [`Problem: ${problem}`]);
