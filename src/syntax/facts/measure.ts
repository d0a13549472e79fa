/**
 * Adds token counts and term statistics to facts; neither needs syntax.
 *
 * Tokens are counted line by line and summed, so a symbol's body is the sum of its lines from the comment above it to
 * its end. Such sums are estimates, because tokens can span lines: packing counts the final text again.
 */
import { countTerms } from "../../languages/count-terms.ts";
import { encodeTermStats } from "../../text/terms/encode-term-stats.ts";
import { CHARS_PER_TOKEN, countLines, type TokenCounter } from "../../text/tokens/tokens.ts";
import type { FileFacts } from "./facts.ts";
import { textFacts, type UncountedFacts } from "./text-facts.ts";

/** `stats` has the form that `text/terms/term-stats.ts` describes. */
export type Measured = { readonly facts: FileFacts; readonly stats: Uint8Array };

/** Measures a file. */
export function measure(text: string, facts: UncountedFacts, language: string, counter: TokenCounter): Measured {
  const upTo = prefixSums(countLines(text, counter));
  const tokensOf = (fromLine: number, toLine: number): number => (upTo[toLine] ?? 0) - (upTo[fromLine - 1] ?? 0);
  const symbols = facts.symbols.map((symbol) => ({
    ...symbol,
    signatureTokens: counter.count(symbol.signature),
    bodyTokens: tokensOf(symbol.docLine, symbol.endLine),
  }));
  return {
    facts: { ...facts, tokenCount: upTo.at(-1) ?? 0, symbols },
    stats: countTerms(text, language, { ...facts, symbols }),
  };
}

/** `sums[n]` is the sum of the first n counts. */
function prefixSums(counts: Uint32Array): Uint32Array {
  const sums = new Uint32Array(counts.length + 1);
  for (const [index, count] of counts.entries()) sums[index + 1] = (sums[index] ?? 0) + count;
  return sums;
}

/** The result for a text that no worker could measure: its lines, and an estimate of its tokens. */
export function unmeasured(text: string, problem: string): Measured {
  return {
    facts: { ...textFacts(text, problem), tokenCount: Math.ceil(text.length / CHARS_PER_TOKEN), symbols: [] },
    stats: encodeTermStats({ text: "", symbols: [], commentLines: [], docstrings: false }),
  };
}
