/**
 * Takes the identifiers of texts apart once, because most repeat from file to file.
 *
 * All that is known of an identifier is one record of numbers, and records are neither objects nor strings: what costs time is memory that
 * no cache holds.
 */
import { longer } from "./columns.ts";
import { identifiersIn } from "./identifiers.ts";
import { BYTES_PER_UNIT, bytesHash, HASH_PRIME, HASH_START, hashTerms } from "./term-hashes.ts";

/**
 * A table with this many identifiers is emptied before the next file: each thread has one. A larger table finds more of them, but does not
 * fit into the processor's cache.
 */
const IDENTIFIERS_MAX = 16_000;
const SLOTS_FIRST = 1 << 15;
const WORDS_FIRST = 1 << 18;
const FOUND_FIRST = 1 << 12;
const BYTES_FIRST = 1 << 18;

/** `count` identifiers with a record each. A place is the first word of a record. */
export type IdentifierTable = {
  count: number;
  /** Two words: an identifier's hash and its place + 1, in the slot that the low bits of its hash name, or the next free one. */
  slots: Int32Array;
  /** The records, and the same as bytes. */
  words: Int32Array;
  bytes: Uint8Array;
  /** Where the next record begins. */
  end: number;
  /** The places of the identifiers of the text that was counted last, in order of their first use. */
  found: Int32Array;
  /** How many texts were counted. */
  texts: number;
};

/**
 * The words of a record. TIMES is how often the text that was counted as number TEXT uses the identifier; TERMS words follow the first
 * ones, the hash of each term and that of its stem; then the identifier's UTF-8, BYTES long and filled up to a whole word.
 */
export const RECORD = { text: 0, times: 1, terms: 2, bytes: 3 } as const;
export const RECORD_WORDS = 4;

/** An empty table. */
export function identifierTable(): IdentifierTable {
  const words = new Int32Array(WORDS_FIRST);
  return {
    count: 0,
    slots: new Int32Array(2 * SLOTS_FIRST),
    words,
    bytes: new Uint8Array(words.buffer),
    end: 0,
    found: new Int32Array(FOUND_FIRST),
    texts: 0,
  };
}

/** Empties a table that has too many identifiers. */
export function emptyIfFull(table: IdentifierTable): void {
  if (table.count < IDENTIFIERS_MAX) return;
  table.slots.fill(0);
  table.count = 0;
  table.end = 0;
}

/** Counts the identifiers of a text, or of its UTF-8. Returns how many there are in `found`. Adds those that the table lacks. */
export function countIdentifiers(table: IdentifierTable, text: string | Buffer): number {
  const end = typeof text === "string" ? write(text, "text") : text.length;
  const bytes = typeof text === "string" ? rooms.text : text;
  table.texts += 1;
  let count = 0;
  // The rule of `identifiersIn`, without making a string of each identifier.
  for (let at = 0; at < end; at += 1) {
    let code = bytes[at] ?? 0;
    if (CLASS[code] !== BEGINS && CLASS[code] !== OTHER) continue;
    const start = at;
    let hash = HASH_START;
    while ((CLASS[code] ?? 0) >= GOES_ON) {
      hash = Math.imul(hash ^ code, HASH_PRIME);
      at += 1;
      code = at < end ? (bytes[at] ?? 0) : 0;
    }
    if (CLASS[code] !== OTHER) {
      count = use(table, placeOf(table, bytes, start, at, hash), count);
      continue;
    }
    // A word with other characters, or signs beyond ASCII.
    while (at < end && CLASS[bytes[at] ?? 0] !== NONE) at += 1;
    for (const name of identifiersIn(bytes.toString("utf8", start, at))) count = countOther(table, name, count);
  }
  return count;
}

function countOther(table: IdentifierTable, name: string, count: number): number {
  const end = write(name, "name");
  const bytes = rooms.name;
  return use(table, placeOf(table, bytes, 0, end, bytesHash(bytes, end)), count);
}

const encoder = new TextEncoder();
const rooms = { text: Buffer.allocUnsafe(BYTES_FIRST), name: Buffer.allocUnsafe(1 << 10) };

/** Below this length, a loop takes less time than the call. */
const ENCODED_MIN = 64;
const LAST_ASCII = 0x7f;

/** Writes the UTF-8 of a text to a room, from its first byte, and returns how many bytes these are. */
function write(text: string, room: keyof typeof rooms): number {
  if (rooms[room].length < BYTES_PER_UNIT * text.length)
    rooms[room] = Buffer.allocUnsafe(2 * BYTES_PER_UNIT * text.length);
  const bytes = rooms[room];
  for (let at = 0; text.length < ENCODED_MIN; at += 1) {
    if (at === text.length) return at;
    const unit = text.charCodeAt(at);
    if (unit > LAST_ASCII) break;
    bytes[at] = unit;
  }
  return encoder.encodeInto(text, bytes).written;
}

/** Counts one use of an identifier; `count` are found so far. */
function use(table: IdentifierTable, place: number, count: number): number {
  const { words, texts } = table;
  if (words[place + RECORD.text] === texts) {
    words[place + RECORD.times] = (words[place + RECORD.times] ?? 0) + 1;
    return count;
  }
  words[place + RECORD.text] = texts;
  words[place + RECORD.times] = 1;
  if (count === table.found.length) table.found = longer(table.found, 2 * count);
  table.found[count] = place;
  return count + 1;
}

function placeOf(table: IdentifierTable, text: Buffer, start: number, end: number, fnv: number): number {
  const { slots } = table;
  const hash = spread(fnv);
  const last = slots.length - 1;
  for (let slot = (2 * hash) & last; ; slot = (slot + 2) & last) {
    const place = (slots[slot + 1] ?? 0) - 1;
    if (place < 0) return add(table, text, start, end, hash, slot);
    if (slots[slot] === hash && isAt(table, text, start, end, place)) return place;
  }
}

function isAt({ words, bytes }: IdentifierTable, text: Buffer, start: number, end: number, place: number): boolean {
  if (words[place + RECORD.bytes] !== end - start) return false;
  const first = 4 * (place + RECORD_WORDS + (words[place + RECORD.terms] ?? 0));
  for (let at = start, own = first; at < end; at += 1, own += 1) if (text[at] !== bytes[own]) return false;
  return true;
}

/** The terms of the identifier that is added. */
const terms: number[] = [];

function add(table: IdentifierTable, text: Buffer, start: number, end: number, hash: number, slot: number): number {
  terms.length = 0;
  hashTerms(text, start, end, terms);
  const place = table.end;
  const name = place + RECORD_WORDS + terms.length;
  table.end = name + ((end - start + 3) >>> 2);
  if (table.end > table.words.length) {
    table.words = longer(table.words, Math.max(2 * table.words.length, table.end));
    table.bytes = new Uint8Array(table.words.buffer);
  }
  const { words, bytes } = table;
  words[place + RECORD.text] = 0;
  words[place + RECORD.terms] = terms.length;
  words[place + RECORD.bytes] = end - start;
  for (let at = 0; at < terms.length; at += 1) words[place + RECORD_WORDS + at] = terms[at] ?? 0;
  for (let at = start, own = 4 * name; at < end; at += 1, own += 1) bytes[own] = text[at] ?? 0;
  table.slots[slot] = hash;
  table.slots[slot + 1] = place + 1;
  table.count += 1;
  if (4 * table.count > table.slots.length) table.slots = rehashed(table.slots);
  return place;
}

/** FNV's low bits alone are uneven. */
const spread = (fnv: number): number => fnv ^ (fnv >>> 15);

/** In twice the room. */
function rehashed(slots: Int32Array): Int32Array {
  const larger = new Int32Array(2 * slots.length);
  const last = larger.length - 1;
  for (let at = 0; at < slots.length; at += 2) {
    if (slots[at + 1] === 0) continue;
    const hash = slots[at] ?? 0;
    let slot = (2 * hash) & last;
    while (larger[slot + 1] !== 0) slot = (slot + 2) & last;
    larger[slot] = hash;
    larger[slot + 1] = slots[at + 1] ?? 0;
  }
  return larger;
}

/** The class of a byte: it is part of no identifier, perhaps of one beyond ASCII, only goes on with one (a digit), or can begin one. */
const NONE = 0;
const OTHER = 1;
const GOES_ON = 2;
const BEGINS = 3;
const CLASS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  return byte > 127 ? OTHER : /[A-Za-z_$]/.test(char) ? BEGINS : /[0-9]/.test(char) ? GOES_ON : NONE;
});
