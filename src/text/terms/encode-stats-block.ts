/** Writes the term statistics of a block of files (`stats-block.ts`), and takes those of one file out of it again. */
import { longer } from "./columns.ts";
import {
  BLOCK_FILES,
  BLOCK_FORMAT,
  BLOCK_HEADER_WORDS,
  readStatsBlock,
  STEP_MAX,
  visitFiles,
  visitStem,
} from "./stats-block.ts";
import { exactHash, FORMAT, HEADER_WORDS, readPostingStarts, readTermStats } from "./term-stats.ts";
import { varintWriter } from "./varints.ts";

/** What is put at some places of a block: the statistics of a file, or null for no file. */
type PlacedStats = ReadonlyMap<number, Uint8Array | null>;

/**
 * The block with these files in the place of those that it had; null if it has none any more. Throws if statistics cannot be
 * read, as those of an index that was damaged cannot.
 */
export function replaceInBlock(block: Uint8Array | null, placed: PlacedStats): Uint8Array | null {
  const pairs = collectPairs();
  if (block !== null) pairs.addBlock(block, (place) => !placed.has(place));
  for (const [place, stats] of placed) if (stats !== null) pairs.addFile(stats, place);
  return pairs.isEmpty() ? null : pairs.block();
}

/** The statistics of each file in a block, by place. Terms come in another order than they were counted in. */
export function statsInBlock(block: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const pairs = collectPairs();
  pairs.addBlock(block, () => true);
  return pairs.files();
}

/** The segments of a file, packed, and the numbers of its header. */
type FilePart = { readonly numbers: readonly number[]; readonly segments: Uint8Array };

/** A row for each term of each file: the hashes, the place of the file, and the postings in one of the arrays of bytes. */
const NUMBERS = ["stem", "exact", "place", "source", "from", "to"] as const;
type Pairs = Record<(typeof NUMBERS)[number], Int32Array> & { count: number };

const FIRST_PAIRS = 1 << 14;
/** Used again for the next block. */
const columns: Pairs = {
  count: 0,
  stem: new Int32Array(FIRST_PAIRS),
  exact: new Int32Array(FIRST_PAIRS),
  place: new Int32Array(FIRST_PAIRS),
  source: new Int32Array(FIRST_PAIRS),
  from: new Int32Array(FIRST_PAIRS),
  to: new Int32Array(FIRST_PAIRS),
};
let order = new Int32Array(FIRST_PAIRS);
let sorted = new Int32Array(FIRST_PAIRS);

/** Gives up the room of large blocks, some ten megabytes, once no more of them come. */
export function freeBlockRoom(): void {
  if (columns.stem.length > FIRST_PAIRS) setRoom(FIRST_PAIRS, () => new Int32Array(FIRST_PAIRS));
}

/** Collects the terms of the files of one block; only one may be in use at a time. A place is filled once. */
function collectPairs() {
  const parts: (FilePart | null)[] = [];
  /** Those of files are at their place, and the block is the last. */
  const sources: Uint8Array[] = [];
  columns.count = 0;

  function add(stem: number, exact: number, place: number, source: number, from: number, to: number): void {
    const row = columns.count;
    if (row === columns.stem.length) enlarge();
    columns.stem[row] = stem;
    columns.exact[row] = exact;
    columns.place[row] = place;
    columns.source[row] = source;
    columns.from[row] = from;
    columns.to[row] = to;
    columns.count = row + 1;
  }

  return {
    isEmpty: (): boolean => parts.every((part) => part === null),
    addFile(blob: Uint8Array, place: number): void {
      const stats = readTermStats(blob);
      if (stats === null) throw new Error("term statistics of a file cannot be read");
      const { termCount, words, stemAt, segmentAt, postingAt, bytes } = stats;
      const starts = new Int32Array(termCount + 1);
      readPostingStarts(stats, starts);
      sources[place] = bytes;
      for (let entry = 0; entry < termCount; entry += 1)
        add(
          words[stemAt + entry] ?? 0,
          exactHash(stats, entry),
          place,
          place,
          starts[entry] ?? 0,
          starts[entry + 1] ?? 0,
        );
      setPart(parts, place, {
        numbers: [stats.segmentCount, stats.codeTerms, stats.commentTerms, stats.definitionTerms],
        segments: bytes.subarray(segmentAt, postingAt),
      });
    },
    /** Adds the files of a block at places that are wanted. */
    addBlock(blob: Uint8Array, isWanted: (place: number) => boolean): void {
      const block = readStatsBlock(blob);
      if (block === null) throw unreadable();
      sources[BLOCK_FILES] = block.bytes;
      const wanted = new Set<number>();
      visitFiles(block, (place, file) => {
        if (!isWanted(place)) return;
        wanted.add(place);
        setPart(parts, place, {
          numbers: [file.segmentCount, file.codeTerms, file.commentTerms, file.definitionTerms],
          segments: block.bytes.subarray(file.segmentAt, file.segmentEnd),
        });
      });
      for (let stem = 0, end = block.listsAt; stem < block.stems; stem += 1) {
        const hash = block.words[BLOCK_HEADER_WORDS + stem] ?? 0;
        end = visitStem(block, stem, end, (exact, place, from, to) => {
          if (wanted.has(place)) add(hash, exact, place, BLOCK_FILES, from, to);
        });
        if (end < 0) throw unreadable();
      }
    },
    block: (): Uint8Array => packBlock(parts, sources),
    files: (): ReadonlyMap<number, Uint8Array> => packFiles(parts, sources),
  };
}

const unreadable = (): Error => new Error("a block of term statistics cannot be read");

function setPart(parts: (FilePart | null)[], place: number, part: FilePart): void {
  while (parts.length < place) parts.push(null);
  parts[place] = part;
}

function enlarge(): void {
  const room = 2 * columns.stem.length;
  setRoom(room, (column) => longer(column, room));
}

function setRoom(room: number, resized: (column: Int32Array) => Int32Array): void {
  for (const name of NUMBERS) columns[name] = resized(columns[name]);
  order = new Int32Array(room);
  sorted = new Int32Array(room);
}

const packed = varintWriter();
const lists = varintWriter();

function packBlock(parts: readonly (FilePart | null)[], sources: readonly Uint8Array[]): Uint8Array {
  packed.clear();
  lists.clear();
  for (const part of parts) {
    packed.add(part?.numbers[0] ?? 0);
    if (part === null) continue;
    for (const number of part.numbers.slice(1)) packed.add(number);
    packed.add(part.segments.length);
  }
  for (const part of parts) if (part !== null) packed.addBytes(part.segments, 0, part.segments.length);
  const { count, stem } = columns;
  sortPairs();
  const stems: number[] = [];
  const starts: number[] = [];
  for (let at = 0; at < count; ) {
    const hash = stem[order[at] ?? 0] ?? 0;
    stems.push(hash);
    starts.push(lists.length());
    let end = at + 1;
    while (end < count && stem[order[end] ?? 0] === hash) end += 1;
    packList(hash, at, end, sources);
    at = end;
  }
  const wordCount = BLOCK_HEADER_WORDS + 2 * stems.length;
  const filesAt = 4 * wordCount;
  const listsAt = filesAt + packed.length();
  const blob = new Uint8Array(listsAt + lists.length());
  const words = new Int32Array(blob.buffer, 0, wordCount);
  words.set([BLOCK_FORMAT, parts.length, stems.length, filesAt, listsAt, blob.length]);
  words.set(stems, BLOCK_HEADER_WORDS);
  words.set(starts, BLOCK_HEADER_WORDS + stems.length);
  blob.set(packed.written(), filesAt);
  blob.set(lists.written(), listsAt);
  return blob;
}

/** Packs the rows of one stem, which are sorted by term and place. */
function packList(stem: number, start: number, end: number, sources: readonly Uint8Array[]): void {
  const { exact, place, source, from, to } = columns;
  for (let at = start; at < end; ) {
    const term = exact[order[at] ?? 0] ?? 0;
    let next = at + 1;
    while (next < end && exact[order[next] ?? 0] === term) next += 1;
    lists.add(((next - at) << 2) | (term === stem ? 0 : 2) | (next === end ? 1 : 0));
    if (term !== stem) lists.addWord(term);
    let before = -1;
    for (; at < next; at += 1) {
      const row = order[at] ?? 0;
      const step = (place[row] ?? 0) - before - 1;
      const [first, last] = [from[row] ?? 0, to[row] ?? 0];
      lists.add(((last - first) << 3) | Math.min(step, STEP_MAX));
      if (step >= STEP_MAX) lists.add(step - STEP_MAX);
      const bytes = sources[source[row] ?? 0];
      if (bytes !== undefined) lists.addBytes(bytes, first, last);
      before = place[row] ?? 0;
    }
  }
}

/** The statistics of each file. The rows are those of one block, so they are sorted by stem and term. */
function packFiles(
  parts: readonly (FilePart | null)[],
  sources: readonly Uint8Array[],
): ReadonlyMap<number, Uint8Array> {
  const { count, place } = columns;
  asAdded();
  sortBy(place, 0, 0);
  const files = new Map<number, Uint8Array>();
  let at = 0;
  for (const [own, part] of parts.entries()) {
    const start = at;
    while (at < count && place[order[at] ?? 0] === own) at += 1;
    if (part !== null) files.set(own, packFile(part, order.slice(start, at), sources));
  }
  return files;
}

function packFile({ numbers, segments }: FilePart, rows: Int32Array, sources: readonly Uint8Array[]): Uint8Array {
  const { stem, exact, source, from, to } = columns;
  let own = 0;
  for (const row of rows) if (exact[row] === stem[row]) own += 1;
  const others = rows.length - own;
  // Terms that are their own stems come first.
  const sorted = new Int32Array(rows.length);
  for (let at = 0, next = 0, nextOther = own; at < rows.length; at += 1) {
    const row = rows[at] ?? 0;
    sorted[exact[row] === stem[row] ? next++ : nextOther++] = row;
  }
  packed.clear();
  lists.clear();
  const hashes = new Int32Array(rows.length + others);
  for (let at = 0; at < rows.length; at += 1) {
    const row = sorted[at] ?? 0;
    const bytes = sources[source[row] ?? 0];
    if (bytes !== undefined) lists.addBytes(bytes, from[row] ?? 0, to[row] ?? 0);
    packed.add((to[row] ?? 0) - (from[row] ?? 0));
    hashes[at] = stem[row] ?? 0;
    if (at >= own) hashes[at + others] = exact[row] ?? 0;
  }
  const wordCount = HEADER_WORDS + rows.length + others;
  const segmentAt = 4 * wordCount + packed.length();
  const postingAt = segmentAt + segments.length;
  const blob = new Uint8Array(postingAt + lists.length());
  const words = new Int32Array(blob.buffer, 0, wordCount);
  words.set([FORMAT, rows.length, others, ...numbers, segmentAt, postingAt, blob.length]);
  words.set(hashes, HEADER_WORDS);
  blob.set(packed.written(), 4 * wordCount);
  blob.set(segments, segmentAt);
  blob.set(lists.written(), postingAt);
  return blob;
}

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const digitStart = new Int32Array(DIGITS + 1);

/** Fills `order` with the rows by stem, then by term, then by place: a radix sort, whose passes keep the order of the one before. */
function sortPairs(): void {
  const { stem, exact, place } = columns;
  asAdded();
  sortBy(place, 0, 0);
  for (const column of [exact, stem]) for (let shift = 0; shift < 32; shift += DIGIT_BITS) sortBy(column, shift, SIGN);
}

function asAdded(): void {
  for (let row = 0; row < columns.count; row += 1) order[row] = row;
}

/** The order of signed words is that of unsigned ones with the other sign. */
const SIGN = 1 << 31;

function sortBy(column: Int32Array, shift: number, sign: number): void {
  const { count } = columns;
  digitStart.fill(0);
  for (let at = 0; at < count; at += 1) {
    const digit = ((((column[at] ?? 0) ^ sign) >>> shift) & (DIGITS - 1)) + 1;
    digitStart[digit] = (digitStart[digit] ?? 0) + 1;
  }
  for (let digit = 1; digit < DIGITS; digit += 1)
    digitStart[digit] = (digitStart[digit] ?? 0) + (digitStart[digit - 1] ?? 0);
  for (let at = 0; at < count; at += 1) {
    const row = order[at] ?? 0;
    const digit = (((column[row] ?? 0) ^ sign) >>> shift) & (DIGITS - 1);
    const next = digitStart[digit] ?? 0;
    sorted[next] = row;
    digitStart[digit] = next + 1;
  }
  [order, sorted] = [sorted, order];
}
