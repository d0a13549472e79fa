/**
 * The update function: an action in, the next state and its effects out.
 *
 * Pure and total: no sequence of actions throws. After every action it requests what the new state lacks (a preview, a
 * dry run) and saves the draft if it has changed.
 */

import { beginsChord, type CommandName, commandOf, isTyping, keysOf } from "../keys/bindings.ts";
import { textOfKey } from "../keys/key-events.ts";
import type { Action } from "../state/actions.ts";
import { draftOf, draftParts } from "../state/draft.ts";
import type { Effect } from "../state/effects.ts";
import { contextOf } from "../state/key-context.ts";
import type { Target } from "../state/layout/hit-test.ts";
import { paletteRows } from "../state/lists/pages.ts";
import { needsText } from "../state/preview/preview.ts";
import { decisionsProblem, requestOf } from "../state/refinement-request.ts";
import { currentFile } from "../state/review-state.ts";
import { isTooSmall, type State } from "../state/state.ts";
import { EMPTY_FIELD } from "../state/text-field.ts";
import { CHANGES_REDUCERS } from "./changes.ts";
import { COVERAGE_REDUCERS } from "./coverage.ts";
import { EARLIER_REDUCERS, roundLoaded, roundsLoaded } from "./earlier-rounds.ts";
import { applyEntryAction, ENTRY_REDUCERS } from "./entry-screen.ts";
import { FILTER_REDUCERS } from "./filters.ts";
import { FINDER_REDUCERS, showFinderRows } from "./finder.ts";
import { LEAVING_REDUCERS } from "./interrupt-and-quit.ts";
import { nextQueuedKey, queueKey } from "./key-buffer.ts";
import { LIST_REDUCERS } from "./lists.ts";
import { click, clickedCommand, turnWheel } from "./mouse.ts";
import { PREVIEW_REDUCERS } from "./preview.ts";
import { become, type Outcome, type Reducer, say, withInput, withMessage, withReview } from "./reducer.ts";
import { REVIEW_REDUCERS } from "./review.ts";
import { dryRunFinished, endRun, ROUNDS_REDUCERS, resumeSession } from "./rounds.ts";
import { applyEvents, applyRefreshStep, RUN_REDUCERS, tickRun } from "./run.ts";
import { applySaveResult, copyTooLong, SAVE_REDUCERS } from "./save.ts";
import { SESSION_REDUCERS, sessionDeleted } from "./sessions.ts";
import { outlineLoaded, SYMBOLS_REDUCERS } from "./symbols.ts";
import { insertText, TYPING_REDUCERS } from "./typing.ts";

/** How long a message about what is over stays unless a key is pressed: longer if it is long, as it is then slow to read. */
const MESSAGE_MS = 6_000;
const MESSAGE_CHARACTER_MS = 80;

const MOUSE_ON =
  "The mouse is on: click to go to a row or pane, click a mark to change it, turn the wheel to scroll. Hold shift to select text.";

/** What every command does. */
const REDUCERS: Readonly<Record<CommandName, Reducer>> = {
  ...LEAVING_REDUCERS,
  ...ENTRY_REDUCERS,
  ...TYPING_REDUCERS,
  ...LIST_REDUCERS,
  ...RUN_REDUCERS,
  ...REVIEW_REDUCERS,
  ...PREVIEW_REDUCERS,
  ...SYMBOLS_REDUCERS,
  ...FILTER_REDUCERS,
  ...CHANGES_REDUCERS,
  ...EARLIER_REDUCERS,
  ...SESSION_REDUCERS,
  ...FINDER_REDUCERS,
  ...ROUNDS_REDUCERS,
  ...COVERAGE_REDUCERS,
  ...SAVE_REDUCERS,
  "app.suspend": (state) => become(state, { do: "suspend" }),
  "app.redraw": (state) => become(state, { do: "redraw" }),
  "mouse.toggle": (state) => {
    const mouse = !state.input.mouse;
    const told = withMessage(state, "info", mouse ? MOUSE_ON : "The mouse is off: the terminal selects text again.");
    return become(withInput(told, { mouse }), { do: "mouse", on: mouse });
  },
  "help.open": (state) => become({ ...state, overlay: { is: "help", top: 0 } }),
  "palette.open": (state) => become({ ...state, overlay: { is: "palette", query: EMPTY_FIELD, cursor: 0 } }),
  "palette.run": (state) => {
    const { overlay } = state;
    const name = overlay?.is === "palette" ? paletteRows(state, overlay.query.text)[overlay.cursor] : undefined;
    return name === undefined ? become(state) : runCommand({ ...state, overlay: null }, name);
  },
};

/** Applies the action, then the queued keys that it was in the way of. */
export function update(before: State, action: Action): Outcome {
  const waiting = queueKey(before, action);
  if (waiting !== null) return become(waiting);
  let { state, effects } = applied(before, action);
  for (let next = nextQueuedKey(state); next !== null; next = nextQueuedKey(state)) {
    const outcome = applied(next.state, next.action);
    state = outcome.state;
    effects = [...effects, ...outcome.effects];
  }
  return { state, effects };
}

function applied(before: State, action: Action): Outcome {
  const { state, effects } = changedBy(before, action);
  return state === before ? { state, effects } : withFollowUps(before, state, effects);
}

function changedBy(state: State, action: Action): Outcome {
  switch (action.is) {
    case "pressed":
      return pressKey(state, action.key);
    case "named":
      return runCommand(afterKey(state, action.name), action.name);
    case "pasted":
      return insertText(afterKey(state, null), action.text);
    case "wheel":
      return turnWheel(state, action.by, action.target);
    case "clicked":
      return applyClick(withoutMessage(state, false), action.target);
    case "resized":
      return become({ ...state, size: action.size });
    case "tick":
      return become(tick(state, action.now));
    case "events":
      return applyEvents(state, action.run, action.events);
    case "refreshing":
      return applyRefreshStep(state, action.run, action.step);
    case "finished":
    case "cancelled":
    case "failed":
      return endRun(state, action);
    case "indexing":
    case "index-known":
    case "home-loaded":
    case "model-known":
    case "edited":
      return applyEntryAction(state, action);
    case "resumed":
      return resumeSession(state, action);
    case "rounds-loaded":
      return roundsLoaded(state, action);
    case "round-loaded":
      return roundLoaded(state, action);
    case "session-deleted":
      return sessionDeleted(state, action.taskId);
    case "preview-loaded":
      // A late one would take the place of a preview that is not asked for again.
      if (state.review === null || currentFile(state.review)?.path !== action.preview.path) return become(state);
      return withReview(state, { ...state.review, preview: { ...state.review.preview, loaded: action.preview } });
    case "outline-loaded":
      return outlineLoaded(state, action.path, action.symbols);
    case "found":
      return showFinderRows(state, action);
    case "dry-run-finished":
      return dryRunFinished(state, action);
    case "copy-too-long":
      return copyTooLong(state, action);
    case "saved":
    case "save-exists":
    case "save-failed":
      return applySaveResult(state, action);
    case "message":
      return say(state, action.kind, action.text);
  }
}

/** Any key clears the message and the chord, and any but Ctrl-C forgets that Ctrl-C was pressed. */
const afterKey = (state: State, name: CommandName | null): State =>
  withInput(withoutMessage(state, state.input.interrupted && name === "app.interrupt"), { chord: null });

const withoutMessage = (state: State, interrupted: boolean): State =>
  state.message === null && state.input.interrupted === interrupted
    ? state
    : withInput({ ...state, message: null }, { interrupted });

/** Runs a command if it has a key in the current context. */
function runCommand(state: State, name: CommandName): Outcome {
  const context = contextOf(state);
  return keysOf(name, context).length === 0 ? become(state) : REDUCERS[name](state, context);
}

function applyClick(state: State, target: Target): Outcome {
  const command = clickedCommand(state, target);
  const { state: next, effects } = command === null ? click(state, target) : runCommand(command.state, command.name);
  const clicked = command === null && target.on === "row" ? { at: target.at, time: state.now } : null;
  return { state: withInput(next, { clicked }), effects };
}

/** Commands that work while the terminal is too small to show anything. */
const WORKS_UNSEEN: readonly CommandName[] = ["app.interrupt", "app.suspend", "app.redraw"];

function pressKey(before: State, key: string): Outcome {
  const context = contextOf(before);
  const { chord } = before.input;
  const name = commandOf(chord === null ? key : `${chord} ${key}`, context) ?? commandOf(key, context);
  const state = afterKey(before, name);
  if (isTooSmall(state.size) && (name === null || !WORKS_UNSEEN.includes(name))) return become(state);
  if (name !== null) return runCommand(state, name);
  if (beginsChord(key, context)) return become(withInput(state, { chord: key }));
  const text = isTyping(context) ? textOfKey(key) : null;
  return text === null ? become(state) : insertText(state, text);
}

function tick(before: State, now: number): State {
  const { message, run } = before;
  const state = { ...before, now, run: run === null ? null : tickRun(run, now) };
  if (message === null || message.kind === "doing" || message.kind === "error") return state;
  const time = Math.max(MESSAGE_MS, message.text.length * MESSAGE_CHARACTER_MS);
  return now - message.at > time ? withoutMessage(state, false) : state;
}

/** Adds the requests for missing data, and saves the draft if it has changed. */
function withFollowUps(before: State, after: State, effects: readonly Effect[]): Outcome {
  const { state, effects: requests } = withMissingData(before, after);
  const [was, is] = [draftParts(before), draftParts(state)];
  const persist = was.every((part, at) => part === is[at]) ? [] : [{ do: "persist", draft: draftOf(state) } as const];
  return { state, effects: [...effects, ...requests, ...persist] };
}

function withMissingData(before: State, state: State): Outcome {
  const { review, screen } = state;
  // A run since then has added a session and updated the index.
  if (screen === "entry" && before.screen !== "entry") return become(state, { do: "load-home" });
  if (review === null || screen !== "review") return become(state);
  const was = before.screen === "review" ? before.review : null;
  const path = currentFile(review)?.path ?? null;
  const isOtherFile = was === null || path !== (currentFile(was)?.path ?? null) || was.round !== review.round;
  const isAsked = !isOtherFile && review.preview.whole !== was.preview.whole;
  const needsPreview = path !== null && (isOtherFile || isAsked) && needsText(review);
  const effects: readonly Effect[] = needsPreview ? [{ do: "load-preview", path }] : [];
  const isChanged = isOtherFile || was.decisions !== review.decisions;
  if (!isChanged || review.round === null || decisionsProblem(review.decisions) !== null)
    return become(state, ...effects);
  const id = review.dryRun.requested + 1;
  return become({ ...state, review: { ...review, dryRun: { ...review.dryRun, requested: id } } }, ...effects, {
    do: "dry-run",
    id,
    request: requestOf({ decisions: review.decisions, notes: "" }),
    budget: review.decisions.budget,
    coverage: review.decisions.coverage,
    rejecting: path === "" ? null : path,
  });
}
