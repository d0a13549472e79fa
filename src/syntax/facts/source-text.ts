/** The text that facts are drawn from, with what every step asks of it. */

import type { LanguageStyle } from "../../languages/syntax.ts";
import type { Lines, Span } from "../../text/lines.ts";

export type SourceText = { readonly text: string; readonly lines: Lines; readonly style: LanguageStyle };

/** The source of a span. */
export const textOf = ({ text }: SourceText, { start, end }: Span): string => text.slice(start, end);

/** A name with dots where the language writes something else (`std::fs` -> `std.fs`), and without white space. */
export const dotted = ({ dots }: LanguageStyle, written: string): string =>
  (dots === null ? written : written.replace(dots, ".")).replace(/\s+/g, "");

/** True when only white space stands before the offset on its line. */
export function firstOnLine({ text, lines }: SourceText, offset: number): boolean {
  return text.slice(lines.startOf(lines.lineOf(offset)), offset).trim() === "";
}

/** Names that are longer are not taken apart. */
const NAME_CHARS_MAX = 4_000;

/** A name without what is written before and behind it (`run` of `a::B<T>::run`); null when it is none. */
export function bareSpan(source: SourceText, span: Span): Span | null {
  const { bareName } = source.style;
  if (bareName === null || span.end - span.start > NAME_CHARS_MAX) return span;
  const bare = bareName(textOf(source, span));
  return bare === null ? null : { start: span.start + bare.start, end: span.start + bare.end };
}
