/**
 * How much of a model's window a text takes.
 *
 * A model counts by a tokenizer of its own, which is not known here, so counts are taken with a margin: vocabularies
 * of today's local models have 32,000 to 256,000 entries against the 200,000 of o200k, and the smallest give up to a
 * quarter more tokens on code. Pure.
 */
import type { TokenCounter } from "../text/tokens/tokens.ts";

/** What a count is multiplied by. */
const OTHER_TOKENIZER = 1.3;

/** What a server puts around the two texts of a call: roles and marks. */
const CHAT_TOKENS = 64;

/** Tokens of a model's window that a text takes, rounded up. */
export const roomOf = (text: string, counter: TokenCounter): number => roomOfTokens(counter.count(text));

/** The same for a text that was counted. */
export const roomOfTokens = (tokens: number): number => Math.ceil(tokens * OTHER_TOKENIZER);

/** How many counted tokens a text may have to take so much of the window. */
export const tokensIn = (room: number): number => Math.max(0, Math.floor(room / OTHER_TOKENIZER));

/** Tokens of the window that a call takes: both texts, what is put around them, and the longest reply. */
export const roomOfCall = (
  call: { readonly system: string; readonly prompt: string; readonly replyTokensMax: number },
  counter: TokenCounter,
): number => roomOf(call.system, counter) + roomOf(call.prompt, counter) + CHAT_TOKENS + call.replyTokensMax;
