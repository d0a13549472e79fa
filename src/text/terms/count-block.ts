/**
 * Packs the counts of many texts into one array of bytes, which threads hand over and the stat cache stores as it is: an object and a
 * row for each text cost more than counting it.
 *
 * A block is an array of 32-bit words in little-endian order: the number of texts; of each its hash (8 words), lines, characters and the
 * length of its term statistics in bytes; and then the statistics, each filled up to a whole word.
 */

/**
 * The counts of one text: `lines` and `chars` are its size, `stats` its term statistics as if it had no definitions. `hash` is the
 * hex SHA-256 of the file's bytes.
 */
export type TextCounts = {
  readonly hash: string;
  readonly lines: number;
  readonly chars: number;
  readonly stats: Uint8Array;
};

const HASH_BYTES = 32;
const ENTRY_WORDS = HASH_BYTES / 4 + 3;

export function packCounts(rows: readonly TextCounts[]): Uint8Array {
  const statsAt = 4 * (1 + ENTRY_WORDS * rows.length);
  const block = Buffer.alloc(rows.reduce((sum, { stats }) => sum + inWords(stats.byteLength), statsAt));
  block.writeUInt32LE(rows.length);
  let at = 4;
  let next = statsAt;
  for (const { hash, lines, chars, stats } of rows) {
    block.write(hash, at, HASH_BYTES, "hex");
    block.writeUInt32LE(lines, at + HASH_BYTES);
    block.writeUInt32LE(chars, at + HASH_BYTES + 4);
    block.writeUInt32LE(stats.byteLength, at + HASH_BYTES + 8);
    block.set(stats, next);
    at += 4 * ENTRY_WORDS;
    next += inWords(stats.byteLength);
  }
  return block;
}

/** The counts in a block, whose bytes they share. What lies behind the end of a damaged one is left out. */
export function unpackCounts(bytes: Uint8Array): readonly TextCounts[] {
  const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = block.length < 4 ? 0 : block.readUInt32LE();
  const rows: TextCounts[] = [];
  let next = 4 * (1 + ENTRY_WORDS * count);
  for (let at = 4; rows.length < count && next <= block.length; at += 4 * ENTRY_WORDS) {
    const end = next + block.readUInt32LE(at + HASH_BYTES + 8);
    if (end > block.length) break;
    rows.push({
      hash: block.toString("hex", at, at + HASH_BYTES),
      lines: block.readUInt32LE(at + HASH_BYTES),
      chars: block.readUInt32LE(at + HASH_BYTES + 4),
      stats: new Uint8Array(bytes.buffer, bytes.byteOffset + next, end - next),
    });
    next = inWords(end);
  }
  return rows;
}

/** The first whole word at or after a byte. */
const inWords = (bytes: number): number => (bytes + 3) & ~3;
