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
  const folded = text.replace(/\s+/g, " ").trim();
  return folded.length <= charsMax ? folded : `${folded.slice(0, charsMax - 1).trimEnd()}…`;
}

/** A text without the quotes around it, of any kind. */
export const unquoted = (text: string): string => /^(["'`])([\s\S]*)\1$/.exec(text)?.[2] ?? text;
