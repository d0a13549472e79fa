/**
 * Words for full-text search: the same on the side that is indexed and on the side that asks.
 *
 * Identifiers are taken whole and split (`text/identifiers.ts`); words of other scripts and numbers are
 * taken whole. Everything a user types becomes quoted terms, so no text is ever read as query syntax.
 * Not here: running queries (`search.ts`).
 */
import { expandIdentifier } from "../text/identifiers.ts";

const WORDS = /[\p{L}\p{N}_$]+/gu;
const ASCII_IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** Longer words are data (hashes, base64), which nobody searches for. */
const WORD_CHARS_MAX = 80;
/** A query's further words are left out. */
const QUERY_WORDS_MAX = 24;

/** The terms of one word, lower case: itself first, then its parts; none for a single letter. */
function termsOf(word: string): readonly string[] {
  if (word.length > WORD_CHARS_MAX) return [];
  return ASCII_IDENTIFIER.test(word) ? expandIdentifier(word) : [word.toLowerCase()];
}

/** What is put into a full-text table for a text. */
export function indexedText(text: string): string {
  const out: string[] = [];
  const seen = new Map<string, string>();
  for (const [word] of text.matchAll(WORDS)) {
    let terms = seen.get(word);
    if (terms === undefined) {
      terms = termsOf(word).join(" ");
      seen.set(word, terms);
    }
    if (terms !== "") out.push(terms);
  }
  return out.join(" ");
}

/** The distinct words of what a user typed, in order. */
export function queryWords(query: string): readonly string[] {
  const words = new Set<string>();
  for (const [word] of query.matchAll(WORDS)) {
    if (termsOf(word).length > 0) words.add(word);
    if (words.size === QUERY_WORDS_MAX) break;
  }
  return [...words];
}

/**
 * The full-text expression that wants all (or any) of the words. A word is found whole or by all of its
 * parts; the last one also as the beginning of a longer one. Null when there is nothing to look for.
 */
export function matchExpression(words: readonly string[], want: "all" | "any"): string | null {
  const clauses = words.map((word, index) => {
    const [whole = "", ...parts] = termsOf(word);
    const found = index === words.length - 1 ? `${quoted(whole)} *` : quoted(whole);
    return parts.length === 0 ? `(${found})` : `(${found} OR (${parts.map(quoted).join(" AND ")}))`;
  });
  return clauses.length === 0 ? null : clauses.join(want === "all" ? " AND " : " OR ");
}

const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/** A pattern for `like ... escape '\\'` that finds the whole text, in any case. */
export const asPattern = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/** A pattern for `like ... escape '\\'` that finds the text anywhere. */
export const containing = (text: string): string => `%${asPattern(text)}%`;
