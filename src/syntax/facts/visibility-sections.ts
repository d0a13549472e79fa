/**
 * Visibility that is written apart from the members: a keyword above the members that it hides (`private` in Ruby), or
 * a list of names (`private :a, :b`).
 *
 * Captures of the symbol queries:
 * - @section.body: the body that all others apply to. One without keywords does not inherit those of the body around it.
 * - @section: the keyword. The last one before a member wins.
 * - @section.list: the keyword before a list of names.
 * - @section.hidden: a name of such a list.
 * - @section.apart: the name of a member (`def self.a`) that only lists with the keyword `private_class_method` apply to.
 */
import type { Span } from "../../text/lines.ts";
import { contains, type Match } from "../query/match.ts";
import { type SourceText, textOf } from "./source-text.ts";

export type Sections = {
  /** Whether a name is hidden by the body around it; `inside` is the definition that the name is a member of. */
  hides(name: string, nameStart: number, inside: Span): boolean;
};

type Body = {
  readonly span: Span;
  readonly words: { readonly start: number; readonly hides: boolean }[];
  readonly hidden: Set<string>;
  /** Names of members that are apart. */
  readonly hiddenApart: Set<string>;
};

const LIST_APART = "private_class_method";

export function findSections(source: SourceText, matches: readonly Match[]): Sections {
  const bodies = bodiesOf(source, matches);
  const apart = new Set(matches.map(({ captures }) => captures.get("section.apart")?.start));
  const around = bodies.map((_, index) => index - 1);
  bodies.forEach(({ span }, index) => {
    let outer = index - 1;
    while (outer >= 0 && !contains(bodies[outer]?.span ?? span, span)) outer = around[outer] ?? -1;
    around[index] = outer;
  });
  const bodyAt = (offset: number): Body | null => {
    let at = lastBefore(bodies, offset + 1, ({ span }) => span.start);
    while (at >= 0 && (bodies[at]?.span.end ?? 0) <= offset) at = around[at] ?? -1;
    return bodies[at] ?? null;
  };
  return {
    hides: (name, nameStart, inside) => {
      const body = bodyAt(nameStart);
      if (body === null || !contains(inside, body.span)) return false;
      if (apart.has(nameStart)) return body.hiddenApart.has(name);
      const word = body.words[lastBefore(body.words, nameStart, ({ start }) => start)];
      return body.hidden.has(name) || (word?.hides ?? false);
    },
  };
}

/** Outer bodies before inner ones, keywords in source order. */
function bodiesOf(source: SourceText, matches: readonly Match[]): readonly Body[] {
  const bodies = new Map<string, Body>();
  for (const { captures, settings } of matches) {
    const span = captures.get("section.body");
    if (span === undefined) continue;
    const key = `${span.start} ${span.end}`;
    const body = bodies.get(key) ?? { span, words: [], hidden: new Set(), hiddenApart: new Set() };
    bodies.set(key, body);
    const word = captures.get("section");
    if (word !== undefined) {
      body.words.push({ start: word.start, hides: textOf(source, word).startsWith("private") });
    }
    const hidden = captures.get("section.hidden");
    const list = captures.get("section.list");
    if (hidden === undefined || list === undefined) continue;
    const names = textOf(source, list) === LIST_APART ? body.hiddenApart : body.hidden;
    names.add(textOf(source, hidden).slice(settings.get("strip")?.length ?? 0));
  }
  for (const { words } of bodies.values()) words.sort((a, b) => a.start - b.start);
  return [...bodies.values()].sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
}

/** The index of the last sorted item that starts before an offset, or -1. */
function lastBefore<Item>(items: readonly Item[], offset: number, startOf: (item: Item) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && startOf(item) < offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
