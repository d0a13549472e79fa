/**
 * Makes the vocabulary of an encoding: the bytes of its tokens as one table that is searched as it lies in the file.
 *
 * The layout is told in `src/text/tokens/vocabulary.ts`, which reads it. The same ranks give the same bytes.
 * Not here: where the file goes, and when it is made anew (`grammars.ts`).
 */
import { createRequire } from "node:module";
import { HEADER_WORDS, hashOf, SLOT_BITS, slotOf } from "../src/text/tokens/vocabulary.ts";

/** What a token stands for: a text, or bytes that are none. Some numbers are no token. */
type Ranks = readonly (string | readonly number[] | undefined)[];

/** The encodings that there are vocabularies of. */
export const ENCODINGS = ["o200k_base", "cl100k_base"] as const;

const require = createRequire(import.meta.url);

/** The module that holds the ranks of an encoding. */
export const ranksPath = (encoding: (typeof ENCODINGS)[number]): string =>
  require.resolve(`gpt-tokenizer/bpeRanks/${encoding}`);

/** The file of one encoding. Loads its ranks only now: that takes a while. */
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
  if (header.length !== HEADER_WORDS) throw new Error("the header of a vocabulary has changed");
  const lengths = Uint8Array.from(tokens, ({ length }) => length);
  if (tokens.some(({ length }, rank) => lengths[rank] !== length)) throw new Error("a token is too long for a byte");
  return Buffer.concat(
    [header, slots, lengths, bytes].map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)),
  );
}
