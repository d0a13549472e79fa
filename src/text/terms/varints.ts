/**
 * Whole numbers in as few bytes as they need: seven bits a byte, lowest first, and a high bit where more follow.
 *
 * Reading past the end gives 0, and a number has at most five bytes, so damaged bytes end every loop.
 */
import { enlarged } from "./columns.ts";

/** Collects numbers from 0 to 2^32 - 1. */
export function varintWriter() {
  let bytes = new Uint8Array(1 << 10);
  let length = 0;
  const makeRoom = (count: number): void => {
    if (length + count > bytes.length) bytes = enlarged(bytes, length + count);
  };
  return {
    length: (): number => length,
    add(number: number): void {
      makeRoom(BYTES_MAX);
      let rest = number >>> 0;
      for (; rest > 0x7f; rest >>>= 7) bytes[length++] = rest | 0x80;
      bytes[length++] = rest;
    },
    /** Four bytes, lowest first. */
    addWord(word: number): void {
      makeRoom(4);
      for (let shift = 0; shift < 32; shift += 8) bytes[length++] = word >>> shift;
    },
    /** Those of an array from `from` to `to`. */
    addBytes(from: Uint8Array, start: number, end: number): void {
      makeRoom(end - start);
      // A call for few bytes takes longer than copying them.
      if (end - start > 16) bytes.set(from.subarray(start, end), length);
      else for (let at = start; at < end; at += 1) bytes[length + at - start] = from[at] ?? 0;
      length += end - start;
    },
    written: (): Uint8Array => bytes.subarray(0, length),
    clear(): void {
      length = 0;
    },
  };
}

const BYTES_MAX = 5;

/** Reads numbers one after another; `at` is the next byte. */
export type VarintReader = { bytes: Uint8Array; at: number };

/** The next number, as a signed word. */
export function nextVarint(reader: VarintReader): number {
  const { bytes } = reader;
  let at = reader.at;
  let byte = bytes[at++] ?? 0;
  let number = byte & 0x7f;
  for (let shift = 7; byte > 0x7f && shift < 7 * BYTES_MAX; shift += 7) {
    byte = bytes[at++] ?? 0;
    number |= (byte & 0x7f) << shift;
  }
  reader.at = at;
  return number;
}
