/**
 * The matches of a query as plain data, independent of the syntax tree.
 *
 * Positions are UTF-16 offsets into the text, `end` exclusive, so `text.slice(start, end)` is the source.
 */

import type { Topic } from "../../languages/syntax.ts";
import type { Span } from "../../text/lines.ts";

/** The spans that a match captured, by name. */
export type Captures = { get(name: string): Span | undefined };

/**
 * One match of one pattern. `pattern` is its index in the query: if two patterns match the same thing, the lower index
 * wins. A capture that matched more than once keeps its first span. `settings` are the pattern's `#set!` properties.
 */
export type Match = {
  readonly pattern: number;
  readonly captures: Captures;
  readonly settings: ReadonlyMap<string, string>;
};

export type Matches = Readonly<Record<Topic, readonly Match[]>>;

/** True if `inner` is inside `outer` or equal to it. */
export const contains = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;

/** The part of a span before the name at its end (`a::B::` of `a::B::run`). */
export function before(span: Span | undefined, name: Span | undefined): Span | undefined {
  return span === undefined || name === undefined || !contains(span, name) ? span : { ...span, end: name.start };
}

/** A text as one line: collapses white space and cuts to `charsMax` characters. */
export function oneLine(text: string, charsMax: number): string {
  const folded = isFolded(text) ? text : text.replace(/\s+/g, " ").trim();
  return folded.length <= charsMax ? folded : `${folded.slice(0, charsMax - 1).trimEnd()}…`;
}

const SPACE = 0x20;
const DELETE = 0x7f;

/** Whether an ASCII text has no white space but single spaces inside. Most have none, and looking is faster than replacing. */
function isFolded(text: string): boolean {
  let before = SPACE;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < SPACE || unit >= DELETE || (unit === SPACE && before === SPACE)) return false;
    before = unit;
  }
  return before !== SPACE;
}

const QUOTES: readonly string[] = ['"', "'", "`"];

/** A text without the quotes around it, of any kind. */
export function unquoted(text: string): string {
  const quote = text.charAt(0);
  return text.length > 1 && text.endsWith(quote) && QUOTES.includes(quote) ? text.slice(1, -1) : text;
}
