/** A text that was decoded from another, and where its characters stood there. */
import type { Span } from "./redactor.ts";

export type View = {
  readonly text: string;
  /** The range of the original text that a range of this text was written as. It must not be empty. */
  original(span: Span): Span;
};

/** A range that is written differently: by one character, or by none. */
export type Edit = Span & { readonly instead: string };

/** The text after these edits, which are in order; null without any. */
export function edited(text: string, edits: readonly Edit[]): View | null {
  if (edits.length === 0) return null;
  // Offsets where a copied range and an edited one begin, in turn.
  const [after, before] = [[0], [0]];
  let result = "";
  let copied = 0;
  for (const { start, end, instead } of edits) {
    result += text.slice(copied, start);
    after.push(result.length, result.length + instead.length);
    before.push(start, end);
    result += instead;
    copied = end;
  }
  return { text: result + text.slice(copied), original: (span) => originalSpan(after, before, span) };
}

function originalSpan(after: readonly number[], before: readonly number[], { start, end }: Span): Span {
  const [first, last] = [rangeOf(after, start), rangeOf(after, end - 1)];
  const startOf = (range: number): number => before[range] ?? 0;
  const shifted = (range: number, at: number): number => startOf(range) + at - (after[range] ?? 0);
  return {
    start: shifted(first, start),
    end: isEdited(last) ? startOf(last + 1) : shifted(last, end),
  };
}

const isEdited = (range: number): boolean => range % 2 === 1;

/** The last range that begins at or before a character. */
function rangeOf(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
