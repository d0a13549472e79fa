/**
 * Sets text of a repository apart from what a model is told.
 *
 * A fence is two lines that hold a token which is drawn anew for each run, so nothing that was written before can close
 * it. Invariants: between them there is no token, and no character that cannot be seen or that steers (they are shown
 * as escapes); guarding a guarded text changes nothing.
 */
import { displayLines } from "../text/display.ts";

/** Of letters, digits and dashes only, so that what stands for it can make no new one. */
const TOKEN = /^[0-9A-Za-z-]{8,40}$/;

/** Stands where a text held the token; shorter than any token. */
const INSTEAD = "[fence]";

/** What a token may take at most in the counts of a prompt: one token of the counter for each of its characters. */
export const FENCE_TOKENS_MAX = 40;

export type Fence = {
  readonly token: string;
  /** The text as it may stand inside: safe, without the token, line feeds and tabs kept. */
  guard(text: string): string;
  /** Guards a text and puts it between the two lines. `what` names it in a word or two. */
  wrap(what: string, text: string): string;
};

/** A fence for one run. `token` must not be known to who wrote what goes inside; throws when it is no token. */
export function openFence(token: string): Fence {
  if (!TOKEN.test(token)) throw new Error("a fence needs a token of 8 to 40 letters, digits and dashes");
  const inside = new RegExp(token, "gi");
  const guard = (text: string): string => displayLines(text).replace(inside, INSTEAD);
  return {
    token,
    guard,
    wrap: (what, text) => `<<< ${what} ${token}\n${guard(text)}\n>>> ${what} ${token}`,
  };
}
