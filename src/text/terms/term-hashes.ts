/**
 * Hashes the terms of identifiers, each with its stem.
 *
 * Nearly all identifiers are ASCII, and are taken apart as bytes: a string for each term costs several times the time.
 */
import { expandIdentifier } from "./identifiers.ts";
import { SPLIT, splitAscii } from "./split-ascii.ts";
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

/** A term while it is cut to its stem. */
let cutRoom = new Uint8Array(1 << 10);

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
  const count = splitAscii(text, start, end);
  const { lower, spans } = SPLIT;
  for (let at = 0; at < 2 * count; at += 2) addTerm(lower, spans[at] ?? 0, spans[at + 1] ?? 0, found);
}

/** Adds the term in lower case from `from` to `to`. What `stem` does not cut is its own stem. */
function addTerm(lower: Uint8Array, from: number, to: number, found: number[]): void {
  const length = to - from;
  if (cutRoom.length < length) cutRoom = new Uint8Array(2 * length);
  let isWord = length >= CUT_MIN;
  let hash = HASH_START;
  for (let at = 0; at < length; at += 1) {
    const code = lower[from + at] ?? 0;
    hash = Math.imul(hash ^ code, HASH_PRIME);
    isWord &&= code >= FIRST_LETTER && code <= LAST_LETTER;
    cutRoom[at] = code;
  }
  const exact = mixed(hash) | 0;
  found.push(exact, isWord ? mixed(bytesHash(cutRoom, cutToStem(cutRoom, length))) | 0 : exact);
}

/** FNV-1a over the bytes up to `end`, signed. */
export function bytesHash(bytes: Uint8Array, end: number): number {
  let hash = HASH_START;
  for (let at = 0; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), HASH_PRIME);
  return hash;
}

const LAST_ASCII = 127;
const [FIRST_LETTER, LAST_LETTER] = [0x61, 0x7a];
