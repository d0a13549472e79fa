/**
 * Terms for full-text search, the same for indexing and for queries.
 *
 * Identifiers are indexed whole and split (`text/terms/identifiers.ts`), numbers whole. A run of a script without spaces is
 * indexed as its pairs of characters (`text/terms/scripts.ts`) and its last character, so every character starts a term.
 * User input always becomes quoted terms, never FTS5 query syntax.
 */
import { expandIdentifier, stretchesOf } from "../../text/terms/identifiers.ts";
import { fold, isAscii } from "../../text/terms/normalize.ts";
import { charactersIn, pairsIn, startsUnspaced } from "../../text/terms/scripts.ts";
import { root } from "../../text/terms/stem.ts";

const WORDS = /[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$]*/gu;
const STARTS_WITH_DIGIT = /^\p{N}/u;

/** Longer words are data (hashes, base64) that nobody searches for. */
const WORD_CHARS_MAX = 80;
/** Further words of a query are ignored. */
const QUERY_WORDS_MAX = 24;

/** A word, split where a script without spaces begins or ends. */
const wordsOf = (word: string): readonly string[] => (isAscii(word) ? [word] : stretchesOf(word));

const ASCII_IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** The folded terms of a word in a script with spaces: the whole first, then its parts; none for a single letter. */
function termsOf(word: string): readonly string[] {
  if (word.length > WORD_CHARS_MAX) return [];
  return STARTS_WITH_DIGIT.test(word) ? [fold(word)] : expandIdentifier(word);
}

function indexedTerms(word: string): readonly string[] {
  // The fast path for nearly all words.
  if (ASCII_IDENTIFIER.test(word)) return word.length > WORD_CHARS_MAX ? [] : expandIdentifier(word);
  return wordsOf(word).flatMap((part) => {
    if (!startsUnspaced(part)) return termsOf(part);
    const characters = charactersIn(part);
    return characters.length < 2 ? characters : [...pairsIn(part), ...characters.slice(-1)];
  });
}

/** Indexed terms by word, and how many these are. They do not depend on the text, so several texts can share one cache. */
export type TermCache = Map<string, WordTerms>;

type WordTerms = { readonly terms: string; readonly count: number };

/** A shared cache is cleared at this many words. */
const KNOWN_WORDS_MAX = 50_000;

/** The form of a text that is stored in a full-text table. */
export function indexedText(text: string, known: TermCache = new Map()): string {
  return (text.match(WORDS) ?? [])
    .map((word) => termsOfWord(word, known).terms)
    .filter((terms) => terms !== "")
    .join(" ");
}

/** The terms of texts for a table that stores only which there are, of each word once, and the number of all terms. */
export function distinctTerms(texts: readonly string[], known: TermCache): WordTerms {
  const words = new Map<string, WordTerms>();
  let count = 0;
  for (const text of texts)
    for (const word of text.match(WORDS) ?? []) {
      let of = words.get(word);
      if (of === undefined) {
        of = termsOfWord(word, known);
        words.set(word, of);
      }
      count += of.count;
    }
  const terms = [...words.values()].flatMap(({ terms }) => (terms === "" ? [] : [terms]));
  return { terms: terms.join(" "), count };
}

function termsOfWord(word: string, known: TermCache): WordTerms {
  if (known.size > KNOWN_WORDS_MAX) known.clear();
  const before = known.get(word);
  if (before !== undefined) return before;
  const own = copied(word);
  const terms = indexedTerms(own);
  const found = { terms: terms.join(" "), count: terms.length };
  known.set(own, found);
  return found;
}

/** The same word apart from its text: the engine makes a word of the characters of its text, which would stay in memory as long. */
const copied = (word: string): string => structuredClone(word);

/** The distinct words of a query, in order; a run of a script without spaces is one word. */
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

/** The character pairs of words in scripts without spaces: a text may contain these without the whole word. */
export const partsOfRuns = (words: readonly string[]): readonly string[] =>
  [...new Set(words.filter(startsUnspaced).flatMap(pairsIn))].slice(0, QUERY_WORDS_MAX);

/** A term of a query; `begins`: any term that begins with it. */
export type QueryTerm = { readonly term: string; readonly begins: boolean };

/** The terms of an expression with the last word as a prefix, in its order. */
export const termsOfQuery = (words: readonly string[]): readonly QueryTerm[] =>
  words.flatMap((word, index): readonly QueryTerm[] => {
    if (!startsUnspaced(word))
      return termsOf(word).map((term, at) => ({ term, begins: at === 0 && index === words.length - 1 }));
    return charactersIn(word).length < 2
      ? [{ term: word, begins: true }]
      : pairsIn(word).map((term) => ({ term, begins: false }));
  });

/** The expression that finds one of them. */
export const termExpression = ({ term, begins }: QueryTerm): string => `${quoted(term)}${begins ? " *" : ""}`;

/**
 * The FTS5 expression for all (or any) of the words. A word matches whole or by all of its parts. The last word also matches
 * as a prefix unless `last` is "whole". With "any", one pair of a run without spaces suffices. Null without words. `places`: whether
 * the table knows where terms stand, so that the pairs of a run have to follow each other.
 */
export function matchExpression(
  words: readonly string[],
  want: "all" | "any",
  last: "begins" | "whole" | "inflected" = "begins",
  places = true,
): string | null {
  const clauses = words.map((word, index) => {
    const begins = last === "begins" && index === words.length - 1;
    if (startsUnspaced(word)) return runClause(word, want, places);
    const [whole = "", ...parts] = termsOf(word);
    const found = begins ? `${quoted(whole)} *` : last === "inflected" ? inflected(whole) : quoted(whole);
    return parts.length === 0 ? `(${found})` : `(${found} OR (${parts.map(quoted).join(" AND ")}))`;
  });
  return clauses.length === 0 ? null : clauses.join(want === "all" ? " AND " : " OR ");
}

/** A shorter root begins too many other words. */
const ROOT_CHARS_MIN = 4;
const ENDINGS = ["", "e", "s", "es", "ed", "er", "ing"] as const;

/** A word in any of its forms: by its root as a prefix, or a short root with the common endings. */
function inflected(word: string): string {
  const base = root(word);
  if (base === word) return quoted(word);
  if (base.length >= ROOT_CHARS_MIN) {
    const begins = base.endsWith("i") ? [base, `${base.slice(0, -1)}y`] : [base];
    return [quoted(word), ...begins.map((start) => `${quoted(start)} *`)].join(" OR ");
  }
  return [...new Set([word, ...ENDINGS.map((ending) => base + ending)])].map(quoted).join(" OR ");
}

function runClause(run: string, want: "all" | "any", places: boolean): string {
  const pairs = pairsIn(run);
  if (charactersIn(run).length < 2) return `(${quoted(run)} *)`;
  if (want === "any") return `(${pairs.map(quoted).join(" OR ")})`;
  return places ? `(${quoted(pairs.join(" "))})` : `(${pairs.map(quoted).join(" AND ")})`;
}

const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/** A pattern for `like ... escape '\\'` that matches exactly this text in any case. */
export const likePattern = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/** A pattern for `like ... escape '\\'` that matches the text anywhere. */
export const likeContaining = (text: string): string => `%${likePattern(text)}%`;
