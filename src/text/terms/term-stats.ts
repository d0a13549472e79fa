/**
 * Which terms a file contains, how often and where: the input of ranking, as one blob for each file.
 *
 * A blob is a pure function of the text and its symbols, never of the path, so it can be cached by content. It begins with
 * 32-bit words in little-endian order, which are scanned for every question:
 *
 *     header    format · terms · terms that differ from their stems · segments · code terms · comment terms · definition terms ·
 *               the byte where the segments begin, where the postings begin, and the end
 *     stem      the hash of the stem of each term; terms that are their own stem come first
 *     exact     the hash of each of the other terms
 *
 * The rest is read for files with a hit only, and is packed as `varints.ts`:
 *
 *     sizes     the bytes of each term's postings
 *     segments  ordinal + 1 · kind · parent + 1 · code terms · comment terms · characters
 *     postings  segments after the posting before · field (2 bits) · whether there is a count (1 bit), then the count
 *
 * Segment 0 is the file outside of every definition; the others are definitions (`segments.ts`). Postings count only a
 * segment's own lines; its lengths include nested definitions unless it is a container. Only hashes identify terms: with
 * 100,000 terms in an index and 300 in a task, one task in a hundred has one false match.
 */

import { COUNT_MAX } from "./term-counter.ts";
import { termHash } from "./term-hashes.ts";
import { nextVarint, type VarintReader } from "./varints.ts";

/** The place of a term: in code, in a comment or docstring, in a definition's name, in its signature. */
export const FIELD = { code: 0, comment: 1, name: 2, signature: 3 } as const;

export const FORMAT = 0x63726102;
export const HEADER_WORDS = 10;
/** Words for each segment in memory: ordinal, kind, parent, code terms, comment terms, characters. */
const SEGMENT_WORDS = 6;
export const NONE = -1;

/**
 * A blob, opened for reading. `words` are its words; signed ones are faster to read, so hashes are compared as signed (`| 0`).
 */
export type TermStats = {
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
  readonly termCount: number;
  readonly segmentCount: number;
  /** Terms in code and in comments, in the whole file. */
  readonly codeTerms: number;
  readonly commentTerms: number;
  /** Summed length of the definitions, in terms; nested text counts once for each definition that includes it. */
  readonly definitionTerms: number;
  /** The first word of the stems. */
  readonly stemAt: number;
  /** As many terms are their own stems. */
  readonly ownStems: number;
  /** The first byte of the segments, and of the postings. */
  readonly segmentAt: number;
  readonly postingAt: number;
  /** What `segmentsOf` has read. */
  segments: Int32Array | null;
};

/** Opens a blob; null if it has another format or is truncated. */
export function readTermStats(blob: Uint8Array): TermStats | null {
  const wordCount = blob.byteLength >>> 2;
  if (wordCount < HEADER_WORDS) return null;
  const bytes = blob.byteOffset % 4 === 0 ? blob : blob.slice();
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, wordCount);
  // Read one by one: destructuring uses the array's iterator, which is slow for thousands of files.
  const format = words[0];
  const termCount = words[1] ?? 0;
  const stemmed = words[2] ?? 0;
  const segmentCount = words[3] ?? 0;
  const codeTerms = words[4] ?? 0;
  const commentTerms = words[5] ?? 0;
  const definitionTerms = words[6] ?? 0;
  const segmentAt = words[7] ?? 0;
  const postingAt = words[8] ?? 0;
  const sizeAt = 4 * (HEADER_WORDS + termCount + stemmed);
  // Every number has a byte at least.
  const isWhole =
    format === FORMAT &&
    stemmed >= 0 &&
    termCount >= stemmed &&
    segmentCount > 0 &&
    sizeAt + termCount <= segmentAt &&
    segmentAt + SEGMENT_WORDS * segmentCount <= postingAt &&
    postingAt <= blob.byteLength &&
    words[9] === blob.byteLength;
  if (!isWhole) return null;
  return {
    words,
    bytes,
    termCount,
    segmentCount,
    codeTerms,
    commentTerms,
    definitionTerms,
    stemAt: HEADER_WORDS,
    ownStems: termCount - stemmed,
    segmentAt,
    postingAt,
    segments: null,
  };
}

/** The hash of a term as it is written. */
export const exactHash = ({ words, stemAt, termCount, ownStems }: TermStats, entry: number): number =>
  words[stemAt + entry + (entry < ownStems ? 0 : termCount - ownStems)] ?? 0;

/** `SEGMENT_WORDS` words for each segment; an absent index is -1. */
export function segmentsOf(stats: TermStats): Int32Array {
  if (stats.segments !== null) return stats.segments;
  const { bytes, segmentAt, segmentCount } = stats;
  const reader: VarintReader = { bytes, at: segmentAt };
  const segments = new Int32Array(SEGMENT_WORDS * segmentCount);
  for (let at = 0; at < segments.length; at += SEGMENT_WORDS) {
    segments[at] = nextVarint(reader) - 1;
    segments[at + 1] = nextVarint(reader);
    segments[at + 2] = nextVarint(reader) - 1;
    segments[at + 3] = nextVarint(reader);
    segments[at + 4] = nextVarint(reader);
    segments[at + 5] = nextVarint(reader);
  }
  stats.segments = segments;
  return segments;
}

/** Fills `starts` with the first byte of each term's postings; those of the next term follow. */
export function readPostingStarts(stats: TermStats, starts: Int32Array): void {
  const { bytes, stemAt, termCount, ownStems, postingAt } = stats;
  const reader: VarintReader = { bytes, at: 4 * (stemAt + 2 * termCount - ownStems) };
  const end = bytes.length;
  let start = postingAt;
  starts[0] = start;
  for (let entry = 1, next = reader.at; entry <= termCount; entry += 1) {
    // Most numbers have one byte.
    let size = bytes[next++] ?? 0;
    if (size > 0x7f) {
      reader.at = next - 1;
      size = Math.max(nextVarint(reader), 0);
      next = reader.at;
    }
    start += size;
    if (start > end) start = end;
    starts[entry] = start;
  }
}

/** One posting as it is packed: how many segments it is after the one before, its field, and how often the term occurs. */
export const packedStep = (head: number): number => head >>> 3;
export const packedField = (head: number): number => (head >>> 1) & 3;
export const packedCount = (head: number, reader: VarintReader): number =>
  // The mask keeps planted numbers within what is counted.
  (head & 1) === 0 ? 1 : nextVarint(reader) & COUNT_MAX;

/** One segment of a blob. `ordinal` is the symbol's index in the file's facts and `parent` a segment; -1 for none. */
type SegmentInfo = {
  readonly ordinal: number;
  readonly kind: number;
  readonly parent: number;
  readonly terms: number;
  readonly chars: number;
};

/** Reads segment `index`. */
export function segmentInfo(stats: TermStats, index: number): SegmentInfo {
  const words = segmentsOf(stats);
  const at = SEGMENT_WORDS * index;
  return {
    ordinal: words[at] ?? NONE,
    kind: words[at + 1] ?? 0,
    parent: words[at + 2] ?? NONE,
    terms: (words[at + 3] ?? 0) + (words[at + 4] ?? 0),
    chars: words[at + 5] ?? 0,
  };
}

/** The hashes of terms to find. 2^16 bits reject most of a file's terms before the map is searched. */
export type TermTable = { readonly bits: Int32Array; readonly indexOf: ReadonlyMap<number, number> };

/** A table of terms; the index of a term is its position in the list. */
export function termTable(terms: readonly string[]): TermTable {
  const bits = new Int32Array(2048);
  const indexOf = new Map<number, number>();
  terms.forEach((term, index) => {
    const hash = termHash(term) | 0;
    if (!indexOf.has(hash)) indexOf.set(hash, index);
    const at = (hash >>> 5) & 2047;
    bits[at] = (bits[at] ?? 0) | (1 << (hash & 31));
  });
  return { bits, indexOf };
}

/** The index of the term with this hash, or -1. */
export function lookUp({ bits, indexOf }: TermTable, hash: number): number {
  if ((((bits[(hash >>> 5) & 2047] ?? 0) >>> (hash & 31)) & 1) === 0) return -1;
  return indexOf.get(hash | 0) ?? -1;
}
