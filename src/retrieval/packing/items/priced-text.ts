/** Texts by line, with the tokens of each line. Lines are cached by file row: rows keep their identity while an index is open. */

import type { FileRow } from "../../../db/curated/knowledge-base.ts";
import type { TokenCounter } from "../../../text/tokens/tokens.ts";
import type { PricedText } from "../../lexical/snippets.ts";

/** Lines count from 1. The tokens of a line are counted once, on demand. */
export const pricedText = (text: string, counter: TokenCounter): PricedText => priced(text.split("\n"), counter);

function priced(lines: readonly string[], counter: TokenCounter): PricedText {
  const costs = new Map<number, number>();
  const tokensOf = (part: string): number => counter.count(`${part}\n`);
  return {
    lines,
    tokensOf,
    lineTokens(line) {
      const known = costs.get(line);
      if (known !== undefined) return known;
      const cost = tokensOf(lines[line - 1] ?? "");
      costs.set(line, cost);
      return cost;
    },
  };
}

/** The cache is emptied beyond this many characters of text. */
const CACHED_CHARS_MAX = 16_000_000;

let cached = new WeakMap<FileRow, { readonly text: string; readonly lines: readonly string[] }>();
let cachedChars = 0;

/** `pricedText` for the text of a file, cached. */
export function pricedFile(file: FileRow, text: string, counter: TokenCounter): PricedText {
  const before = cached.get(file);
  if (before?.text === text) return priced(before.lines, counter);
  const source = pricedText(text, counter);
  if (cachedChars > CACHED_CHARS_MAX) {
    cached = new WeakMap();
    cachedChars = 0;
  }
  cached.set(file, { text, lines: source.lines });
  cachedChars += text.length;
  return source;
}
