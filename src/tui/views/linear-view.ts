/**
 * Linear mode: the state as sentences from top to bottom, for a screen reader.
 *
 * The first line names the mode and what turned it on; the last line lists the keys. Nothing changes with the clock alone.
 */

import { taskTitle } from "../../present/layout.ts";
import { whyStopped } from "../../retrieval/render/stop-text.ts";
import { display } from "../../text/display.ts";
import { footerOf } from "../keys/bindings.ts";
import { shownKey } from "../keys/key-names.ts";
import { contextOf, isOffered, labelIn } from "../state/key-context.ts";
import { sessionName, sessionsListed, symbolsListed } from "../state/lists/filtered-lists.ts";
import { previewOf } from "../state/preview/preview.ts";
import { previewTop } from "../state/preview/preview-search.ts";
import { hasNothingToRefine } from "../state/refinement-request.ts";
import { currentFile, type ListedFile, nameOf, type ReviewState, type Round } from "../state/review-state.ts";
import { shippedWords } from "../state/shipped.ts";
import type { RunState, State } from "../state/state.ts";
import { counted, elapsed, grouped } from "../styling/numbers.ts";
import { type Line, line, wrapped } from "../styling/styled-text.ts";
import { tierWords } from "./file-row.ts";
import { CODE_LINES, listText } from "./linear-lists.ts";
import { overlayText } from "./linear-overlays.ts";
import { fileMarkWords, symbolMarkWords } from "./mark-words.ts";
import { edgeOf, wouldFree } from "./reason-view.ts";

/** What there is to say, as whole sentences that are safe to print. */
export const linearSentences = (state: State): readonly string[] =>
  sentences(state).map((text) => display(text.replaceAll("\n", " ").slice(0, SENTENCE_CHARS_MAX)));

const SENTENCE_CHARS_MAX = 2_000;

/** Wraps lines to the width of the terminal. */
export const linearLines = (state: State): readonly Line[] =>
  sentences(state).flatMap((text) =>
    wrapped(text, Math.max(20, state.size.columns), LINES_OF_ONE_MAX, "...").map((row) => line("plain", row)),
  );

function sentences(state: State): readonly string[] {
  return [
    `cra, screen reader mode, turned on by ${state.look.screenReader ?? "nobody"}.`,
    ...(state.overlay === null || state.overlay.is === "filter"
      ? screenText(state)
      : overlayText(state, state.overlay)),
    ...(state.message === null
      ? []
      : [`${state.message.kind === "error" ? "Error" : "Message"}: ${state.message.text}`]),
    keysText(state),
  ];
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
  const sessions = sessionsListed(entry);
  return [
    `New task in ${project.root}.`,
    ...(project.modelWords === undefined ? [] : [`Model: ${project.modelWords.toReversed().join(", ")}.`]),
    `Index: ${[index.status, ...(index.files === null ? [] : [counted(index.files, "file")]), index.headline].filter((part) => part !== "").join(", ")}.`,
    entry.task.text === "" ? "Task: empty." : `Task, ${counted(entry.task.text.split("\n").length, "line")}:`,
    ...(entry.task.text === "" ? [] : entry.task.text.split("\n").slice(-CODE_LINES)),
    ...listText(
      "Sessions",
      entry.sessions === null ? null : sessions.length,
      entry.focus === "sessions" ? entry.sessionAt : null,
      (at) => {
        const row = sessions[at]?.row;
        if (row === undefined) return "";
        const purpose = row.purpose === undefined ? "" : `, for ${row.purpose}`;
        return `${sessionName(row)}${purpose}, ${counted(row.rounds, "round")}${row.unsaved ? ", unsaved marks" : ""}`;
      },
    ),
  ];
}

function modelText({ model, status, call, calls, leftMs }: NonNullable<RunState["judgement"]>): string {
  const wait = status === "asked" ? `, at most ${elapsed(leftMs)}` : "";
  return `Model ${model}: ${status}, call ${call} of ${calls}${wait}.`;
}

function runText(task: string, run: RunState): readonly string[] {
  return [
    `Task: ${task === "" ? "review of changes" : taskTitle(task)}`,
    `Run: ${run.status === "cancelled" ? "cancelled; the result is partial" : run.status}.`,
    ...run.stages.map(({ name, status }) => `Stage ${name}: ${status}.`),
    ...(run.failure === null ? [] : [`Failed: ${run.failure}`]),
    ...(run.judgement === null ? [] : [modelText(run.judgement)]),
    ...run.notices.map(({ message }) => `Notice: ${message}`),
    ...listText("Files found", run.files.length, run.cursor, (at) => fileText(run.files[at], "", false)),
  ];
}

function reviewText(state: State, review: ReviewState): readonly string[] {
  const { round, visible, files, filter } = review;
  const file = currentFile(review);
  const all = round === null ? "Files found" : review.shows.leftOut ? "Package and what was left out" : "Package";
  const title = filter.text === "" ? all : `Files that match ${filter.text}`;
  return [
    `Task: ${taskTitle(state.task)}`,
    round === null
      ? "Stopped before it finished: there is no package."
      : `Round ${round.number}: ${grouped(round.package.token_count)} of ${grouped(round.package.budget)} tokens.${stopText(round)}`,
    ...(round === null ? [] : nextRoundText(review, round)),
    ...(review.symbols === null
      ? listText(title, visible.length, review.cursor, (at) => {
          const listed = files[visible[at] ?? -1];
          return fileText(listed, listed === undefined ? "" : fileMarkWords(review, listed.path), round !== null);
        })
      : symbolsText(review)),
    ...(file === null || review.pane === "list" ? [] : previewText(review, file.path)),
    ...(file === null || !review.shows.reasons
      ? []
      : [`Why: ${file.reason || tierWords(file.tier)}`, ...freesText(review, file)]),
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
    `The next round: ${result.exact ? "" : "about "}${grouped(result.tokens)} of ${grouped(result.budget)} tokens${coverage === undefined ? "" : `, coverage ${coverage}`}, ${grouped(result.enters.length)} in, ${grouped(result.leaves.length)} out.`,
  ];
}

function freesText(review: ReviewState, file: ListedFile): readonly string[] {
  const rejecting = wouldFree(review, file);
  const next = edgeOf(review).nextOut;
  return [
    ...(rejecting === null ? [] : [`Rejecting it frees ${counted(rejecting.frees, "token")}.`]),
    ...(next === null ? [] : [`First to go if the budget shrinks: ${next.item ?? next.path}.`]),
  ];
}

function symbolsText(review: ReviewState): readonly string[] {
  const { symbols } = review;
  if (symbols === null) return [];
  const rows = symbolsListed(symbols);
  return listText(`Symbols of ${symbols.path}`, symbols.rows === null ? null : rows.length, symbols.cursor, (at) => {
    const row = rows[at]?.row;
    if (row === undefined) return "";
    return `${row.qualifiedName}, ${row.kind}, ${row.detail === null ? "not shown" : `shown as ${row.detail}`}${symbolMarkWords(review, symbols.path, row.qualifiedName)}`;
  });
}

function previewText(review: ReviewState, path: string): readonly string[] {
  const preview = previewOf(review);
  if (preview === null) return [`Preview of ${path}: loading.`];
  const top = previewTop(review, CODE_LINES);
  const lines = preview.lines.slice(top, top + CODE_LINES);
  return [
    `Preview of ${path === "" ? "the diff" : path}, ${preview.ships ? "as it ships" : review.round === null ? "the file" : review.preview.whole ? "the whole file" : "left out of the package"}:`,
    ...lines.map(({ number, text }) => (number === null ? text : `${number}: ${text}`)),
  ];
}

/** How much ships of a file, or in a run why it was found. */
function fileText(file: ListedFile | undefined, mark: string, isPacked: boolean): string {
  if (file === undefined) return "";
  const tokens = file.tokens > 0 ? `, ${counted(file.tokens, "token")}` : "";
  const ships =
    file.kind === "diff" ? "" : file.shipped === null ? ", left out" : `, ${shippedWords(file.shipped, false)}`;
  return `${nameOf(file)}${isPacked ? ships : `, ${tierWords(file.tier)}`}${tokens}${mark}`;
}
