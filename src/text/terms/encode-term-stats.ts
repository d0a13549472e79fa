/** Writes the term statistics of a file (`term-stats.ts` says how they look). */
import type { LineLengths } from "../lines.ts";
import {
  commentFlags,
  LINE_MAX,
  layOutSegments,
  restSegment,
  type Segment,
  type SegmentSymbol,
  splitLines,
} from "./segments.ts";
import { countOf, fieldOf, segmentOf, type TermColumns, type TermCounter, termCounter } from "./term-counter.ts";
import { FIELD, FORMAT, HEADER_WORDS, NONE } from "./term-stats.ts";
import { varintWriter } from "./varints.ts";

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

const packed = varintWriter();
const packedPostings = varintWriter();
/** Columns of numbers that are used again for the next file. */
let order = new Int32Array(1 << 12);
let start = new Int32Array(1 << 12);
let next = new Int32Array(1 << 12);
let sorted = new Int32Array(1 << 12);
/** A blob is put together here, and then copied. */
let blobWords = new Int32Array(1 << 14);
let blobBytes = new Uint8Array(blobWords.buffer);

function write(measured: readonly Measured[], counter: TermCounter): Uint8Array {
  const columns = counter.found();
  const { exact, stems, terms } = columns;
  const codeTerms = measured.reduce((sum, { codeTerms }) => sum + codeTerms, 0);
  const commentTerms = measured.reduce((sum, { commentTerms }) => sum + commentTerms, 0);
  foldIntoFunctions(measured);
  const definitionTerms = measured.reduce(
    (sum, { codeTerms, commentTerms }, index) => (index === 0 ? 0 : sum + codeTerms + commentTerms),
    0,
  );
  let ownStems = 0;
  for (let term = 0; term < terms; term += 1) if (exact[term] === stems[term]) ownStems += 1;
  const stemmed = terms - ownStems;
  if (order.length < terms) order = new Int32Array(2 * terms);
  for (let term = 0, own = 0, other = ownStems; term < terms; term += 1)
    order[exact[term] === stems[term] ? own++ : other++] = term;
  packed.clear();
  packedPostings.clear();
  writePostings(columns);
  const wordCount = HEADER_WORDS + terms + stemmed;
  const segmentAt = 4 * wordCount + packed.length();
  for (const { segment, codeTerms, commentTerms, chars } of measured) {
    packed.add((segment.ordinal ?? NONE) + 1);
    packed.add(segment.kind);
    packed.add((segment.parent ?? NONE) + 1);
    packed.add(codeTerms);
    packed.add(commentTerms);
    packed.add(chars);
  }
  const postingAt = 4 * wordCount + packed.length();
  const end = postingAt + packedPostings.length();
  if (blobBytes.length < end) {
    blobWords = new Int32Array(Math.ceil(end / 2));
    blobBytes = new Uint8Array(blobWords.buffer);
  }
  blobWords.set([FORMAT, terms, stemmed, measured.length, codeTerms, commentTerms, definitionTerms]);
  blobWords.set([segmentAt, postingAt, end], 7);
  for (let place = 0; place < terms; place += 1) {
    const term = order[place] ?? 0;
    blobWords[HEADER_WORDS + place] = stems[term] ?? 0;
    if (place >= ownStems) blobWords[HEADER_WORDS + stemmed + place] = exact[term] ?? 0;
  }
  blobBytes.set(packed.written(), 4 * wordCount);
  blobBytes.set(packedPostings.written(), postingAt);
  return blobBytes.slice(0, end);
}

/** Packs the postings of each term, and their sizes. Within a term they stay in order of segment and field. */
function writePostings(columns: TermColumns): void {
  sortByTerm(columns);
  for (let place = 0; place < columns.terms; place += 1) {
    const term = order[place] ?? 0;
    const from = packedPostings.length();
    let segment = 0;
    for (let at = start[term] ?? 0; at < (start[term + 1] ?? 0); at += 1) {
      const word = sorted[at] ?? 0;
      const count = countOf(word);
      packedPostings.add(((segmentOf(word) - segment) << 3) | (fieldOf(word) << 1) | (count > 1 ? 1 : 0));
      if (count > 1) packedPostings.add(count);
      segment = segmentOf(word);
    }
    packed.add(packedPostings.length() - from);
  }
}

/** Fills `sorted` with the postings by term, by a counting sort, and `start` with where those of a term begin. */
function sortByTerm({ terms, postings, postingTerm, posting }: TermColumns): void {
  if (start.length <= terms) {
    start = new Int32Array(2 * terms);
    next = new Int32Array(2 * terms);
  }
  if (sorted.length < postings) sorted = new Int32Array(2 * postings);
  start.fill(0, 0, terms + 1);
  for (let at = 0; at < postings; at += 1) {
    const after = (postingTerm[at] ?? 0) + 1;
    start[after] = (start[after] ?? 0) + 1;
  }
  for (let term = 1; term <= terms; term += 1) start[term] = (start[term] ?? 0) + (start[term - 1] ?? 0);
  next.set(start.subarray(0, terms));
  for (let index = 0; index < postings; index += 1) {
    const term = postingTerm[index] ?? 0;
    const at = next[term] ?? 0;
    sorted[at] = posting[index] ?? 0;
    next[term] = at + 1;
  }
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
