/**
 * Numbers the terms of identifiers, each with its hash and that of its stem.
 *
 * Terms are bytes in columns: a string and an entry of a map for each take several times the time and the memory. Nearly all identifiers
 * are ASCII, and are taken apart as bytes too.
 */
import { enlarged, longer } from "./columns.ts";
import { expandIdentifier } from "./identifiers.ts";
import { stem } from "./stem.ts";

/** A hash of a term, 32 bits unsigned: FNV-1a over its characters, then MurmurHash3's final mix. */
export function termHash(term: string): number {
  let hash = HASH_START;
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), HASH_PRIME);
  return mixed(hash);
}

/** Signed, as the results of `Math.imul` are: another kind of number would make every hash slow. */
export const HASH_START = 0x811c9dc5 | 0;
export const HASH_PRIME = 0x01000193;

function mixed(fnv: number): number {
  let hash = Math.imul(fnv ^ (fnv >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** `count` terms with a row each. The UTF-8 of a term in `chars` ends at CHARS_END of its row, where that of the next begins. */
export type TermNumbers = {
  count: number;
  /** The number of a term + 1, in the slot that the low bits of its hash name, or the next free one. */
  slots: Int32Array;
  rows: Int32Array;
  chars: Uint8Array;
};

/** The columns of a row. Hashes are signed. Terms with the same hash have the same `place`. */
export const TERM = { exact: 0, stem: 1, place: 2, charsEnd: 3 } as const;
export const TERM_WORDS = 4;

const SLOTS_FIRST = 1 << 16;
const CHARS_FIRST = 1 << 18;

export const termNumbers = (): TermNumbers => ({
  count: 0,
  slots: new Int32Array(SLOTS_FIRST),
  rows: new Int32Array((SLOTS_FIRST / 2) * TERM_WORDS),
  chars: new Uint8Array(CHARS_FIRST),
});

const encoder = new TextEncoder();
/** The bytes of one identifier or term. */
let room = Buffer.allocUnsafe(1 << 10);

function makeRoom(bytes: number): void {
  if (room.length < bytes) room = Buffer.allocUnsafe(2 * bytes);
}

/** The most bytes that a UTF-16 unit becomes in UTF-8. */
export const BYTES_PER_UNIT = 3;

/** Adds to `found` the numbers of the terms (`expandIdentifier`) of the identifier in `text` from `start` to `end`. */
export function numberTerms(terms: TermNumbers, text: Buffer, start: number, end: number, found: number[]): void {
  for (let at = start; at < end; at += 1) {
    if ((text[at] ?? 0) <= LAST_ASCII) continue;
    numberOther(terms, text.toString("utf8", start, end), found);
    return;
  }
  let [from, to] = [start, end];
  while (from < to && KIND[text[from] ?? 0] === SIGN) from += 1;
  while (to > from && KIND[text[to - 1] ?? 0] === SIGN) to -= 1;
  const length = to - from;
  makeRoom(length);
  for (let at = 0; at < length; at += 1) {
    const code = text[from + at] ?? 0;
    room[at] = KIND[code] === UPPER ? code | LOWER_BIT : code;
  }
  if (length > 1) found.push(numberOf(terms, 0, length, asciiHash(0, length)));
  for (let at = 0; at < length; ) {
    if (KIND[text[from + at] ?? 0] === SIGN) {
      at += 1;
      continue;
    }
    const next = partEnd(text, from + at, to) - from;
    const size = next - at;
    // A part that is the whole is no other term.
    if (size > 1 && size < length) found.push(numberOf(terms, at, next, asciiHash(at, next)));
    at = next;
  }
}

function numberOther(terms: TermNumbers, identifier: string, found: number[]): void {
  for (const term of expandIdentifier(identifier)) {
    makeRoom(BYTES_PER_UNIT * term.length);
    found.push(numberOf(terms, 0, encoder.encodeInto(term, room).written, termHash(term) | 0));
  }
}

/** Where the part ends that begins at a letter or digit: `HTTPServer2` has `HTTP`, `Server` and `2`. */
function partEnd(text: Buffer, start: number, end: number): number {
  let kind = KIND[text[start] ?? 0];
  let at = start + 1;
  if (kind === UPPER) {
    while (at < end && KIND[text[at] ?? 0] === UPPER) at += 1;
    if (at === end || KIND[text[at] ?? 0] !== LOWER) return at;
    // The last capital begins the next part.
    if (at - start > 1) return at - 1;
    kind = LOWER;
  }
  while (at < end && KIND[text[at] ?? 0] === kind) at += 1;
  return at;
}

function asciiHash(from: number, to: number): number {
  let hash = HASH_START;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (room[at] ?? 0), HASH_PRIME);
  return mixed(hash) | 0;
}

/** The number of the term in `room` from `from` to `to`, which has this hash. */
function numberOf(terms: TermNumbers, from: number, to: number, exact: number): number {
  const { slots, rows, chars } = terms;
  const last = slots.length - 1;
  let place = -1;
  for (let slot = exact & last; ; slot = (slot + 1) & last) {
    const number = (slots[slot] ?? 0) - 1;
    if (number < 0) return add(terms, from, to, exact, place, slot);
    const row = TERM_WORDS * number;
    if (rows[row + TERM.exact] !== exact) continue;
    const first = charsOf(rows, number);
    if ((rows[row + TERM.charsEnd] ?? 0) - first === to - from) {
      let at = from;
      while (at < to && room[at] === chars[first + at - from]) at += 1;
      if (at === to) return number;
    }
    place = rows[row + TERM.place] ?? 0;
  }
}

const charsOf = (rows: Int32Array, number: number): number =>
  number === 0 ? 0 : (rows[TERM_WORDS * (number - 1) + TERM.charsEnd] ?? 0);

function add(terms: TermNumbers, from: number, to: number, exact: number, place: number, slot: number): number {
  const number = terms.count;
  const row = TERM_WORDS * number;
  if (row === terms.rows.length) terms.rows = longer(terms.rows, 2 * row);
  const { rows } = terms;
  const first = charsOf(rows, number);
  const next = first + to - from;
  if (next > terms.chars.length) terms.chars = enlarged(terms.chars, next);
  const { chars } = terms;
  for (let at = from; at < to; at += 1) chars[first + at - from] = room[at] ?? 0;
  rows[row + TERM.exact] = exact;
  rows[row + TERM.stem] = stemHash(from, to, exact);
  rows[row + TERM.place] = place < 0 ? number : place;
  rows[row + TERM.charsEnd] = next;
  terms.slots[slot] = number + 1;
  terms.count += 1;
  if (2 * terms.count > terms.slots.length) terms.slots = rehashed(terms, 2 * terms.slots.length);
  return number;
}

/** The hash of the stem of a term in `room`. What `stem` does not cut has that of the term. */
function stemHash(from: number, to: number, exact: number): number {
  if (to - from < CUT_MIN) return exact;
  for (let at = from; at < to; at += 1) if (KIND[room[at] ?? 0] !== LOWER) return exact;
  return termHash(stem(room.toString("latin1", from, to))) | 0;
}

function rehashed({ rows, count }: TermNumbers, size: number): Int32Array {
  const slots = new Int32Array(size);
  for (let number = 0; number < count; number += 1) {
    let slot = (rows[TERM_WORDS * number + TERM.exact] ?? 0) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = number + 1;
  }
  return slots;
}

/** Shorter words are their own stems. */
const CUT_MIN = 4;
const LAST_ASCII = 127;
const LOWER_BIT = 0x20;

/** The kind of a character of an ASCII identifier. */
const SIGN = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const KIND = Uint8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  return /[a-z]/.test(char) ? LOWER : /[A-Z]/.test(char) ? UPPER : /[0-9]/.test(char) ? DIGIT : SIGN;
});
