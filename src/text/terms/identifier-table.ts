/**
 * Numbers the identifiers of texts and splits each into terms once, because most identifiers repeat from file to file.
 *
 * Everything is in columns of numbers: objects and strings for a hundred thousand identifiers cost more than reading the texts.
 */
import { enlarged, longer } from "./columns.ts";
import { identifiersIn } from "./identifiers.ts";
import { BYTES_PER_UNIT, HASH_PRIME, HASH_START, numberTerms, type TermNumbers, termNumbers } from "./term-numbers.ts";

/** A table with this many identifiers should be replaced by an empty one, between two files: each thread has one. */
const IDENTIFIERS_MAX = 80_000;
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
  readonly terms: TermNumbers;
  /** The rows of the identifiers of the text that was counted last, in order of their first use. */
  found: Int32Array;
  /** How many texts were counted. */
  texts: number;
};

/** The columns of a row. TIMES is how often the text that was counted as number TEXT uses it. */
export const ROW = { hash: 0, chars: 1, charsEnd: 2, terms: 3, termsEnd: 4, text: 5, times: 6 } as const;
const ROW_WORDS = 8;

/** An empty table. */
export const identifierTable = (): IdentifierTable => ({
  count: 0,
  slots: new Int32Array(SLOTS_FIRST),
  rows: new Int32Array((SLOTS_FIRST / 2) * ROW_WORDS),
  chars: new Uint8Array(CHARS_FIRST),
  termsOf: [],
  terms: termNumbers(),
  found: new Int32Array(FOUND_FIRST),
  texts: 0,
});

/** Whether the table should be replaced. */
export const isFull = ({ count }: IdentifierTable): boolean => count >= IDENTIFIERS_MAX;

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
      count = use(table, rowOf(table, bytes, start, at, hash), count);
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
  let hash = HASH_START;
  for (let at = 0; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), HASH_PRIME);
  return use(table, rowOf(table, bytes, 0, end, hash), count);
}

const encoder = new TextEncoder();
const rooms = { text: Buffer.allocUnsafe(CHARS_FIRST), name: Buffer.allocUnsafe(1 << 10) };

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
  numberTerms(terms, text, start, end, termsOf);
  rows[row + ROW.termsEnd] = termsOf.length;
  table.slots[slot] = row + 1;
  table.count += 1;
  if (2 * table.count > table.slots.length) table.slots = rehashed(table, 2 * table.slots.length);
  return row;
}

/** FNV's low bits alone are uneven. */
const spread = (hash: number): number => hash ^ (hash >>> 15);

function rehashed({ rows, count }: IdentifierTable, size: number): Int32Array {
  const slots = new Int32Array(size);
  for (let row = 0; row < count * ROW_WORDS; row += ROW_WORDS) {
    let slot = spread(rows[row + ROW.hash] ?? 0) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = row + 1;
  }
  return slots;
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
