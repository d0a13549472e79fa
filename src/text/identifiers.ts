/**
 * Finds identifiers in text and splits them into terms.
 *
 * `handleLoginRequest` gives handleloginrequest, handle, login, request; `parse_http_url` gives
 * parse_http_url, parse, http, url. Terms are lower case, at least two characters long, and ASCII:
 * other letters end an identifier. The same rules serve code, paths and task texts, so that both sides
 * of a comparison agree.
 * Not here: stems (`stem.ts`), counting (`term-stats.ts`).
 */

/** What an identifier looks like, as the source of a regular expression. */
export const IDENTIFIER = "[A-Za-z_$][A-Za-z0-9_$]*";

const IDENTIFIERS = new RegExp(IDENTIFIER, "g");
const PARTS = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;

/**
 * The terms of one identifier: its whole form without `_` and `$` at the ends, then its camelCase,
 * snake_case and digit-run parts when they say something else. Repeats are kept.
 */
export function expandIdentifier(name: string): readonly string[] {
  const whole = trimmed(name.toLowerCase());
  const parts = (name.match(PARTS) ?? []).filter((part) => part.length > 1).map((part) => part.toLowerCase());
  const terms = whole.length > 1 ? [whole] : [];
  if (parts.length > 1 || (parts.length === 1 && parts[0] !== whole)) terms.push(...parts);
  return terms;
}

/** Every identifier of a text, in order, as written. */
export function identifiersIn(text: string): readonly string[] {
  return text.match(IDENTIFIERS) ?? [];
}

/** The terms of every identifier of a text, in order, with repeats. */
export function termsIn(text: string): readonly string[] {
  return identifiersIn(text).flatMap(expandIdentifier);
}

/** Without `_` and `$` at its ends. A loop, since a pattern takes quadratic time on long inner runs. */
function trimmed(name: string): string {
  let start = 0;
  let end = name.length;
  while (start < end && isEdge(name[start])) start += 1;
  while (end > start && isEdge(name[end - 1])) end -= 1;
  return name.slice(start, end);
}

const isEdge = (char: string | undefined): boolean => char === "_" || char === "$";
