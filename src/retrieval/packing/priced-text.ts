/**
 * Texts by line, with what each line costs. The lines of files are found once for all tasks of a process.
 *
 * They are kept beside the rows of the files, which are the same values as long as an index is (`db/curated/row-cache.ts`).
 */

import type { FileRow } from "../../db/curated/knowledge-base.ts";
import type { TokenCounter } from "../../text/tokens/tokens.ts";
import type { PricedText } from "../lexical/snippets.ts";

/** Wraps a text. Lines are 1-based. */
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

/** Beyond this many characters of texts, lines are found anew. */
const KEPT_CHARS_MAX = 16_000_000;

let kept = new WeakMap<FileRow, { readonly text: string; readonly lines: readonly string[] }>();
let keptChars = 0;

/** Wraps the text of a file. */
export function pricedFile(file: FileRow, text: string, counter: TokenCounter): PricedText {
  const before = kept.get(file);
  if (before?.text === text) return priced(before.lines, counter);
  const source = pricedText(text, counter);
  if (keptChars > KEPT_CHARS_MAX) {
    kept = new WeakMap();
    keptChars = 0;
  }
  kept.set(file, { text, lines: source.lines });
  keptChars += text.length;
  return source;
}
