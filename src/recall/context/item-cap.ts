/**
 * Cuts an item that would crowd out others: none may take more than a quarter of its source's budget, with the note that
 * says it was cut. What is left with too little to say is dropped.
 */
import type { TokenCounter } from "../../text/tokens/tokens.ts";
import type { Candidate } from "./candidate.ts";
import { rationOf, UNLIMITED } from "./character-budget.ts";

export const ITEM_SHARE_MAX = 0.25;
/** What is left of a cut item, without its note, has at least this. */
const LEFT_TOKENS_MIN = 24;
/** Text runs at four characters a token; white space and long words can reach this. */
const CHARS_PER_TOKEN_MAX = 16;

/** An item's text, whole or cut to `tokensMax`; null when too little of it would be left. */
export function cappedContent(candidate: Candidate, tokensMax: number, counter: TokenCounter): string | null {
  // A text far beyond the cap is not counted whole only to learn that.
  if (candidate.chars <= tokensMax * CHARS_PER_TOKEN_MAX) {
    const whole = candidate.content(UNLIMITED);
    if (counter.count(whole) <= tokensMax) return whole;
  }
  const cutTo = (chars: number): string => candidate.content(rationOf(chars)) + candidate.note;
  let kept = -1;
  let tooMany = Math.min(candidate.chars, tokensMax * CHARS_PER_TOKEN_MAX);
  while (kept + 1 < tooMany) {
    const middle = (kept + tooMany) >>> 1;
    if (counter.count(cutTo(middle)) <= tokensMax) kept = middle;
    else tooMany = middle;
  }
  if (kept <= 0 || counter.count(candidate.content(rationOf(kept))) < LEFT_TOKENS_MIN) return null;
  return cutTo(kept);
}
