/**
 * Builds the vocabulary of an encoding: a table of its tokens' bytes that is searched directly in the file.
 *
 * `src/text/tokens/vocabulary.ts` reads it and documents the layout. The same ranks give the same bytes.
 */
import { createRequire } from "node:module";
import { HEADER_WORDS, hashOf, SLOT_BITS, slotOf } from "../src/text/tokens/vocabulary.ts";

/** The content of a token: text, or bytes that are not valid UTF-8. Some ranks have no token. */
type Ranks = readonly (string | readonly number[] | undefined)[];

/** Encodings that get a vocabulary. */
export const ENCODINGS = ["o200k_base", "cl100k_base"] as const;

const require = createRequire(import.meta.url);

/** The module with the ranks of an encoding. */
export const ranksPath = (encoding: (typeof ENCODINGS)[number]): string =>
  require.resolve(`gpt-tokenizer/bpeRanks/${encoding}`);

/** Builds the file of one encoding. Imports its ranks on demand because loading them is slow. */
export function makeVocabulary(encoding: (typeof ENCODINGS)[number]): Uint8Array {
  const { default: ranks }: { readonly default: Ranks } = require(ranksPath(encoding));
  const tokens = Array.from(ranks, (token) =>
    typeof token === "string" ? Buffer.from(token, "utf8") : Buffer.from(token ?? []),
  );
  const bytes = Buffer.concat(tokens);
  const header = Uint32Array.of(tokens.length, bytes.length);
  const slots = new Uint32Array(1 << SLOT_BITS);
  const mask = slots.length - 1;
  tokens.forEach((token, rank) => {
    if (token.length === 0) return;
    const hash = hashOf(token, 0, token.length);
    let at = hash & mask;
    while (slots[at] !== 0) at = (at + 1) & mask;
    slots[at] = slotOf(hash, rank);
  });
  if (header.length !== HEADER_WORDS) throw new Error("the vocabulary header has a wrong size");
  const lengths = Uint8Array.from(tokens, ({ length }) => length);
  if (tokens.some(({ length }, rank) => lengths[rank] !== length)) throw new Error("a token is longer than 255 bytes");
  return Buffer.concat(
    [header, slots, lengths, bytes].map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)),
  );
}
