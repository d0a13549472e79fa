/** Content hashes of many files as bytes: the string of one takes three times the room. */

const HASH_BYTES = 32;
const ROOM_MIN = 64;

/** `add` takes the sha256 of a content in hex and returns its position, from 0 on. */
type ContentHashes = { add(hash: string): number; at(position: number): string };

export function contentHashes(): ContentHashes {
  let bytes = Buffer.allocUnsafe(ROOM_MIN * HASH_BYTES);
  let count = 0;
  return {
    add(hash) {
      if ((count + 1) * HASH_BYTES > bytes.length) bytes = Buffer.concat([bytes], 2 * bytes.length);
      bytes.write(hash, count * HASH_BYTES, HASH_BYTES, "hex");
      count += 1;
      return count - 1;
    },
    at: (position) => bytes.toString("hex", position * HASH_BYTES, (position + 1) * HASH_BYTES),
  };
}

/**
 * The first 52 bits of a hash, as a number: a set of numbers takes less room than one of strings. They are equal for two of 100,000 contents with
 * a probability of one in a million.
 */
export const shortHash = (hash: string): number => Number.parseInt(hash.slice(0, 13), 16);
