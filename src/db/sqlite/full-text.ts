/**
 * Terms for full-text search, the same for indexing and for queries.
 *
 * Identifiers are indexed whole and split (`text/terms/identifiers.ts`), numbers whole. A run of a script without spaces is
 * indexed as its pairs of characters (`text/terms/scripts.ts`) and its last character, so every character starts a term.
 * User input always becomes quoted terms, never FTS5 query syntax.
 */
import { longer } from "../../text/terms/columns.ts";
import { expandIdentifier, stretchesOf } from "../../text/terms/identifiers.ts";
import { fold, isAscii } from "../../text/terms/normalize.ts";
import { charactersIn, pairsIn, startsUnspaced } from "../../text/terms/scripts.ts";
import { SPLIT, splitAscii } from "../../text/terms/split-ascii.ts";
import { root } from "../../text/terms/stem.ts";
import { BYTES_PER_UNIT, bytesHash, HASH_PRIME, HASH_START } from "../../text/terms/term-hashes.ts";
import { numberOf, type WordTable, wordTable } from "./word-table.ts";

const WORDS = /[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$]*/gu;
const STARTS_WITH_DIGIT = /^\p{N}/u;

/** Longer words are data (hashes, base64) that nobody searches for. */
const WORD_CHARS_MAX = 80;
/** Further words of a query are ignored. */
const QUERY_WORDS_MAX = 24;

/** A word, split where a script without spaces begins or ends. */
const wordsOf = (word: string): readonly string[] => (isAscii(word) ? [word] : stretchesOf(word));

/** The folded terms of a word in a script with spaces: the whole first, then its parts; none for a single letter. */
function termsOf(word: string): readonly string[] {
  if (word.length > WORD_CHARS_MAX) return [];
  return STARTS_WITH_DIGIT.test(word) ? [fold(word)] : expandIdentifier(word);
}

function indexedTerms(word: string): readonly string[] {
  return wordsOf(word).flatMap((part) => {
    if (!startsUnspaced(part)) return termsOf(part);
    const characters = charactersIn(part);
    return characters.length < 2 ? characters : [...pairsIn(part), ...characters.slice(-1)];
  });
}

/**
 * Terms by word, which do not depend on the text, so several texts can share one cache. By the number of a word: its terms, how many, and
 * the text in which it was found last.
 */
export type TermCache = {
  words: WordTable;
  readonly terms: string[];
  counts: Int32Array;
  foundIn: Int32Array;
  texts: number;
};

/** An empty cache. */
export const termCache = (): TermCache => ({
  words: wordTable(),
  terms: [],
  counts: new Int32Array(WORDS_FIRST),
  foundIn: new Int32Array(WORDS_FIRST),
  texts: 0,
});

/** Gives back the memory of a cache. */
export const emptyTermCache = (known: TermCache): void => void Object.assign(known, termCache());

const WORDS_FIRST = 1 << 8;

/** A cache with this many words is emptied before the next text. */
const KNOWN_WORDS_MAX = 50_000;

/** The form of a text that is stored in a full-text table. */
export function indexedText(text: string, known: TermCache = termCache()): string {
  // Many symbols have no documentation.
  if (text === "") return "";
  if (textRoom.length < BYTES_PER_UNIT * text.length) textRoom = Buffer.allocUnsafe(2 * BYTES_PER_UNIT * text.length);
  begin(known);
  const uses = findWords(known, textRoom, encoder.encodeInto(text, textRoom).written, 0);
  const terms: string[] = [];
  for (let use = 0; use < uses; use += 1) {
    const of = known.terms[found[use] ?? 0] ?? "";
    if (of !== "") terms.push(of);
  }
  return terms.join(" ");
}

/** The terms of texts (UTF-8) for a table that stores only which there are, of each word once, and the number of all terms. */
export function distinctTerms(
  texts: readonly Uint8Array[],
  known: TermCache,
): { readonly terms: string; readonly count: number } {
  begin(known);
  let uses = 0;
  for (const bytes of texts) uses = findWords(known, bytes, bytes.length, uses);
  const { counts, foundIn, texts: text } = known;
  const terms: string[] = [];
  let count = 0;
  for (let use = 0; use < uses; use += 1) {
    const word = found[use] ?? 0;
    const ofWord = counts[word] ?? 0;
    count += ofWord;
    if (foundIn[word] === text) continue;
    foundIn[word] = text;
    if (ofWord > 0) terms.push(known.terms[word] ?? "");
  }
  return { terms: terms.join(" "), count };
}

/** The number of each word of the texts that were read last, in order. */
let found = new Int32Array(1 << 12);

function begin(known: TermCache): void {
  if (known.words.count > KNOWN_WORDS_MAX) emptyTermCache(known);
  known.texts += 1;
}

/** Adds the words in `bytes` (UTF-8) up to `end` to the `before` that are found, and returns how many there are. New ones join the cache. */
function findWords(known: TermCache, bytes: Uint8Array, end: number, before: number): number {
  let uses = before;
  for (let at = 0; at < end; at += 1) {
    let code = bytes[at] ?? 0;
    if (CLASS[code] === NONE) continue;
    const start = at;
    let hash = HASH_START;
    while (CLASS[code] === WORD) {
      hash = Math.imul(hash ^ code, HASH_PRIME);
      at += 1;
      code = at < end ? (bytes[at] ?? 0) : 0;
    }
    if (CLASS[code] !== OTHER) {
      if (at - start <= WORD_CHARS_MAX) use(uses++, wordAt(known, bytes, start, at, hash));
      continue;
    }
    // Words with other characters, or signs beyond ASCII.
    while (at < end && CLASS[bytes[at] ?? 0] !== NONE) at += 1;
    for (const word of textOf(bytes, start, at).match(WORDS) ?? []) {
      if (room.length < BYTES_PER_UNIT * word.length) room = Buffer.allocUnsafe(2 * BYTES_PER_UNIT * word.length);
      const { written } = encoder.encodeInto(word, room);
      use(uses++, wordAt(known, room, 0, written, bytesHash(room, written)));
    }
  }
  return uses;
}

function use(place: number, word: number): void {
  if (place === found.length) found = longer(found, 2 * place);
  found[place] = word;
}

/** The number of the word in `bytes` from `start` to `end`, which have this hash. */
function wordAt(known: TermCache, bytes: Uint8Array, start: number, end: number, hash: number): number {
  const word = numberOf(known.words, bytes, start, end, hash);
  if (word < known.terms.length) return word;
  const { text, count } = termsAt(bytes, start, end);
  known.terms.push(text);
  if (word === known.counts.length) {
    known.counts = longer(known.counts, 2 * word);
    known.foundIn = longer(known.foundIn, 2 * word);
  }
  known.counts[word] = count;
  return word;
}

/** The terms of the word in `bytes` from `start` to `end`, with blanks between them, and how many there are. */
function termsAt(bytes: Uint8Array, start: number, end: number): { readonly text: string; readonly count: number } {
  let isIdentifier = end - start <= WORD_CHARS_MAX && !isDigit(bytes[start] ?? 0);
  for (let at = start; at < end; at += 1) isIdentifier &&= CLASS[bytes[at] ?? 0] === WORD;
  if (!isIdentifier) {
    const terms = indexedTerms(textOf(bytes, start, end));
    return { text: terms.join(" "), count: terms.length };
  }
  const count = splitAscii(bytes, start, end);
  const { lower, spans } = SPLIT;
  let written = 0;
  for (let span = 0; span < 2 * count; span += 2) {
    if (span > 0) termRoom[written++] = BLANK;
    for (let at = spans[span] ?? 0; at < (spans[span + 1] ?? 0); at += 1) termRoom[written++] = lower[at] ?? 0;
  }
  return { text: termRoom.toString("latin1", 0, written), count };
}

const BLANK = 0x20;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
/** The terms of one word: the whole, and its parts with blanks between them. */
const termRoom = Buffer.alloc(3 * WORD_CHARS_MAX);

const textOf = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString();

const encoder = new TextEncoder();
/** The bytes of one word, and of a text. */
let room = Buffer.allocUnsafe(1 << 10);
let textRoom = Buffer.allocUnsafe(1 << 12);

/** The class of a byte: it is part of no word, of one, or perhaps of one beyond ASCII. */
const NONE = 0;
const WORD = 1;
const OTHER = 2;
const CLASS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > 127 ? OTHER : /[A-Za-z0-9_$]/.test(String.fromCharCode(byte)) ? WORD : NONE,
);

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

/** The parts by which words of a query in scripts with spaces match a text that lacks them whole. */
export const partsOfNames = (words: readonly string[]): readonly string[] => [
  ...new Set(words.filter((word) => !startsUnspaced(word)).flatMap((word) => termsOf(word).slice(1))),
];

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
