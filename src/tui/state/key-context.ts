/** Which part of the interface has the keyboard focus. */
import type { Context } from "../keys/bindings.ts";
import type { State } from "./state.ts";

/** The overlay's context, or else the screen's. */
export function contextOf({ overlay, screen, entry, review }: State): Context {
  if (overlay !== null) return overlay.is === "save" && overlay.status === "exists" ? "exists" : overlay.is;
  if (screen === "entry" || (screen === "review" && review === null))
    return entry.focus === "sessions" ? "sessions" : "entry";
  if (screen === "run") return "run";
  if (review?.symbols) return "symbols";
  return review?.pane === "preview" ? "preview" : "review";
}

/** The context under the overlay. */
export const contextBelow = (state: State): Context => contextOf({ ...state, overlay: null });
