/**
 * How many tokens of a model's context window a text takes.
 *
 * The model's tokenizer is unknown, so counts get a margin: vocabularies of current local models have 32,000 to 256,000
 * entries against the 200,000 of o200k, and the smallest give up to a quarter more tokens on code.
 */
import type { TokenCounter } from "../text/tokens/tokens.ts";

/** The margin for an unknown tokenizer. */
const OTHER_TOKENIZER = 1.3;

/** Tokens that a server adds around the two texts of a call: roles and separators. */
const CHAT_TOKENS = 64;

/** Window tokens that a text takes, rounded up. */
export const windowTokensOf = (text: string, counter: TokenCounter): number => windowTokensFor(counter.count(text));

/** The same for a text that is already counted. */
export const windowTokensFor = (tokens: number): number => Math.ceil(tokens * OTHER_TOKENIZER);

/** The most counted tokens that a text may have to fit into `windowTokens` of the model's own. */
export const countableIn = (windowTokens: number): number => Math.max(0, Math.floor(windowTokens / OTHER_TOKENIZER));

/** Window tokens of a call: both texts, what the server adds, and the longest reply. */
export const windowTokensOfCall = (
  call: { readonly system: string; readonly prompt: string; readonly replyTokensMax: number },
  counter: TokenCounter,
): number =>
  windowTokensOf(call.system, counter) + windowTokensOf(call.prompt, counter) + CHAT_TOKENS + call.replyTokensMax;
