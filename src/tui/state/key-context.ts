/** Which part of the interface has the keyboard focus. */
import { BINDINGS, type CommandName, type Context, NEEDS_PACKAGE } from "../keys/bindings.ts";
import type { State } from "./state.ts";

/** The overlay's context, or else the screen's. */
export function contextOf({ overlay, screen, entry, review }: State): Context {
  if (overlay !== null) {
    if (overlay.is === "changes" && overlay.isTyping) return "filter";
    return overlay.is === "save" && overlay.status === "exists" ? "exists" : overlay.is;
  }
  if (screen === "entry" || (screen === "review" && review === null))
    return entry.focus === "sessions" ? "sessions" : "entry";
  if (screen === "run") return "run";
  if (review?.symbols) return "symbols";
  return review?.pane === "preview" ? "preview" : "review";
}

/** Whether there is only the partial result of a stopped run. */
const isPartial = ({ screen, review }: State): boolean => screen === "review" && review?.round === null;

/** Whether a command makes sense in this state, so that help, footer and palette show it. */
export const isOffered = (state: State, name: CommandName): boolean =>
  !(isPartial(state) && NEEDS_PACKAGE.includes(name));

/** The label of a command in this state. */
export const labelIn = (state: State, name: CommandName, usual: string = BINDINGS[name].label): string =>
  name === "package.refine" && isPartial(state) ? "run again" : usual;

/** The context under the overlay. */
export const contextBelow = (state: State): Context => contextOf({ ...state, overlay: null });
