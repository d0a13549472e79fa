/**
 * What a query found, as plain data: the form in which syntax trees leave the parser.
 *
 * Positions are UTF-16 offsets into the text, `end` exclusive, so `text.slice(start, end)` is the source.
 * Not here: running queries (`find-matches.ts`), what the captures mean (`symbols.ts` and its siblings).
 */

import type { Topic } from "../../languages/syntax.ts";
import type { Span } from "../../text/lines.ts";

/** The places that a match has named. */
export type Captures = { get(name: string): Span | undefined };

/**
 * One match of one pattern. `pattern` is its place in the query: where two patterns speak of one thing,
 * the lower one holds. A capture that matched more than once keeps its first place. `settings` are the
 * pattern's `#set!` properties.
 */
export type Match = {
  readonly pattern: number;
  readonly captures: Captures;
  readonly settings: ReadonlyMap<string, string>;
};

export type Matches = Readonly<Record<Topic, readonly Match[]>>;

/** True when `inner` lies in `outer`, or is equal to it. */
export const contains = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;

/** A span up to the name that it ends with (`a::B::` of `a::B::run`). */
export function before(span: Span | undefined, name: Span | undefined): Span | undefined {
  return span === undefined || name === undefined || !contains(span, name) ? span : { ...span, end: name.start };
}

/** The text of a span on one line: white space folded, cut to `charsMax` characters. */
export function oneLine(text: string, charsMax: number): string {
  const folded = text.replace(/\s+/g, " ").trim();
  return folded.length <= charsMax ? folded : `${folded.slice(0, charsMax - 1).trimEnd()}…`;
}

/** A text without the quotes around it, whichever they are. */
export const unquoted = (text: string): string => /^(["'`])([\s\S]*)\1$/.exec(text)?.[2] ?? text;
