/** Tells which hashes were never added, by one bit for each: a set of a million numbers takes twenty times the room. */

/** 2 MiB. With 600,000 hashes one in thirty others seems to be among them. */
const BITS = 24;
const LAST = 2 ** BITS - 1;

type HashFilter = {
  add(hash: number): void;
  /** False if the hash was not added; may be true wrongly. */
  mayHave(hash: number): boolean;
};

/** An empty filter. */
export function hashFilter(): HashFilter {
  const bytes = new Uint8Array(2 ** BITS / 8);
  return {
    add(hash) {
      const bit = hash & LAST;
      bytes[bit >>> 3] = (bytes[bit >>> 3] ?? 0) | (1 << (bit & 7));
    },
    mayHave(hash) {
      const bit = hash & LAST;
      return ((bytes[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
    },
  };
}
