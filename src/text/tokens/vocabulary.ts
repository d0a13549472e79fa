/**
 * The tokens of an encoding by their bytes, in a hash table that is searched directly in its file.
 *
 * Building a map of two hundred thousand strings takes a third of a second in every thread; this takes milliseconds, and
 * lookups create no strings. The file is, in little-endian order:
 *
 *     header   number of tokens · length of their bytes   (32-bit words)
 *     slots    a hash table with open addressing: rank + 1 (18 bits) · tag of the hash (14 bits), 0 for none
 *     lengths  of each token, in bytes, by rank; 0 where there is none
 *     bytes    of all tokens, by rank
 *
 * `scripts/vocabularies.ts` creates the file.
 */

export const HEADER_WORDS = 2;
/** The table is less than half full. */
export const SLOT_BITS = 19;
const RANK_BITS = 18;
const RANK_MASK = (1 << RANK_BITS) - 1;
const SLOTS = 1 << SLOT_BITS;
const MASK = SLOTS - 1;

/** The rank of bytes that are not a token: they merge last. */
export const NO_RANK = 0x7fffffff;

export type Vocabulary = {
  /** The rank of `bytes[start..end)` as one token, or `NO_RANK`. `hash` is theirs. */
  rankOf(bytes: Uint16Array, start: number, end: number, hash: number): number;
};

/** FNV-1a with a final mix, because the low bits select the slot. */
export function hashOf(bytes: Uint8Array | Uint16Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The content of a token's slot. */
export const slotOf = (hash: number, rank: number): number => ((hash & ~RANK_MASK) | (rank + 1)) >>> 0;

/** Opens the file of a vocabulary without copying it. */
export function openVocabulary(file: Uint8Array): Vocabulary {
  const aligned = file.byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0 ? file : file.slice();
  const [count = 0, size = 0] = new Uint32Array(aligned.buffer, aligned.byteOffset, HEADER_WORDS);
  const slotsAt = aligned.byteOffset + HEADER_WORDS * Uint32Array.BYTES_PER_ELEMENT;
  const slots = new Uint32Array(aligned.buffer, slotsAt, SLOTS);
  const lengthsAt = slotsAt + slots.byteLength;
  const lengths = new Uint8Array(aligned.buffer, lengthsAt, count);
  const tokens = new Uint8Array(aligned.buffer, lengthsAt + count, size);
  const starts = new Uint32Array(count + 1);
  for (let rank = 0; rank < count; rank += 1) starts[rank + 1] = (starts[rank] ?? 0) + (lengths[rank] ?? 0);

  return {
    rankOf(bytes, start, end, hash) {
      const tag = hash & ~RANK_MASK;
      for (let at = hash & MASK; ; at = (at + 1) & MASK) {
        const slot = slots[at] ?? 0;
        if (slot === 0) return NO_RANK;
        if (((slot ^ tag) & ~RANK_MASK) !== 0) continue;
        const rank = (slot & RANK_MASK) - 1;
        const from = starts[rank] ?? 0;
        if ((starts[rank + 1] ?? 0) - from !== end - start) continue;
        let same = 0;
        while (start + same < end && bytes[start + same] === tokens[from + same]) same += 1;
        if (start + same === end) return rank;
      }
    },
  };
}
