/**
 * Separates repository text from instructions in a prompt.
 *
 * A fence is two lines with a token that nobody who writes such text can know, so the text cannot close it. The text between
 * them never contains the token or an invisible or control character (those are shown as escapes), and guarding a
 * guarded text changes nothing.
 */
import { displayLines } from "../text/display.ts";

/** Letters, digits and dashes only, so that replacing a token cannot create another. */
const TOKEN = /^[0-9A-Za-z-]{8,40}$/;

/** Replaces the token in a text; shorter than any token. */
const INSTEAD = "[fence]";

/** The most that a fence token counts in a prompt: one counted token for each of its characters. */
export const FENCE_TOKENS_MAX = 40;

export type Fence = {
  readonly token: string;
  /** The text made safe for the inside: without the token; line feeds and tabs stay. */
  guard(text: string): string;
  /** Guards a text and puts it between the two lines. `what` labels it in a word or two. */
  wrap(what: string, text: string): string;
};

/** A fence. `token` must be unknown to the authors of the fenced text. Throws on a malformed token. */
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
