/**
 * Which terms a file contains, how often and where: the input of ranking, as one blob for each file.
 *
 * A blob is a pure function of the text and its symbols, never of the path, so it can be cached by content. It is an
 * array of 32-bit words in little-endian order:
 *
 *     header    format · terms · segments · postings · code terms · comment terms · definition terms
 *     exact     a hash for each distinct term
 *     stem      the hash of its stem
 *     start     the first posting of each term, and the number of postings at the end
 *     segments  ordinal · kind · parent · code terms · comment terms · characters   (six words each)
 *     postings  segment (18 bits) · field (2 bits) · count (12 bits, capped)
 *
 * Segment 0 is the file outside of every definition; the others are definitions (`segments.ts`). Postings count only a
 * segment's own lines; its lengths include nested definitions unless it is a container. Only hashes identify terms: with
 * 100,000 terms in an index and 300 in a task, one task in a hundred has one false match.
 */

import type { LineLengths } from "../lines.ts";
import { termHash } from "./identifier-table.ts";
import {
  commentFlags,
  LINE_MAX,
  layOutSegments,
  restSegment,
  type Segment,
  type SegmentSymbol,
  splitLines,
} from "./segments.ts";
import { COUNT_BITS, COUNT_MAX, type TermCounter, termCounter } from "./term-counter.ts";

/** The place of a term: in code, in a comment or docstring, in a definition's name, in its signature. */
export const FIELD = { code: 0, comment: 1, name: 2, signature: 3 } as const;

const FORMAT = 0x63726101;
const HEADER_WORDS = 7;
/** Words for each segment, in the order above. */
export const SEGMENT_WORDS = 6;
const NONE = -1;
/** Characters that count in a signature. */
const SIGNATURE_MAX = 400;

/** The input of a blob. `FileFacts` has symbols and comments of this shape. Lines are 1-based, inclusive. */
type TermSource = {
  readonly text: string;
  readonly symbols: readonly SegmentSymbol[];
  readonly commentLines: readonly { readonly line: number; readonly endLine: number }[];
  /** Whether triple-quoted strings are documentation, as in Python. */
  readonly docstrings: boolean;
};

export function encodeTermStats(source: TermSource): Uint8Array {
  const isWhole = source.symbols.length + source.commentLines.length === 0 && !source.docstrings;
  if (isWhole) return encodeWhole(source.text);
  const lines = splitLines(source.text);
  const segments = layOutSegments(source.symbols, lines.length);
  const flags = commentFlags(lines, source);
  const counter = termCounter();
  const measured = segments.map((segment, index) => {
    const code: string[] = [];
    const comment: string[] = [];
    let chars = 0;
    for (const at of segment.lines) {
      const line = lines[at] ?? "";
      if (line === "") continue;
      (flags[at] ? comment : code).push(line);
      chars += line.length + 1;
    }
    const codeTerms = counter.count(code.join("\n"), index, FIELD.code);
    const commentTerms = counter.count(comment.join("\n"), index, FIELD.comment);
    counter.count(segment.name, index, FIELD.name);
    counter.count(segment.signature.slice(0, SIGNATURE_MAX), index, FIELD.signature);
    return { segment, codeTerms, commentTerms, chars };
  });
  return write(measured, counter);
}

/** The same for a text that is one segment of code: it need not be taken apart into lines. */
function encodeWhole(text: string): Uint8Array {
  const counter = termCounter();
  let chars = 0;
  let longest = 0;
  for (let start = 0; start <= text.length; ) {
    const next = text.indexOf("\n", start);
    const length = (next < 0 ? text.length : next) - start;
    if (length > longest) longest = length;
    if (length > 0) chars += Math.min(length, LINE_MAX) + 1;
    start += length + 1;
  }
  const counted = longest > LINE_MAX ? splitLines(text).join("\n") : text;
  const codeTerms = counter.count(counted, 0, FIELD.code);
  return write([{ segment: restSegment(), codeTerms, commentTerms: 0, chars }], counter);
}

/** The same for an ASCII text, from its bytes; null if a line is too long to be counted whole. */
export function encodeAsciiStats(text: Buffer, { longest, chars }: LineLengths): Uint8Array | null {
  if (longest > LINE_MAX) return null;
  const counter = termCounter();
  const codeTerms = counter.count(text, 0, FIELD.code);
  return write([{ segment: restSegment(), codeTerms, commentTerms: 0, chars }], counter);
}

type Measured = {
  readonly segment: Segment;
  codeTerms: number;
  commentTerms: number;
  chars: number;
};

function write(measured: readonly Measured[], counter: TermCounter): Uint8Array {
  const { exact, stems, postingTerm, posting } = counter;
  const codeTerms = measured.reduce((sum, { codeTerms }) => sum + codeTerms, 0);
  const commentTerms = measured.reduce((sum, { commentTerms }) => sum + commentTerms, 0);
  foldIntoFunctions(measured);
  const definitionTerms = measured
    .slice(1)
    .reduce((sum, { codeTerms, commentTerms }) => sum + codeTerms + commentTerms, 0);
  const words = new Uint32Array(HEADER_WORDS + 3 * exact.length + 1 + SEGMENT_WORDS * measured.length + posting.length);
  words.set([FORMAT, exact.length, measured.length, posting.length, codeTerms, commentTerms, definitionTerms]);
  words.set(exact, HEADER_WORDS);
  words.set(stems, HEADER_WORDS + exact.length);
  const startAt = HEADER_WORDS + 2 * exact.length;
  const segmentAt = startAt + exact.length + 1;
  measured.forEach(({ segment, codeTerms, commentTerms, chars }, index) => {
    const { ordinal, kind, parent } = segment;
    words.set(
      [ordinal ?? NONE, kind, parent ?? NONE, codeTerms, commentTerms, chars],
      segmentAt + SEGMENT_WORDS * index,
    );
  });
  // A counting sort by term; keeps the order of segment and field.
  const next = new Uint32Array(exact.length + 1);
  for (const term of postingTerm) next[term + 1] = (next[term + 1] ?? 0) + 1;
  for (let term = 1; term <= exact.length; term += 1) next[term] = (next[term] ?? 0) + (next[term - 1] ?? 0);
  words.set(next, startAt);
  const postingAt = segmentAt + SEGMENT_WORDS * measured.length;
  postingTerm.forEach((term, index) => {
    const at = next[term] ?? 0;
    words[postingAt + at] = posting[index] ?? 0;
    next[term] = at + 1;
  });
  return new Uint8Array(words.buffer);
}

/** Adds nested definitions to a function's length. Children come after their parents, so one backward pass is enough. */
function foldIntoFunctions(measured: readonly Measured[]): void {
  const inherited = measured.map(() => ({ codeTerms: 0, commentTerms: 0, chars: 0 }));
  for (let index = measured.length - 1; index > 0; index -= 1) {
    const own = measured[index];
    const below = inherited[index];
    if (own === undefined || below === undefined) continue;
    const above = inherited[own.segment.parent ?? 0];
    for (const key of ["codeTerms", "commentTerms", "chars"] as const) {
      if (above !== undefined) above[key] += own[key] + below[key];
      if (!own.segment.container) own[key] += below[key];
    }
  }
}

/**
 * A blob, opened for reading. `words` is the whole blob; the other fields locate its parts. Words are signed, because
 * those are faster to read: hashes are compared as signed (`| 0`), and an absent index is -1.
 */
export type TermStats = {
  readonly words: Int32Array;
  readonly termCount: number;
  readonly segmentCount: number;
  /** Terms in code and in comments, in the whole file. */
  readonly codeTerms: number;
  readonly commentTerms: number;
  /** Summed length of the definitions, in terms; nested text counts once for each definition that includes it. */
  readonly definitionTerms: number;
  readonly exactAt: number;
  readonly stemAt: number;
  readonly startAt: number;
  readonly segmentAt: number;
  readonly postingAt: number;
};

/** Opens a blob; null if it has another format or is truncated. */
export function readTermStats(blob: Uint8Array): TermStats | null {
  if (blob.byteLength % 4 !== 0 || blob.byteLength < 4 * HEADER_WORDS) return null;
  const aligned = blob.byteOffset % 4 === 0 ? blob : blob.slice();
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
  // Read one by one: destructuring uses the array's iterator, which is slow for thousands of files.
  const format = words[0];
  const termCount = words[1] ?? 0;
  const segmentCount = words[2] ?? 0;
  const postingCount = words[3] ?? 0;
  const codeTerms = words[4] ?? 0;
  const commentTerms = words[5] ?? 0;
  const definitionTerms = words[6] ?? 0;
  const stemAt = HEADER_WORDS + termCount;
  const startAt = stemAt + termCount;
  const segmentAt = startAt + termCount + 1;
  const postingAt = segmentAt + SEGMENT_WORDS * segmentCount;
  if (format !== FORMAT || segmentCount === 0 || postingAt + postingCount !== words.length) return null;
  return {
    words,
    termCount,
    segmentCount,
    codeTerms,
    commentTerms,
    definitionTerms,
    exactAt: HEADER_WORDS,
    stemAt,
    startAt,
    segmentAt,
    postingAt,
  };
}

/** One segment of a blob. `ordinal` is the symbol's index in the file's facts and `parent` a segment; -1 for none. */
type SegmentInfo = {
  readonly ordinal: number;
  readonly kind: number;
  readonly parent: number;
  readonly terms: number;
  readonly chars: number;
};

/** Reads segment `index`. */
export function segmentInfo({ words, segmentAt }: TermStats, index: number): SegmentInfo {
  const at = segmentAt + SEGMENT_WORDS * index;
  return {
    ordinal: words[at] ?? NONE,
    kind: words[at + 1] ?? 0,
    parent: words[at + 2] ?? NONE,
    terms: (words[at + 3] ?? 0) + (words[at + 4] ?? 0),
    chars: words[at + 5] ?? 0,
  };
}

export const postingSegment = (posting: number): number => posting >>> (COUNT_BITS + 2);
export const postingField = (posting: number): number => (posting >>> COUNT_BITS) & 3;
export const postingCount = (posting: number): number => posting & COUNT_MAX;

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
