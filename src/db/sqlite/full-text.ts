/**
 * Words for full-text search: the same on the side that is indexed and on the side that asks.
 *
 * Identifiers are taken whole and split (`text/terms/identifiers.ts`), numbers whole. A run of a script without blanks is
 * its pairs of characters (`text/terms/scripts.ts`), asked for as a phrase, and its last character: so every character
 * begins a term, and one alone is found wherever it stands. Everything a user types becomes quoted terms, so no
 * text is ever read as query syntax.
 * Not here: running queries (`search.ts`).
 */

import { expandIdentifier, stretchesOf } from "../../text/terms/identifiers.ts";
import { fold, isAscii } from "../../text/terms/normalize.ts";
import { charactersIn, pairsIn, startsUnspaced } from "../../text/terms/scripts.ts";

const WORDS = /[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$]*/gu;
const STARTS_WITH_DIGIT = /^\p{N}/u;

/** Longer words are data (hashes, base64), which nobody searches for. */
const WORD_CHARS_MAX = 80;
/** A query's further words are left out. */
const QUERY_WORDS_MAX = 24;

/** What a word counts as: itself, but cut where a script without blanks begins or ends in it. */
const wordsOf = (word: string): readonly string[] => (isAscii(word) ? [word] : stretchesOf(word));

const ASCII_IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** The terms of one word of a script with blanks, folded: itself first, then its parts; none for a single letter. */
function termsOf(word: string): readonly string[] {
  if (word.length > WORD_CHARS_MAX) return [];
  return STARTS_WITH_DIGIT.test(word) ? [fold(word)] : expandIdentifier(word);
}

function indexedTerms(word: string): readonly string[] {
  // Nearly all are of this kind.
  if (ASCII_IDENTIFIER.test(word)) return word.length > WORD_CHARS_MAX ? [] : expandIdentifier(word);
  return wordsOf(word).flatMap((part) => {
    if (!startsUnspaced(part)) return termsOf(part);
    const characters = charactersIn(part);
    return characters.length < 2 ? characters : [...pairsIn(part), ...characters.slice(-1)];
  });
}

/** Words and what is indexed for them: the same for every text, so many texts may share one. */
export type KnownWords = Map<string, string>;

/** A map that is shared by ever more texts is emptied when it holds this many words. */
const KNOWN_WORDS_MAX = 50_000;

/** What is put into a full-text table for a text. */
export function indexedText(text: string, known: KnownWords = new Map()): string {
  if (known.size > KNOWN_WORDS_MAX) known.clear();
  const out: string[] = [];
  for (const word of text.match(WORDS) ?? []) {
    let terms = known.get(word);
    if (terms === undefined) {
      terms = indexedTerms(word).join(" ");
      known.set(word, terms);
    }
    if (terms !== "") out.push(terms);
  }
  return out.join(" ");
}

/** The distinct words of what a user typed, in order; a run of a script without blanks is one. */
export function queryWords(query: string): readonly string[] {
  const words = new Set<string>();
  for (const [typed] of query.matchAll(WORDS)) {
    for (const word of wordsOf(typed)) {
      if (words.size < QUERY_WORDS_MAX && (startsUnspaced(word) || termsOf(word).length > 0)) words.add(word);
    }
    if (words.size === QUERY_WORDS_MAX) break;
  }
  return [...words];
}

/** What a text may hold of these words without holding them whole: the pairs of runs without blanks, the first of them. */
export const partsOfRuns = (words: readonly string[]): readonly string[] =>
  [...new Set(words.filter(startsUnspaced).flatMap(pairsIn))].slice(0, QUERY_WORDS_MAX);

/**
 * The full-text expression that wants all (or any) of the words. A word is found whole or by all of its
 * parts; the last one also as the beginning of a longer one, unless it is `whole`. Of a run without blanks any pair
 * will do where any word does. Null when there is nothing to look for.
 */
export function matchExpression(
  words: readonly string[],
  want: "all" | "any",
  last: "begins" | "whole" = "begins",
): string | null {
  const clauses = words.map((word, index) => {
    const begins = last === "begins" && index === words.length - 1;
    if (startsUnspaced(word)) return runClause(word, want);
    const [whole = "", ...parts] = termsOf(word);
    const found = begins ? `${quoted(whole)} *` : quoted(whole);
    return parts.length === 0 ? `(${found})` : `(${found} OR (${parts.map(quoted).join(" AND ")}))`;
  });
  return clauses.length === 0 ? null : clauses.join(want === "all" ? " AND " : " OR ");
}

function runClause(run: string, want: "all" | "any"): string {
  const pairs = pairsIn(run);
  if (charactersIn(run).length < 2) return `(${quoted(run)} *)`;
  return want === "all" ? `(${quoted(pairs.join(" "))})` : `(${pairs.map(quoted).join(" OR ")})`;
}

const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/** A pattern for `like ... escape '\\'` that finds the whole text, in any case. */
export const asPattern = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/** A pattern for `like ... escape '\\'` that finds the text anywhere. */
export const containing = (text: string): string => `%${asPattern(text)}%`;
