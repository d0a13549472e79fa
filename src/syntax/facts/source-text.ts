/** The text of a file, and the lookups that all fact extraction shares. */

import type { LanguageStyle } from "../../languages/syntax.ts";
import type { Lines, Span } from "../../text/lines.ts";

/**
 * The text, and two of the same length: `parsed` is what the grammar read, in which a macro of C is blank, and in `code` all comments are
 * blank.
 */
export type SourceText = {
  readonly text: string;
  readonly parsed: string;
  readonly code: string;
  readonly lines: Lines;
  readonly style: LanguageStyle;
};

/** The source of a span. */
export const textOf = ({ text }: SourceText, { start, end }: Span): string => text.slice(start, end);

/** The source of a span with blank comments. */
export const codeOf = ({ code }: SourceText, { start, end }: Span): string => code.slice(start, end);

/** A name with dots in place of the language's separator (`std::fs` -> `std.fs`), without white space. */
export const dotted = ({ dots }: LanguageStyle, written: string): string =>
  (dots === null ? written : written.replace(dots, ".")).replace(/\s+/g, "");

/** True if only white space precedes the offset on its line. */
export function firstOnLine({ text, lines }: SourceText, offset: number): boolean {
  return text.slice(lines.startOf(lines.lineOf(offset)), offset).trim() === "";
}

/** Longer names are not split. */
const NAME_CHARS_MAX = 4_000;

/** A name without prefix and suffix (`run` of `a::B<T>::run`); null if it is not a name. */
export function bareSpan(source: SourceText, span: Span): Span | null {
  const { bareName } = source.style;
  if (bareName === null || span.end - span.start > NAME_CHARS_MAX) return span;
  const bare = bareName(textOf(source, span));
  return bare === null ? null : { start: span.start + bare.start, end: span.start + bare.end };
}
