/**
 * The one way in which the interface's state changes: an action in, the next state and what is to be done out.
 *
 * Pure and total: no clock, no chance, and no sequence of actions throws. After every action it asks for what the new
 * state needs from outside (a preview, the answer to "what if") and keeps what must outlive the process.
 */

import { beginsChord, type CommandName, type Context, commandOf, isTyping, keysOf } from "../keys/bindings.ts";
import { textOfKey } from "../keys/key-events.ts";
import type { Action } from "../state/actions.ts";
import { draftOf, draftParts } from "../state/draft.ts";
import type { Effect } from "../state/effects.ts";
import { contextOf } from "../state/key-context.ts";
import { shippedPreview } from "../state/preview.ts";
import { decisionsProblem, requestOf } from "../state/refinement-request.ts";
import { currentFile, isTooSmall, type State } from "../state/state.ts";
import { applyEntryAction, ENTRY_REDUCERS } from "./entry-screen.ts";
import { FINDER_REDUCERS, showFinderRows } from "./finder.ts";
import { LEAVING_REDUCERS, palettePick } from "./interrupt-and-quit.ts";
import { nextQueuedKey, queueKey } from "./key-buffer.ts";
import { cursorTo, LIST_REDUCERS, scrolledTo } from "./lists.ts";
import { become, type Outcome, type Reducer, withMessage } from "./reducer.ts";
import { resumed } from "./resume.ts";
import { REVIEW_REDUCERS, withReview } from "./review.ts";
import { endRun, ROUNDS_REDUCERS, whatIfAnswered } from "./rounds.ts";
import { applyEvents, applyRefreshStep, RUN_REDUCERS, tickRun } from "./run.ts";
import { applySaveResult, SAVE_REDUCERS } from "./save.ts";
import { outlineLoaded, SYMBOLS_REDUCERS } from "./symbols.ts";
import { TYPING_REDUCERS, textTyped } from "./typing.ts";

/** A message is gone after this long. */
const MESSAGE_MS = 6_000;

const REDUCERS: Readonly<Record<CommandName, Reducer>> = {
  ...LEAVING_REDUCERS,
  ...ENTRY_REDUCERS,
  ...TYPING_REDUCERS,
  ...LIST_REDUCERS,
  ...RUN_REDUCERS,
  ...REVIEW_REDUCERS,
  ...SYMBOLS_REDUCERS,
  ...FINDER_REDUCERS,
  ...ROUNDS_REDUCERS,
  ...SAVE_REDUCERS,
  "palette.run": (state) => {
    const pick = palettePick(state);
    return pick === null ? become(state) : done(pick.below, pick.name);
  },
};

/** Also takes the keys that waited for what the action brought. */
export function update(before: State, action: Action): Outcome {
  const waiting = queueKey(before, action);
  if (waiting !== null) return become(waiting);
  let { state, effects } = taken(before, action);
  for (let next = nextQueuedKey(state); next !== null; next = nextQueuedKey(state)) {
    const outcome = taken(next.state, next.action);
    state = outcome.state;
    effects = [...effects, ...outcome.effects];
  }
  return { state, effects };
}

function taken(before: State, action: Action): Outcome {
  const { state, effects } = changed(before, action);
  return state === before ? { state, effects } : withFollowUps(before, state, effects);
}

function changed(state: State, action: Action): Outcome {
  switch (action.is) {
    case "pressed":
      return pressed(state, action.key);
    case "named":
      return done({ ...quiet(state, action.name), chord: null }, action.name);
    case "pasted":
      return textTyped({ ...quiet(state, null), chord: null }, action.text);
    case "wheel":
      return scrollWheel(state, action.by);
    case "clicked":
      return cursorTo(quiet(state, null), contextOf(state), () => action.at);
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
    case "edited":
      return applyEntryAction(state, action);
    case "resumed":
      return resumed(state, action);
    case "preview-loaded":
      return state.review === null ? become(state) : withReview(state, { ...state.review, loaded: action.preview });
    case "outline-loaded":
      return outlineLoaded(state, action.path, action.symbols);
    case "found":
      return showFinderRows(state, action);
    case "dry-run-finished":
      return whatIfAnswered(state, action);
    case "saved":
    case "save-exists":
    case "save-failed":
      return applySaveResult(state, action);
    case "message":
      return become(withMessage(state, action.kind, action.text));
  }
}

/** Any key takes the message away, and a key that does not stop forgets that one did. */
function quiet(state: State, name: CommandName | null): State {
  const interrupted = state.interrupted && name === "app.interrupt";
  return state.message === null && state.interrupted === interrupted ? state : { ...state, message: null, interrupted };
}

/** The action, where the keys are; nothing where it has no key. */
function done(state: State, name: CommandName): Outcome {
  const context = contextOf(state);
  return keysOf(name, context).length === 0 ? become(state) : REDUCERS[name](state, context);
}

/** What works when nothing can be seen. */
const UNSEEN: readonly CommandName[] = ["app.interrupt", "app.suspend", "app.redraw"];

function pressed(before: State, key: string): Outcome {
  const context = contextOf(before);
  const keys = before.chord === null ? key : `${before.chord} ${key}`;
  const name = commandOf(keys, context) ?? commandOf(key, context);
  const state = { ...quiet(before, name), chord: null };
  if (isTooSmall(state.size) && (name === null || !UNSEEN.includes(name))) return become(state);
  if (name !== null) return done(state, name);
  if (beginsChord(key, context)) return become({ ...state, chord: key });
  const text = isTyping(context) ? textOfKey(key) : null;
  return text === null ? become(state) : textTyped(state, text);
}

/** The wheel moves the page or the list that has the keys. */
function scrollWheel(state: State, by: number): Outcome {
  const context: Context = contextOf(state);
  return commandOf("down", context) === "page.down"
    ? scrolledTo(state, (top) => top + by)
    : cursorTo(state, context, ({ cursor }) => cursor + by);
}

function tick(state: State, now: number): State {
  const { message, run } = state;
  const isOver = message !== null && now - message.at > MESSAGE_MS;
  return {
    ...state,
    now,
    run: run === null ? null : tickRun(run, now),
    ...(isOver ? { message: null, interrupted: false } : {}),
  };
}

/** The state with what it needs from outside asked for, and what changed of the draft kept. */
function withFollowUps(before: State, after: State, effects: readonly Effect[]): Outcome {
  const asked = withMissingData(before, after);
  const [was, is] = [draftParts(before), draftParts(asked.state)];
  const isKept = was.every((part, at) => part === is[at]);
  return {
    state: asked.state,
    effects: [
      ...effects,
      ...asked.effects,
      ...(isKept ? [] : [{ do: "persist", draft: draftOf(asked.state) } as const]),
    ],
  };
}

function withMissingData(before: State, state: State): Outcome {
  const { review, screen } = state;
  // What ran since is among the sessions, and brought the index up to date.
  if (screen === "entry" && before.screen !== "entry") return become(state, { do: "load-home" });
  if (review === null || screen !== "review") return become(state);
  const was = before.screen === "review" ? before.review : null;
  const path = currentFile(review)?.path ?? null;
  const isMoved = was === null || path !== (currentFile(was)?.path ?? null) || was.round !== review.round;
  const effects: Effect[] = [];
  if (isMoved && path !== null && review.loaded?.path !== path && shippedPreview(review, path) === null)
    effects.push({ do: "load-preview", path });
  const isOther = isMoved || was.decisions !== review.decisions || was.budget !== review.budget;
  if (!isOther || review.round === null) return become(state, ...effects);
  if (decisionsProblem(review.decisions) !== null) return become(state, ...effects);
  const request = requestOf({ decisions: review.decisions, notes: "" });
  const id = review.whatIfId + 1;
  return become({ ...state, review: { ...review, whatIfId: id } }, ...effects, {
    do: "dry-run",
    id,
    request,
    budget: review.budget,
    rejecting: path,
  });
}
