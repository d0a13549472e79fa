/**
 * Marks and wishes as words, where there are no columns for signs.
 */
import { earlierFileMark, earlierSymbolMark, symbolKey, symbolsMarked } from "../state/marks.ts";
import type { ReviewState } from "../state/state.ts";

/** `, accepted`; nothing for what is left to cra. */
export function markWords(review: ReviewState, path: string): string {
  const mark = review.decisions.files.get(path);
  if (mark !== undefined) return `, ${mark}`;
  const symbols = symbolsMarked(review, path);
  if (symbols === "now") return ", symbols marked";
  const before = earlierFileMark(review.held, path);
  if (before !== null) return `, ${before} earlier`;
  return symbols === null ? "" : ", symbols marked earlier";
}

/** `, wanted as body`. */
export function symbolMarkWords({ decisions, held }: ReviewState, path: string, name: string): string {
  const wish = decisions.symbols.get(symbolKey(path, name)) ?? earlierSymbolMark(held, symbolKey(path, name));
  if (wish === null) return "";
  return wish === "out" ? ", left out" : wish === "missing" ? ", asked for" : `, wanted as ${wish}`;
}
