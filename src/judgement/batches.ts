/**
 * Splits the candidates of a question into as few calls as the model's window and time limit allow.
 *
 * Every candidate is in exactly one batch, in the order given, and a batch fits the window together with its reply. A
 * candidate that does not fit alone is cut.
 */
import { cutMiddle, type TokenCounter } from "../text/tokens/tokens.ts";
import { countableIn, windowTokensOf } from "./context-window.ts";
import type { Candidate } from "./judge.ts";
import { entry, idOf } from "./prompt.ts";

/**
 * Reply tokens for one verdict: about 25 for id, class and punctuation, about 30 for a reason of `REASON_CHARS_MAX`
 * characters. And those of the object around the verdicts, with some white space.
 */
const REPLY_TOKENS_EACH = 56;
const REPLY_TOKENS_AROUND = 64;

/**
 * The most items in one call, however large the window: a model writes some 35 tokens for each, and at 20 tokens a
 * second a call has to end within its limit of two minutes.
 */
export const ITEMS_MAX = 64;

/** An item cut shorter than this is useless. */
const ITEM_TOKENS_MIN = 12;
const MARKER = " … ";
/** Joining texts can change their token count by this much. */
const SEAM_TOKENS = 4;

/** The most tokens that a reply about so many candidates may take. */
export const replyTokensFor = (candidates: number): number => REPLY_TOKENS_AROUND + REPLY_TOKENS_EACH * candidates;

/** The batches, or null if not even one candidate fits. `windowTokens` is what items and reply may take together. */
export function planBatches(
  items: readonly Candidate[],
  windowTokens: number,
  counter: TokenCounter,
): readonly (readonly Candidate[])[] | null {
  const itemsTokens = windowTokens - REPLY_TOKENS_AROUND;
  const tokensMax = countableIn(itemsTokens - REPLY_TOKENS_EACH) - counter.count(entry(LONGEST_ID, "\n")) - SEAM_TOKENS;
  if (items.length > 0 && tokensMax < ITEM_TOKENS_MIN) return null;
  const batches: Candidate[][] = [];
  let batch: Candidate[] = [];
  let left = 0;
  for (const whole of items) {
    const item = { ...whole, text: cutMiddle(whole.text, tokensMax, MARKER, counter) };
    // Ids are this long or shorter, and items are separated by line feeds, so their counts add up.
    const cost = windowTokensOf(`${entry(LONGEST_ID, item.text)}\n`, counter) + REPLY_TOKENS_EACH;
    if (batch.length === 0 || batch.length === ITEMS_MAX || cost > left) {
      batch = [];
      batches.push(batch);
      left = itemsTokens;
    }
    batch.push(item);
    left -= cost;
  }
  return batches;
}

/** The longest id: a question has at most `CANDIDATES_MAX` candidates. */
const LONGEST_ID = idOf(998);
