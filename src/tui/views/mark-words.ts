/** Marks as words, where there are no columns for signs. */
import { type ShownMark, shownMark, symbolKey, symbolMarkOf } from "../state/marks.ts";
import type { ReviewState } from "../state/review-state.ts";

const FILE_WORDS: Readonly<Record<ShownMark, string>> = {
  accepted: ", accepted in the next round",
  rejected: ", rejected in the next round",
  "earlier-accepted": ", accepted earlier",
  "earlier-rejected": ", rejected earlier",
  symbols: ", symbols marked",
  "earlier-symbols": ", symbols marked earlier",
  auto: "",
};

const SYMBOL_WORDS = {
  body: ", body requested",
  signature: ", signature requested",
  out: ", omitted",
  missing: ", requested",
} as const;

/** `, accepted`; empty for a file without a mark. */
export const fileMarkWords = (review: ReviewState, path: string): string => FILE_WORDS[shownMark(review, path)];

/** `, body requested`; empty for a symbol without a mark. */
export function symbolMarkWords(review: ReviewState, path: string, name: string): string {
  const mark = symbolMarkOf(review, symbolKey(path, name));
  return mark === null ? "" : SYMBOL_WORDS[mark];
}
