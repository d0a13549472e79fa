/**
 * Parts the candidates of a question into as few calls as fit a model's window and its time.
 *
 * Invariants: every candidate is in exactly one batch, in the order given; a batch and its reply fit; a candidate that
 * does not fit alone is cut. Pure.
 */
import { cutMiddle, type TokenCounter } from "../text/tokens/tokens.ts";
import { roomOf, tokensIn } from "./context-window.ts";
import { entry, idOf } from "./prompt.ts";

/**
 * What a verdict takes of a reply, in tokens: its id, class and marks about 25, a reason of `REASON_CHARS_MAX`
 * characters about 30. And what the object around them takes, with room for white space.
 */
const REPLY_TOKENS_EACH = 56;
const REPLY_TOKENS_AROUND = 64;

/**
 * More items than this are not asked about at once, however large the window: a model writes some 35 tokens on each, and
 * at 20 tokens a second a call is to end within its two minutes.
 */
export const ITEMS_MAX = 64;

/** An item that would be cut shorter than this says nothing. */
const ITEM_TOKENS_MIN = 12;
const MARKER = " … ";
/** Counts of pieces that are put together can differ from that of the whole by this much. */
const SEAM_TOKENS = 4;

/** The most tokens that verdicts on so many candidates may take. */
export const replyTokensFor = (candidates: number): number => REPLY_TOKENS_AROUND + REPLY_TOKENS_EACH * candidates;

/** Something to be judged, and the text of it that goes into the prompt. */
export type Item = { readonly key: string; readonly text: string };

/**
 * The batches, or null when not even one candidate fits. `room` is what items and reply may take together, in tokens of
 * the window.
 */
export function planBatches(
  items: readonly Item[],
  room: number,
  counter: TokenCounter,
): readonly (readonly Item[])[] | null {
  const roomForItems = room - REPLY_TOKENS_AROUND;
  const tokensMax = tokensIn(roomForItems - REPLY_TOKENS_EACH) - counter.count(entry(LONGEST_ID, "\n")) - SEAM_TOKENS;
  if (items.length > 0 && tokensMax < ITEM_TOKENS_MIN) return null;
  const batches: Item[][] = [];
  let batch: Item[] = [];
  let left = 0;
  for (const whole of items) {
    const item = { ...whole, text: cutMiddle(whole.text, tokensMax, MARKER, counter) };
    // ids have the same length or a shorter one, and items are parted by line ends: their counts add up
    const cost = roomOf(`${entry(LONGEST_ID, item.text)}\n`, counter) + REPLY_TOKENS_EACH;
    if (batch.length === 0 || batch.length === ITEMS_MAX || cost > left) {
      batch = [];
      batches.push(batch);
      left = roomForItems;
    }
    batch.push(item);
    left -= cost;
  }
  return batches;
}

/** As long as ids get, as questions have at most `CANDIDATES_MAX` candidates. */
const LONGEST_ID = idOf(998);
