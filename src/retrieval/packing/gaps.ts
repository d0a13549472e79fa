/**
 * What lies between the shown lines of a file, where that is next to nothing.
 *
 * A marker says where each run of lines starts. Between neighbours it would cost more than the lines it stands for:
 * blank lines are named, so that the text shows them as they are, and a closing brace or the like is simply shown.
 * Pure. Not here: choosing what is shown (`packer.ts`).
 */
import type { LineRange } from "../../text/ranges.ts";
import { GAP_TOKENS, type PricedText } from "../lexical/snippets.ts";

/** Longer gaps keep their marker. */
const GAP_LINES_MAX = 3;

/** `blank` are the numbers of blank lines between shown ones; `shown` are lines that cost no more than a marker. */
export type Gaps = { readonly blank: readonly number[]; readonly shown: readonly LineRange[] };

/** The small gaps between ranges, which may overlap and come in any order. Lines of `hidden` are never shown. */
export function smallGaps(ranges: readonly LineRange[], source: PricedText, hidden: readonly LineRange[] = []): Gaps {
  const isHidden = (line: number): boolean =>
    hidden.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
  const blank: number[] = [];
  const shown: LineRange[] = [];
  let reached = Number.POSITIVE_INFINITY;
  for (const { startLine, endLine } of ranges.toSorted((a, b) => a.startLine - b.startLine || a.endLine - b.endLine)) {
    const length = startLine - reached - 1;
    if (length > 0 && length <= GAP_LINES_MAX) {
      const gap = Array.from({ length }, (_, at) => reached + 1 + at);
      if (gap.every((line) => (source.lines[line - 1] ?? "").trim() === "")) blank.push(...gap);
      else if (!gap.some(isHidden) && gap.reduce((sum, line) => sum + source.lineTokens(line), 0) <= GAP_TOKENS)
        shown.push({ startLine: reached + 1, endLine: startLine - 1 });
    }
    reached = reached === Number.POSITIVE_INFINITY ? endLine : Math.max(reached, endLine);
  }
  return { blank, shown };
}
