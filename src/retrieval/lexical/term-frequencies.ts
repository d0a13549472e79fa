/**
 * The contribution of a term to one file and to its segments, before weights.
 *
 * Most terms of a file are one entry in both term spaces, so the result of an entry is computed once.
 */
import { longer } from "../../text/terms/columns.ts";
import { lengthNorm, saturate } from "./bm25.ts";
import type { Postings } from "./corpus.ts";
import type { CorpusFiles } from "./corpus-files.ts";
import type { Averages, FileSegments } from "./file-segments.ts";
import type { InPath } from "./path-words.ts";
import { type TermCounts, termCounter } from "./term-counts.ts";

/** Files: BM25F. Field weights multiply counts; names and paths are not normalized by the file's length. */
const FILE = { k1: 0.8, b: 0.5, nameB: 0.5, comment: 0.5, signature: 1, name: 2, path: 2, fileName: 2 } as const;
/** Definitions, for the sum over their file. */
export const FOR_FILE = { k1: 2, b: 0.75, comment: 0.5, container: 1 } as const;
/** Definitions, for the list of definitions. */
export const FOR_LIST = { k1: 1.2, b: 0.4, comment: 0.5, container: 2 } as const;

/**
 * What each term gives, by number. The affected segments are in the rows from `from` to `to`; `held` is how many of them have the term in
 * their text or name.
 */
type Shares = {
  whole: Float64Array;
  held: Int32Array;
  from: Int32Array;
  to: Int32Array;
  count: number;
  rows: ShareRows;
  rowCount: number;
  /** The shares in the sum over the file, of the rows of the newest file alone, which begin at `fileFrom`. */
  forFile: Float64Array;
  fileFrom: number;
};

/** By row: the segment, in one numbering of all files, and its share in the list of definitions. */
type ShareRows = { readonly segment: Int32Array; readonly forList: Float64Array };

const shareRows = (room: number): ShareRows => ({ segment: new Int32Array(room), forList: new Float64Array(room) });

/** Rows to reuse: new memory for millions of rows costs more than filling it. */
let spare: ShareRows | null = null;
const SPARE_ROWS_MAX = 1 << 20;
/** The average number of rows for one entry. */
const ROWS_AN_ENTRY = 4;

const NO_BYTES = new Uint8Array(0);

/** Initial number of rows for one file. */
const FILE_ROWS = 1 << 12;

export type ShareReader = ReturnType<typeof shareReader>;

/** Reads one file after another. What was read stays until `end`. */
export function shareReader(files: CorpusFiles, postings: Postings, averages: Averages, segments: FileSegments) {
  // A stem with several entries in a file is read beside them, and so is an entry whose term is in the path by stem only.
  const room = Math.ceil(1.5 * postings.count);
  const shares: Shares = {
    whole: new Float64Array(room),
    held: new Int32Array(room),
    from: new Int32Array(room),
    to: new Int32Array(room),
    count: 0,
    rows: spare ?? shareRows(ROWS_AN_ENTRY * postings.count),
    rowCount: 0,
    forFile: new Float64Array(FILE_ROWS),
    fileFrom: 0,
  };
  spare = null;
  /** Those of the newest file, whose shares have the numbers from `numberFrom` on. */
  const inPath: InPath[] = [];
  let numberFrom = 0;
  /** The number + 1 of an entry's shares, 0 if unknown. */
  const known = new Int32Array(postings.count);
  const counter = termCounter(segments.parent.length, postings, segments);
  const { counts } = counter;
  const { inFile } = counts;
  let base = 0;
  let bodyNorm = 1;
  let nameNorm = 1;

  /** Starts the file at a position, whose segments are in `segments`; `first` is the number of its first. */
  function begin(position: number, first: number): void {
    base = first;
    shares.fileFrom = shares.rowCount;
    numberFrom = shares.count;
    const segmentCount = files.segmentCount[position] ?? 0;
    counter.begin(files.sources[files.source[position] ?? 0] ?? NO_BYTES, segmentCount);
    bodyNorm = lengthNorm(files.fileTerms[position] ?? 0, averages.fileTerms, FILE.b);
    nameNorm = lengthNorm(segmentCount || 1, averages.fileSegments, FILE.nameB);
  }

  /** The number of a term's shares. Its entries are those from `next` to `last`; `path` is its occurrences in the path. */
  function sharesOf(entries: Int32Array, next: number, last: number, path: InPath): number {
    if (last - next !== 1) return read(entries, next, last, path);
    const entry = entries[next] ?? 0;
    const before = (known[entry] ?? 0) - 1;
    if (before >= 0) {
      const at = inPath[before - numberFrom];
      if (at === path || (at?.path === path.path && at.name === path.name)) return before;
    }
    const found = read(entries, next, last, path);
    known[entry] = found + 1;
    return found;
  }

  function read(entries: Int32Array, next: number, last: number, path: InPath): number {
    counter.count(entries, next, last, path.path > 0);
    const body = inFile.code + FILE.comment * inFile.comment + FILE.signature * inFile.signature;
    const named = (FILE.name * inFile.name) / nameNorm;
    const whole = body / bodyNorm + named + FILE.path * path.path + FILE.fileName * path.name;
    const { count } = shares;
    makeRoom(shares, counts.touchedCount);
    shares.from[count] = shares.rowCount;
    shares.held[count] = addRows(shares, base, counts, segments, path.path);
    shares.rowCount += counts.touchedCount;
    shares.to[count] = shares.rowCount;
    shares.whole[count] = saturate(whole, FILE.k1);
    inPath[count - numberFrom] = path;
    shares.count += 1;
    return count;
  }

  /** Forgets what was read. */
  function end(): void {
    if (shares.rows.segment.length <= SPARE_ROWS_MAX) spare = shares.rows;
    shares.rows = shareRows(0);
  }

  return { shares, begin, sharesOf, end };
}

/** Adds a row for each affected segment and clears its counts; returns how many have the term. */
function addRows(
  { rows: { segment, forList }, rowCount, forFile, fileFrom }: Shares,
  base: number,
  { code, comment, name, signature, container, touched, seen, touchedCount }: TermCounts,
  { forFile: fileNorm, forList: listNorm }: FileSegments,
  inPath: number,
): number {
  let held = 0;
  for (let index = 0; index < touchedCount; index += 1) {
    const at = touched[index] ?? 0;
    const inCode = code[at] ?? 0;
    const inComment = comment[at] ?? 0;
    const inName = name[at] ?? 0;
    const above = container[at] ?? 0;
    const fixed = inName + (signature[at] ?? 0) + inPath;
    if (inCode + inComment + inName > 0) held += 1;
    const fileShare =
      (inCode + FOR_FILE.comment * inComment) / (fileNorm[at] ?? 1) + fixed + FOR_FILE.container * above;
    const listShare =
      (inCode + FOR_LIST.comment * inComment) / (listNorm[at] ?? 1) + fixed + FOR_LIST.container * above;
    const row = rowCount + index;
    segment[row] = base + at;
    forFile[row - fileFrom] = saturate(fileShare, FOR_FILE.k1);
    forList[row] = saturate(listShare, FOR_LIST.k1);
    code[at] = 0;
    comment[at] = 0;
    name[at] = 0;
    signature[at] = 0;
    container[at] = 0;
    seen[at] = 0;
  }
  return held;
}

/** Ensures room for one more term with this many rows. */
function makeRoom(shares: Shares, rowsAdded: number): void {
  const { rows, rowCount, count } = shares;
  const needed = rowCount + rowsAdded;
  if (needed > rows.segment.length) {
    shares.rows = shareRows(Math.max(2 * rows.segment.length, needed));
    shares.rows.segment.set(rows.segment);
    shares.rows.forList.set(rows.forList);
  }
  if (needed - shares.fileFrom > shares.forFile.length)
    shares.forFile = longerShares(shares.forFile, needed - shares.fileFrom);
  if (count === shares.whole.length) {
    const size = Math.max(2 * count, SHARES_MIN);
    shares.whole = longerShares(shares.whole, size);
    shares.held = longer(shares.held, size);
    shares.from = longer(shares.from, size);
    shares.to = longer(shares.to, size);
  }
}

const SHARES_MIN = 64;

function longerShares(column: Float64Array, size: number): Float64Array {
  const larger = new Float64Array(Math.max(2 * column.length, size));
  larger.set(column);
  return larger;
}
