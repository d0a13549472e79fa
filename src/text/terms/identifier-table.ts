/**
 * Numbers the identifiers of texts and splits each into terms once, because most identifiers repeat from file to file.
 *
 * Everything is in columns of numbers: objects and strings for a hundred thousand identifiers cost more than reading the texts.
 */
import { expandIdentifier, hasOnlyAsciiWords, identifiersIn } from "./identifiers.ts";
import { stem } from "./stem.ts";

/** A hash of a term, 32 bits unsigned: FNV-1a over its characters, then MurmurHash3's final mix. */
export function termHash(term: string): number {
  let hash = HASH_START;
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), HASH_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/** A table with this many identifiers should be replaced by an empty one, between two files. */
const IDENTIFIERS_MAX = 200_000;
const SLOTS_FIRST = 1 << 16;
const CHARS_FIRST = 1 << 18;

/** The terms of identifier n are those in `termsOf` from `firstTerm[n]` to `firstTerm[n + 1]`. */
export type IdentifierTable = {
  /** The number of an identifier + 1, in the slot that the low bits of its hash name, or the next free one. */
  slots: Int32Array;
  /** The characters of all identifiers; those of identifier n are from `firstChar[n]` to `firstChar[n + 1]`. */
  chars: Uint16Array;
  readonly firstChar: number[];
  readonly hashes: number[];
  readonly firstTerm: number[];
  readonly termsOf: number[];
  readonly terms: Terms;
};

/** Columns by number of the term. Terms with the same hash have the same `place`. */
type Terms = {
  readonly exact: number[];
  readonly stem: number[];
  readonly place: number[];
  readonly numbers: Map<string, number>;
  readonly places: Map<number, number>;
};

/** An empty table. */
export const identifierTable = (): IdentifierTable => ({
  slots: new Int32Array(SLOTS_FIRST),
  chars: new Uint16Array(CHARS_FIRST),
  firstChar: [0],
  hashes: [],
  firstTerm: [0],
  termsOf: [],
  terms: { exact: [], stem: [], place: [], numbers: new Map(), places: new Map() },
});

/** Whether the table should be replaced. */
export const isFull = ({ hashes }: IdentifierTable): boolean => hashes.length >= IDENTIFIERS_MAX;

/** Calls `visit` with the number of each identifier of a text, in order. Adds those that the table lacks. */
export function visitIdentifiers(table: IdentifierTable, text: string, visit: (identifier: number) => void): void {
  if (!hasOnlyAsciiWords(text)) {
    for (const name of identifiersIn(text)) {
      let hash = HASH_START;
      for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), HASH_PRIME);
      visit(numberOf(table, name, 0, name.length, hash));
    }
    return;
  }
  // The rule of `identifiersIn` for such texts, without making a string of each identifier.
  for (let at = 0, end = text.length; at < end; at += 1) {
    let code = text.charCodeAt(at);
    if (classOf(code) !== BEGINS) continue;
    const start = at;
    let hash = HASH_START;
    do {
      hash = Math.imul(hash ^ code, HASH_PRIME);
      at += 1;
      code = at < end ? text.charCodeAt(at) : 0;
    } while (classOf(code) !== 0);
    visit(numberOf(table, text, start, at, hash));
  }
}

/** The number of the identifier in `text` from `start` to `end`, whose characters have this hash. */
function numberOf(table: IdentifierTable, text: string, start: number, end: number, hash: number): number {
  const { slots, hashes } = table;
  const last = slots.length - 1;
  for (let slot = spread(hash) & last; ; slot = (slot + 1) & last) {
    const number = (slots[slot] ?? 0) - 1;
    if (number < 0) return add(table, text, start, end, hash, slot);
    if (hashes[number] === hash && isAt(table, text, start, end, number)) return number;
  }
}

function isAt({ chars, firstChar }: IdentifierTable, text: string, start: number, end: number, number: number) {
  const first = firstChar[number] ?? 0;
  if ((firstChar[number + 1] ?? 0) - first !== end - start) return false;
  for (let at = start, char = first; at < end; at += 1, char += 1)
    if (text.charCodeAt(at) !== chars[char]) return false;
  return true;
}

function add(table: IdentifierTable, text: string, start: number, end: number, hash: number, slot: number): number {
  const { hashes, firstChar, firstTerm, termsOf, terms } = table;
  const number = hashes.length;
  const first = firstChar[number] ?? 0;
  const next = first + end - start;
  if (next > table.chars.length) table.chars = enlarged(table.chars, next);
  const { chars } = table;
  for (let at = start, char = first; at < end; at += 1, char += 1) chars[char] = text.charCodeAt(at);
  firstChar.push(next);
  hashes.push(hash);
  for (const term of expandIdentifier(text.slice(start, end))) termsOf.push(termNumber(terms, term));
  firstTerm.push(termsOf.length);
  table.slots[slot] = number + 1;
  if (2 * hashes.length > table.slots.length) table.slots = rehashed(hashes, 2 * table.slots.length);
  return number;
}

function termNumber({ exact, stem: stems, place, numbers, places }: Terms, term: string): number {
  const known = numbers.get(term);
  if (known !== undefined) return known;
  const number = exact.length;
  const hash = termHash(term);
  exact.push(hash);
  stems.push(termHash(stem(term)));
  place.push(places.getOrInsert(hash, places.size));
  // A copy, because a substring keeps the whole text in memory.
  numbers.set(Buffer.from(term).toString(), number);
  return number;
}

/** FNV's low bits alone are uneven. */
const spread = (hash: number): number => hash ^ (hash >>> 15);

function enlarged(chars: Uint16Array, count: number): Uint16Array {
  const larger = new Uint16Array(Math.max(2 * chars.length, count));
  larger.set(chars);
  return larger;
}

function rehashed(hashes: readonly number[], size: number): Int32Array {
  const slots = new Int32Array(size);
  for (let number = 0; number < hashes.length; number += 1) {
    let slot = spread(hashes[number] ?? 0) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = number + 1;
  }
  return slots;
}

/** The class of an ASCII character: it can begin an identifier, or only go on (a digit), or is no part of one (0). */
const BEGINS = 2;
const GOES_ON = 1;
const ASCII_CLASS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return /[A-Za-z_$]/.test(char) ? BEGINS : /[0-9]/.test(char) ? GOES_ON : 0;
});
const classOf = (code: number): number => (code < 128 ? (ASCII_CLASS[code] ?? 0) : 0);
