/**
 * Spreads the candidates of a question over calls, so that each fits the model's window and has good and bad candidates.
 *
 * Candidate after candidate goes to the next call in turn, so every call has some of every rank, and the second appearance
 * of one goes to another call than the first. Within a call candidates are in order of their texts, which says nothing of
 * their rank; every second call has the opposite order, so a model that lists by place contradicts itself. A candidate that does
 * not fit alone is cut.
 */
import { inOrder } from "../text/order.ts";
import { cutMiddle, type TokenCounter } from "../text/tokens/tokens.ts";
import { countableIn, windowTokensOf } from "./context-window.ts";
import { entry, heading } from "./prompt.ts";

/** One appearance of a candidate in the question: the first is 0. `text` comes from `asItem`. */
export type Appearance = {
  readonly key: string;
  readonly text: string;
  readonly group?: string;
  readonly appearance: 0 | 1;
};

/** An item cut shorter than this is useless. */
const ITEM_TOKENS_MIN = 12;
const MARKER = " … ";
/** Joining texts can change their token count by this much. */
const SEAM_TOKENS = 4;
const LONGEST_NUMBER = "999";

/** `perCall` bounds a call; `windowTokens` is what its items may take; `replyTokensOf` what an answer about that many items takes. */
type BatchLimits = {
  readonly perCall: number;
  readonly windowTokens: number;
  readonly replyTokensOf: (count: number) => number;
};

/** The calls, or null if not even one candidate fits. */
export function planBatches(
  appearances: readonly Appearance[],
  { perCall, windowTokens, replyTokensOf }: BatchLimits,
  counter: TokenCounter,
): readonly (readonly Appearance[])[] | null {
  if (appearances.length === 0) return [];
  const tokensMax =
    countableIn(windowTokens - replyTokensOf(1)) - counter.count(entry(LONGEST_NUMBER, "\n")) - SEAM_TOKENS;
  if (tokensMax < ITEM_TOKENS_MIN) return null;
  const items = appearances.map((one) => {
    const headed = one.group === undefined ? 0 : counter.count(`${heading(one.group)}\n`);
    const text = cutMiddle(one.text, Math.max(ITEM_TOKENS_MIN, tokensMax - headed), MARKER, counter);
    return { one: { ...one, text }, tokens: windowTokensOf(`${entry(LONGEST_NUMBER, text)}\n`, counter) + headed * 2 };
  });
  const isRepeated = new Set(appearances.map(({ key }) => key)).size < appearances.length;
  for (let calls = Math.max(isRepeated ? 2 : 1, Math.ceil(items.length / perCall)); ; calls += 1) {
    const batches = spread(items, calls);
    const fits = batches.every(
      (batch) => batch.reduce((sum, { tokens }) => sum + tokens, 0) + replyTokensOf(batch.length) <= windowTokens,
    );
    if (fits || calls >= items.length)
      return batches.map((batch, at) => {
        const sorted = batch.map(({ one }) => one).toSorted(byText);
        return at % 2 === 0 ? sorted : sorted.reverse();
      });
  }
}

type Priced = { readonly one: Appearance; readonly tokens: number };

function spread(items: readonly Priced[], calls: number): readonly (readonly Priced[])[] {
  const batches: Priced[][] = Array.from({ length: calls }, () => []);
  const firstAt = new Map<string, number>();
  let next = 0;
  for (const item of items) {
    const { key } = item.one;
    const taken = firstAt.get(key);
    if (taken === next % calls) next += 1;
    firstAt.set(key, next % calls);
    batches[next % calls]?.push(item);
    next += 1;
  }
  return batches.filter((batch) => batch.length > 0);
}

const byText = (a: Appearance, b: Appearance): number =>
  inOrder(a.group ?? "", b.group ?? "") || inOrder(a.text, b.text);
