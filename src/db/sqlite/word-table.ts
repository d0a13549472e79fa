/**
 * Numbers the words of texts, as bytes in columns: most words repeat from file to file, and a string for each use takes longer than reading
 * the text.
 */
import { enlarged, longer } from "../../text/terms/columns.ts";

/** `count` words. The UTF-8 of each is in `chars`, up to its number in `ends`, where that of the next begins. */
export type WordTable = {
  count: number;
  /** The number of a word + 1, in the slot that its hash names, or the next free one. */
  slots: Int32Array;
  hashes: Int32Array;
  ends: Int32Array;
  chars: Uint8Array;
};

const WORDS_FIRST = 1 << 8;

/** An empty table. */
export const wordTable = (): WordTable => ({
  count: 0,
  slots: new Int32Array(2 * WORDS_FIRST),
  hashes: new Int32Array(WORDS_FIRST),
  ends: new Int32Array(WORDS_FIRST),
  chars: new Uint8Array(16 * WORDS_FIRST),
});

/** FNV's low bits alone are uneven. */
const spread = (hash: number): number => hash ^ (hash >>> 15);

/** The number of the word in `bytes` from `start` to `end`, which have this hash. A new word gets the next number. */
export function numberOf(table: WordTable, bytes: Uint8Array, start: number, end: number, hash: number): number {
  const { slots, hashes } = table;
  const last = slots.length - 1;
  for (let slot = spread(hash) & last; ; slot = (slot + 1) & last) {
    const number = (slots[slot] ?? 0) - 1;
    if (number < 0) return add(table, bytes, start, end, hash, slot);
    if (hashes[number] === hash && isAt(table, bytes, start, end, number)) return number;
  }
}

const startOf = ({ ends }: WordTable, number: number): number => (number === 0 ? 0 : (ends[number - 1] ?? 0));

function isAt(table: WordTable, bytes: Uint8Array, start: number, end: number, number: number): boolean {
  const { ends, chars } = table;
  const first = startOf(table, number);
  if ((ends[number] ?? 0) - first !== end - start) return false;
  for (let at = start, char = first; at < end; at += 1, char += 1) if (bytes[at] !== chars[char]) return false;
  return true;
}

function add(table: WordTable, bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
  const number = table.count;
  if (number === table.ends.length) {
    table.hashes = longer(table.hashes, 2 * number);
    table.ends = longer(table.ends, 2 * number);
  }
  const first = startOf(table, number);
  const next = first + end - start;
  if (next > table.chars.length) table.chars = enlarged(table.chars, next);
  const { chars } = table;
  for (let at = start, char = first; at < end; at += 1, char += 1) chars[char] = bytes[at] ?? 0;
  table.hashes[number] = hash;
  table.ends[number] = next;
  table.slots[slot] = number + 1;
  table.count += 1;
  if (2 * table.count > table.slots.length) table.slots = rehashed(table, 2 * table.slots.length);
  return number;
}

function rehashed({ hashes, count }: WordTable, size: number): Int32Array {
  const slots = new Int32Array(size);
  for (let number = 0; number < count; number += 1) {
    let slot = spread(hashes[number] ?? 0) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = number + 1;
  }
  return slots;
}
