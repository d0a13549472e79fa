/** The text that facts are drawn from, with what every step asks of it. */
import type { Lines } from "./lines.ts";
import type { Span } from "./match.ts";
import type { LanguageStyle } from "./style.ts";

export type SourceText = { readonly text: string; readonly lines: Lines; readonly style: LanguageStyle };

/** The source of a span. */
export const textOf = ({ text }: SourceText, { start, end }: Span): string => text.slice(start, end);

/** True when only white space stands before the offset on its line. */
export function firstOnLine({ text, lines }: SourceText, offset: number): boolean {
  return text.slice(lines.startOf(lines.lineOf(offset)), offset).trim() === "";
}
