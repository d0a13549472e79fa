/**
 * Word triples and quoted messages that a task and a text share.
 *
 * Three adjacent words of one line (at least nine letters together) are stronger evidence than three words, the more so the
 * rarer they are. Words are of ASCII letters and compared by hash over UTF-8 bytes, which reads a text once without
 * allocating.
 */

import type { Section } from "../../task/query.ts";
import { QUOTED_KINDS } from "../../task/traces/error-patterns.ts";
import { HASH_PRIME, HASH_START } from "../../text/terms/term-hashes.ts";

/** Letters that a triple must have. */
const LETTERS_MIN = 9;
/** The sum that makes a full score. */
const FULL = 10;
const QUOTE = /"([^"\n]{12,200})"|'([^'\n]{12,200})'|`([^`\n]{12,200})`/g;
/** A quotation of a single word must be longer than this. */
const QUOTE_WORD_MAX = 16;
const QUOTES_MAX = 50;
/** Triples of longer tasks are ignored. */
const TRIPLES_MAX = 20_000;

/** What to search for in texts. */
type Phrases = { readonly triples: Triples; readonly quotes: readonly string[] };

/** The triples and quotations of a task; null if it has none. */
export function phrasesIn(sections: readonly Section[]): Phrases | null {
  const phrases = { triples: triplesIn(sections), quotes: quotesIn(sections) };
  return phrases.triples.known.size + phrases.quotes.length === 0 ? null : phrases;
}

/**
 * A score in 0..1 for each text: min(10, Σ ln(N / df) / √df) / 10 over its triples, plus 1/n for each quotation that n of
 * the texts contain. `documents` is N; df counts the given texts.
 */
export function phraseScores(
  { triples, quotes }: Phrases,
  texts: ReadonlyMap<number, Uint8Array>,
  documents: number,
): ReadonlyMap<number, number> {
  const quoted = quotes.map((quote) => ({ quote, bytes: Buffer.from(quote) }));
  const held = [...texts].map(([id, text]) => ({
    id,
    triples: sharedTriples(text, triples),
    quotes: sharedQuotes(text, quoted),
  }));
  const tripleDf = countHolders(held.map((row) => row.triples));
  const quoteDf = countHolders(held.map((row) => row.quotes));
  return new Map(
    held.map((row) => {
      let sum = 0;
      for (const triple of row.triples) {
        const df = tripleDf.get(triple) ?? 1;
        sum += Math.log(Math.max(documents, df) / df) / Math.sqrt(df);
      }
      let quoted = 0;
      for (const quote of row.quotes) quoted += 1 / (quoteDf.get(quote) ?? 1);
      return [row.id, Math.min(1, Math.min(FULL, sum) / FULL + quoted)];
    }),
  );
}

function countHolders<T>(rows: readonly (readonly T[])[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const row of rows) for (const item of row) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Most triples of a text are not in the task, so 2^16 bits are tested before the set. */
type Triples = { readonly known: ReadonlySet<number>; readonly bits: Int32Array };

/** Those of the last task: a first answer ranks twice. */
let newest: { readonly asked: string; readonly triples: Triples } | null = null;

function triplesIn(sections: readonly Section[]): Triples {
  const asked = JSON.stringify(sections);
  if (newest?.asked !== asked) newest = { asked, triples: findTriples(sections) };
  return newest.triples;
}

function findTriples(sections: readonly Section[]): Triples {
  const known = new Set<number>();
  const bits = new Int32Array(2048);
  for (const { kind, text } of sections) {
    if (kind === "noise") continue;
    for (const line of text.split("\n")) {
      readTriples(Buffer.from(line), ALL, (hash, letters) => {
        if (letters < LETTERS_MIN || known.size >= TRIPLES_MAX) return;
        known.add(hash);
        const at = (hash >>> 5) & 2047;
        bits[at] = (bits[at] ?? 0) | (1 << (hash & 31));
      });
    }
  }
  return { known, bits };
}

const ALL = new Int32Array(2048).fill(-1);

/**
 * The triples of texts that were read before, as long as the texts are cached: those of the first task that asked, and for another task
 * all, in order. A process with one task needs no more.
 */
const readBefore = new WeakMap<
  Uint8Array,
  Uint32Array | { readonly asked: Triples; readonly shared: readonly number[] }
>();

/** The triples of a task that a text contains, each once, in a fixed order. */
function sharedTriples(text: Uint8Array, asked: Triples): readonly number[] {
  const { known, bits } = asked;
  if (known.size === 0) return [];
  const before = readBefore.get(text);
  if (before !== undefined && "asked" in before && before.asked === asked) return before.shared;
  const found = new Set<number>();
  if (before === undefined) {
    readTriples(text, bits, (hash) => {
      if (known.has(hash)) found.add(hash);
    });
  } else {
    const triples = "asked" in before ? allTriples(text) : before;
    readBefore.set(text, triples);
    for (let at = 0; at < triples.length; at += 1) {
      const hash = triples[at] ?? 0;
      if ((((bits[(hash >>> 5) & 2047] ?? 0) >>> (hash & 31)) & 1) === 1 && known.has(hash)) found.add(hash);
    }
  }
  const shared = [...found].sort((a, b) => a - b);
  if (before === undefined) readBefore.set(text, { asked, shared });
  return shared;
}

function allTriples(text: Uint8Array): Uint32Array {
  // A word and its separator take at least two bytes.
  const triples = new Uint32Array((text.length >>> 1) + 1);
  let count = 0;
  readTriples(text, ALL, (hash) => {
    triples[count] = hash;
    count += 1;
  });
  return triples.slice(0, count);
}

const ONE = 0x9e3779b1;

/**
 * Visits each three adjacent words (ASCII letters, digits and `_`, in any case) whose hash has its bit set, with that hash
 * and their length.
 */
function readTriples(text: Uint8Array, bits: Int32Array, visit: (hash: number, letters: number) => void): void {
  let words = 0;
  let first = 0;
  let second = 0;
  let firstLength = 0;
  let secondLength = 0;
  const end = text.length;
  for (let at = 0; at < end; at += 1) {
    let code = WORD_CODES[text[at] ?? 0] ?? 0;
    if (code === 0) continue;
    const start = at;
    let hash = HASH_START;
    do {
      hash = Math.imul(hash ^ code, HASH_PRIME);
      at += 1;
      code = at < end ? (WORD_CODES[text[at] ?? 0] ?? 0) : 0;
    } while (code !== 0);
    const length = at - start;
    words += 1;
    if (words >= 3) {
      const mixed = Math.imul(Math.imul(first, ONE) ^ second, ONE) ^ hash;
      const triple = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) ^ (mixed >>> 13);
      if ((((bits[(triple >>> 5) & 2047] ?? 0) >>> (triple & 31)) & 1) === 1)
        visit(triple >>> 0, firstLength + secondLength + length);
    }
    first = second;
    firstLength = secondLength;
    second = hash;
    secondLength = length;
  }
}

/** The lower-case code of a word character, by byte; 0 for other bytes. */
const WORD_CODES = Uint8Array.from({ length: 256 }, (_, code) => {
  const char = String.fromCharCode(code);
  return code < 128 && /\w/.test(char) ? char.toLowerCase().charCodeAt(0) : 0;
});

function quotesIn(sections: readonly Section[]): readonly string[] {
  const quotes = new Set<string>();
  for (const { kind, text } of sections) {
    if (!QUOTED_KINDS.has(kind)) continue;
    for (const [, double, single, back] of text.matchAll(QUOTE)) {
      const quote = (double ?? single ?? back ?? "").trim();
      if (quote.includes(" ") || quote.length > QUOTE_WORD_MAX) quotes.add(quote);
    }
  }
  return [...quotes].slice(0, QUOTES_MAX);
}

function sharedQuotes(
  text: Uint8Array,
  quotes: readonly { readonly quote: string; readonly bytes: Uint8Array }[],
): readonly string[] {
  if (quotes.length === 0) return [];
  const all = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  return quotes.flatMap(({ quote, bytes }) => (all.includes(bytes) ? [quote] : []));
}
