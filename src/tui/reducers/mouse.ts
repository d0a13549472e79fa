/** The mouse: a click goes where the pointer is, and the wheel moves what is under it. */
import { type CommandName, commandOf } from "../keys/bindings.ts";
import { contextOf } from "../state/key-context.ts";
import type { Target } from "../state/layout/hit-test.ts";
import { moveCursor } from "../state/lists/file-list.ts";
import { helpLines } from "../state/lists/pages.ts";
import type { State } from "../state/state.ts";
import { cursorTo, scrollOverlay, scrollPreview } from "./lists.ts";
import { become, type Outcome, withReview } from "./reducer.ts";
import { REVIEW_REDUCERS } from "./review.ts";

/** A click focuses a pane, goes to a row, marks a file, or lists what was left out. */
export function click(state: State, target: Target): Outcome {
  const { review, entry } = state;
  switch (target.on) {
    case "row": {
      if (review === null || state.screen !== "review")
        return cursorTo(focusSessions(state), state.screen === "run" ? "run" : "sessions", () => target.at);
      if (review.symbols !== null) return cursorTo(state, "symbols", () => target.at);
      const next = { ...state, review: { ...moveCursor(review, target.at), pane: "list" as const } };
      return target.onMark
        ? REVIEW_REDUCERS["mark.cycle"]({ ...next, review: { ...next.review, rangeFrom: null } }, "review")
        : become(next);
    }
    case "folded":
      return REVIEW_REDUCERS["leftout.toggle"](state, "review");
    case "list":
      return review === null ? become(state) : withReview(state, { ...review, pane: "list" });
    case "preview":
      return review === null ? become(state) : withReview(state, { ...review, pane: "preview" });
    case "task":
      return become({ ...state, entry: { ...entry, focus: "task" } });
    case "sessions":
      return become(focusSessions(state));
    case "overlay row":
      return cursorTo(state, contextOf(state), () => target.at);
    case "overlay":
      return become(state);
  }
}

/** The longest time between the two clicks of a double click. */
const DOUBLE_CLICK_MS = 500;

/**
 * What a click does besides going somewhere: on a line of the help, the command of that line; on the row of an open list where the
 * cursor is already, and at the second of two quick clicks on any other row, what enter does there. Null for other clicks.
 */
export function clickedCommand(
  state: State,
  target: Target,
): { readonly state: State; readonly name: CommandName } | null {
  const { overlay } = state;
  if (target.on === "row") return isDoubleClick(state, target) ? entered(state) : null;
  if (target.on !== "overlay row" || overlay === null) return null;
  if (overlay.is === "help") {
    const line = helpLines(state)[target.at];
    return line?.is === "command" ? { state: { ...state, overlay: null }, name: line.name } : null;
  }
  return "cursor" in overlay && overlay.cursor === target.at ? entered(state) : null;
}

function entered(state: State): { readonly state: State; readonly name: CommandName } | null {
  const name = commandOf("return", contextOf(state));
  return name === null ? null : { state, name };
}

/** A click on a mark changes the mark, however quick. */
const isDoubleClick = ({ input: { clicked }, now }: State, { at, onMark }: Extract<Target, { on: "row" }>): boolean =>
  !onMark && clicked?.at === at && now - clicked.time <= DOUBLE_CLICK_MS;

const focusSessions = (state: State): State =>
  state.screen === "entry" && (state.entry.sessions ?? []).length > 0
    ? { ...state, entry: { ...state.entry, focus: "sessions" } }
    : state;

/** The wheel scrolls the page or moves in the list under the pointer. */
export function turnWheel(state: State, by: number, target: Target | null): Outcome {
  const context = contextOf(state);
  if (target?.on === "overlay" || target?.on === "overlay row")
    return commandOf("down", context) === "page.down"
      ? scrollOverlay(state, ({ top }) => top + by)
      : cursorTo(state, context, ({ cursor }) => cursor + by);
  if (target?.on === "preview") return scrollPreview(state, ({ top }) => top + by);
  if (state.screen === "review" && state.review !== null)
    return target === null
      ? become(state)
      : cursorTo(state, state.review.symbols === null ? "review" : "symbols", ({ cursor }) => cursor + by);
  if (state.screen === "run") return cursorTo(state, "run", ({ cursor }) => cursor + by);
  return target?.on === "row" || target?.on === "sessions"
    ? cursorTo(state, "sessions", ({ cursor }) => cursor + by)
    : become(state);
}
