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
const FOUND_FIRST = 1 << 12;

/**
 * `count` identifiers with a row each, since what is looked up together should lie together. The characters of one are the UTF-8 in
 * `chars` from CHARS to CHARS_END of its row, its terms those in `termsOf` from TERMS to TERMS_END.
 */
export type IdentifierTable = {
  count: number;
  /** The place of an identifier's row + 1, in the slot that the low bits of its hash name, or the next free one. */
  slots: Int32Array;
  rows: Int32Array;
  chars: Uint8Array;
  readonly termsOf: number[];
  readonly terms: Terms;
  /** The rows of the identifiers of the text that was counted last, in order of their first use. */
  found: Int32Array;
  /** How many texts were counted. */
  texts: number;
};

/** The columns of a row. TIMES is how often the text that was counted as number TEXT uses it. */
export const ROW = { hash: 0, chars: 1, charsEnd: 2, terms: 3, termsEnd: 4, text: 5, times: 6 } as const;
const ROW_WORDS = 8;

/** Columns by number of the term; hashes are signed. Terms with the same hash have the same `place`. */
type Terms = {
  readonly exact: number[];
  readonly stem: number[];
  readonly place: number[];
  readonly numbers: Map<string, number>;
  readonly places: Map<number, number>;
};

/** An empty table. */
export const identifierTable = (): IdentifierTable => ({
  count: 0,
  slots: new Int32Array(SLOTS_FIRST),
  rows: new Int32Array((SLOTS_FIRST / 2) * ROW_WORDS),
  chars: new Uint8Array(CHARS_FIRST),
  termsOf: [],
  terms: { exact: [], stem: [], place: [], numbers: new Map(), places: new Map() },
  found: new Int32Array(FOUND_FIRST),
  texts: 0,
});

/** Whether the table should be replaced. */
export const isFull = ({ count }: IdentifierTable): boolean => count >= IDENTIFIERS_MAX;

/** Counts the identifiers of a text. Returns how many there are in `found`. Adds those that the table lacks. */
export function countIdentifiers(table: IdentifierTable, text: string): number {
  if (hasOnlyAsciiWords(text)) return countAscii(table, utf8Of(text));
  table.texts += 1;
  let count = 0;
  for (const name of identifiersIn(text)) {
    const bytes = utf8Of(name);
    let hash = HASH_START;
    for (let at = 0; at < bytes.length; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), HASH_PRIME);
    count = use(table, rowOf(table, bytes, 0, bytes.length, hash), count);
  }
  return count;
}

/** The same for the UTF-8 of a text in which all words are ASCII (`hasOnlyAsciiWords`). */
export function countAscii(table: IdentifierTable, text: Buffer): number {
  table.texts += 1;
  let count = 0;
  // The rule of `identifiersIn` for such texts, without making a string of each identifier.
  for (let at = 0, end = text.length; at < end; at += 1) {
    let code = text[at] ?? 0;
    if (CLASS[code] !== BEGINS) continue;
    const start = at;
    let hash = HASH_START;
    do {
      hash = Math.imul(hash ^ code, HASH_PRIME);
      at += 1;
      code = at < end ? (text[at] ?? 0) : 0;
    } while (CLASS[code] !== 0);
    count = use(table, rowOf(table, text, start, at, hash), count);
  }
  return count;
}

const encoder = new TextEncoder();
let encoded = Buffer.allocUnsafe(CHARS_FIRST);

/** The UTF-8 of a text, until the next call. */
function utf8Of(text: string): Buffer {
  if (encoded.length < BYTES_PER_UNIT * text.length) encoded = Buffer.allocUnsafe(2 * BYTES_PER_UNIT * text.length);
  return encoded.subarray(0, encoder.encodeInto(text, encoded).written);
}

/** The most bytes that a UTF-16 unit becomes in UTF-8. */
const BYTES_PER_UNIT = 3;

/** Counts one use of an identifier; `count` are found so far. */
function use(table: IdentifierTable, row: number, count: number): number {
  const { rows, texts } = table;
  if (rows[row + ROW.text] === texts) {
    rows[row + ROW.times] = (rows[row + ROW.times] ?? 0) + 1;
    return count;
  }
  rows[row + ROW.text] = texts;
  rows[row + ROW.times] = 1;
  if (count === table.found.length) table.found = longer(table.found, 2 * count);
  table.found[count] = row;
  return count + 1;
}

/** The row of the identifier in `text` from `start` to `end`, whose bytes have this hash. */
function rowOf(table: IdentifierTable, text: Buffer, start: number, end: number, hash: number): number {
  const { slots, rows } = table;
  const last = slots.length - 1;
  for (let slot = spread(hash) & last; ; slot = (slot + 1) & last) {
    const row = (slots[slot] ?? 0) - 1;
    if (row < 0) return add(table, text, start, end, hash, slot);
    if (rows[row + ROW.hash] === hash && isAt(table, text, start, end, row)) return row;
  }
}

function isAt({ chars, rows }: IdentifierTable, text: Buffer, start: number, end: number, row: number): boolean {
  const first = rows[row + ROW.chars] ?? 0;
  if ((rows[row + ROW.charsEnd] ?? 0) - first !== end - start) return false;
  for (let at = start, char = first; at < end; at += 1, char += 1) if (text[at] !== chars[char]) return false;
  return true;
}

function add(table: IdentifierTable, text: Buffer, start: number, end: number, hash: number, slot: number): number {
  const row = table.count * ROW_WORDS;
  if (row === table.rows.length) table.rows = longer(table.rows, 2 * row);
  const { rows, termsOf, terms } = table;
  const first = row === 0 ? 0 : (rows[row - ROW_WORDS + ROW.charsEnd] ?? 0);
  const next = first + end - start;
  if (next > table.chars.length) table.chars = enlarged(table.chars, next);
  const { chars } = table;
  for (let at = start, char = first; at < end; at += 1, char += 1) chars[char] = text[at] ?? 0;
  rows[row + ROW.hash] = hash;
  rows[row + ROW.chars] = first;
  rows[row + ROW.charsEnd] = next;
  rows[row + ROW.terms] = termsOf.length;
  for (const term of expandIdentifier(text.toString("utf8", start, end))) termsOf.push(termNumber(terms, term));
  rows[row + ROW.termsEnd] = termsOf.length;
  table.slots[slot] = row + 1;
  table.count += 1;
  if (2 * table.count > table.slots.length) table.slots = rehashed(table, 2 * table.slots.length);
  return row;
}

/** A column of `size` numbers that begins with these. */
export function longer(column: Int32Array, size: number): Int32Array {
  const larger = new Int32Array(size);
  larger.set(column);
  return larger;
}

function termNumber({ exact, stem: stems, place, numbers, places }: Terms, term: string): number {
  const known = numbers.get(term);
  if (known !== undefined) return known;
  const number = exact.length;
  const hash = termHash(term);
  exact.push(hash | 0);
  stems.push(termHash(stem(term)) | 0);
  place.push(places.getOrInsert(hash, places.size));
  numbers.set(term, number);
  return number;
}

/** FNV's low bits alone are uneven. */
const spread = (hash: number): number => hash ^ (hash >>> 15);

function enlarged(chars: Uint8Array, count: number): Uint8Array {
  const larger = new Uint8Array(Math.max(2 * chars.length, count));
  larger.set(chars);
  return larger;
}

function rehashed({ rows, count }: IdentifierTable, size: number): Int32Array {
  const slots = new Int32Array(size);
  for (let row = 0; row < count * ROW_WORDS; row += ROW_WORDS) {
    let slot = spread(rows[row + ROW.hash] ?? 0) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = row + 1;
  }
  return slots;
}

/** The class of a byte: it can begin an identifier, or only go on (a digit), or is no part of one (0). */
const BEGINS = 2;
const GOES_ON = 1;
const CLASS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  return /[A-Za-z_$]/.test(char) ? BEGINS : /[0-9]/.test(char) ? GOES_ON : 0;
});
