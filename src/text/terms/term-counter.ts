/**
 * Counts the terms of one file by segment: its distinct terms, and a posting for each place.
 *
 * The terms of an identifier are cached from file to file, because most identifiers repeat.
 */
import { expandIdentifier, identifiersIn } from "./identifiers.ts";
import { stem } from "./stem.ts";

/** The low bits of a posting hold its capped count; the field is above them. */
export const COUNT_BITS = 12;
export const COUNT_MAX = (1 << COUNT_BITS) - 1;

/** A hash of a term, 32 bits unsigned: FNV-1a over its characters, then MurmurHash3's final mix. */
export function termHash(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The term index of a hash in the file being counted; `file` tells whether it was found in that file. */
type Place = { file: number; term: number };
type Term = { readonly exact: number; readonly stem: number; readonly place: Place };
/** `times`: how often the identifier occurs in the text of this `call`. */
type Identifier = { readonly terms: readonly Term[]; call: number; times: number };

/** Identifiers whose terms are cached. */
const KNOWN_MAX = 100_000;
const identifiers = new Map<string, Identifier>();
const places = new Map<number, Place>();
let files = 0;
let calls = 0;

function identifierNamed(name: string): Identifier {
  const known = identifiers.get(name);
  if (known !== undefined) return known;
  const terms = expandIdentifier(name).map((term) => {
    const exact = termHash(term);
    const place = places.get(exact) ?? { file: 0, term: 0 };
    places.set(exact, place);
    return { exact, stem: termHash(stem(term)), place };
  });
  const identifier = { terms, call: 0, times: 0 };
  // A copy, because a substring keeps the whole text in memory.
  identifiers.set(Buffer.from(name).toString(), identifier);
  return identifier;
}

export type TermCounter = ReturnType<typeof termCounter>;

/** Collects the distinct terms of a file and its postings. Only one may be in use at a time. */
export function termCounter() {
  const exact: number[] = [];
  const stems: number[] = [];
  const postingTerm: number[] = [];
  const posting: number[] = [];
  const counts: number[] = [];
  // Never within a file, or its terms would count as new.
  if (identifiers.size >= KNOWN_MAX) {
    identifiers.clear();
    places.clear();
  }
  files += 1;
  const file = files;

  function count(text: string, segment: number, field: number): number {
    calls += 1;
    const met: Identifier[] = [];
    for (const name of identifiersIn(text)) {
      const identifier = identifierNamed(name);
      if (identifier.call !== calls) {
        identifier.call = calls;
        identifier.times = 0;
        met.push(identifier);
      }
      identifier.times += 1;
    }
    const touched: number[] = [];
    let total = 0;
    for (const { terms, times } of met) {
      for (const { exact: hash, stem: stemHash, place } of terms) {
        total += times;
        if (place.file !== file) {
          place.file = file;
          place.term = exact.length;
          exact.push(hash);
          stems.push(stemHash);
          counts.push(0);
        }
        const before = counts[place.term] ?? 0;
        if (before === 0) touched.push(place.term);
        counts[place.term] = before + times;
      }
    }
    for (const term of touched) {
      postingTerm.push(term);
      posting.push(
        ((segment << (COUNT_BITS + 2)) | (field << COUNT_BITS) | Math.min(counts[term] ?? 0, COUNT_MAX)) >>> 0,
      );
      counts[term] = 0;
    }
    return total;
  }

  return { exact, stems, postingTerm, posting, count };
}
