/**
 * Hashes the terms of identifiers, each with its stem.
 *
 * Nearly all identifiers are ASCII, and are taken apart as bytes: a string for each term costs several times the time.
 */
import { expandIdentifier } from "./identifiers.ts";
import { CUT_MIN, cutToStem, stem } from "./stem.ts";

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

/** The most bytes that a UTF-16 unit becomes in UTF-8. */
export const BYTES_PER_UNIT = 3;

/** One identifier in lower case, and a term while it is cut to its stem. */
const rooms = { lower: new Uint8Array(1 << 10), cut: new Uint8Array(1 << 10) };

/**
 * Adds to `found` the signed hash of each term (`expandIdentifier`) of the identifier in `text` from `start` to `end`, each followed by the
 * hash of its stem.
 */
export function hashTerms(text: Buffer, start: number, end: number, found: number[]): void {
  for (let at = start; at < end; at += 1) {
    if ((text[at] ?? 0) <= LAST_ASCII) continue;
    for (const term of expandIdentifier(text.toString("utf8", start, end)))
      found.push(termHash(term) | 0, termHash(stem(term)) | 0);
    return;
  }
  let [from, to] = [start, end];
  while (from < to && KIND[text[from] ?? 0] === SIGN) from += 1;
  while (to > from && KIND[text[to - 1] ?? 0] === SIGN) to -= 1;
  const length = to - from;
  if (rooms.lower.length < length) {
    rooms.lower = new Uint8Array(2 * length);
    rooms.cut = new Uint8Array(2 * length);
  }
  const { lower } = rooms;
  for (let at = 0; at < length; at += 1) {
    const code = text[from + at] ?? 0;
    lower[at] = KIND[code] === UPPER ? code | LOWER_BIT : code;
  }
  if (length > 1) addTerm(0, length, found);
  for (let at = 0; at < length; ) {
    if (KIND[text[from + at] ?? 0] === SIGN) {
      at += 1;
      continue;
    }
    const next = partEnd(text, from + at, to) - from;
    const size = next - at;
    // A part that is the whole is no other term.
    if (size > 1 && size < length) addTerm(at, next, found);
    at = next;
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

/** Adds the term in lower case from `from` to `to`. What `stem` does not cut is its own stem. */
function addTerm(from: number, to: number, found: number[]): void {
  const { lower, cut } = rooms;
  let isWord = to - from >= CUT_MIN;
  let hash = HASH_START;
  for (let at = from; at < to; at += 1) {
    const code = lower[at] ?? 0;
    hash = Math.imul(hash ^ code, HASH_PRIME);
    isWord &&= KIND[code] === LOWER;
    cut[at - from] = code;
  }
  const exact = mixed(hash) | 0;
  found.push(exact, isWord ? bytesHash(cut, cutToStem(cut, to - from)) : exact);
}

/** `termHash` of the ASCII text up to `end`, signed. */
function bytesHash(bytes: Uint8Array, end: number): number {
  let hash = HASH_START;
  for (let at = 0; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), HASH_PRIME);
  return mixed(hash) | 0;
}

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
