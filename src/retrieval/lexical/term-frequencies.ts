/**
 * The contribution of a term to one file and to its segments, before weights.
 *
 * Most terms of a file are one entry in both term spaces, so the result of an entry is computed once.
 */
import { lengthNorm, saturate } from "./bm25.ts";
import type { Postings } from "./corpus.ts";
import type { CorpusFiles } from "./corpus-files.ts";
import type { Averages, FileSegments } from "./file-segments.ts";
import type { InPath } from "./path-terms.ts";
import { type TermCounts, termCounter } from "./term-counts.ts";

/** Files: BM25F. Field weights multiply counts; names and paths are not normalized by the file's length. */
const FILE = { k1: 0.8, b: 0.5, nameB: 0.5, comment: 0.5, signature: 1, name: 2, path: 2, fileName: 2 } as const;
/** Definitions, for the sum over their file. */
export const FOR_FILE = { k1: 2, b: 0.75, comment: 0.5, container: 1 } as const;
/** Definitions, for the list of definitions. */
export const FOR_LIST = { k1: 1.2, b: 0.4, comment: 0.5, container: 2 } as const;

/**
 * By number. The affected segments are in the rows from `from` to `to`; `held` is how many of them have the term in their
 * text or name.
 */
type Shares = {
  readonly whole: number[];
  readonly held: number[];
  readonly from: number[];
  readonly to: number[];
  /** By row: the segment of the file, and its share in the sum over the file and in the list of definitions. */
  segment: Int32Array;
  forFile: Float64Array;
  forList: Float64Array;
};

const NO_BYTES = new Uint8Array(0);

/** Initial number of rows for one file. */
const ROWS = 1 << 12;

export type ShareReader = ReturnType<typeof shareReader>;

/** Reads one file after another. */
export function shareReader(files: CorpusFiles, postings: Postings, averages: Averages, segments: FileSegments) {
  const shares: Shares = {
    whole: [],
    held: [],
    from: [],
    to: [],
    segment: new Int32Array(ROWS),
    forFile: new Float64Array(ROWS),
    forList: new Float64Array(ROWS),
  };
  const inPath: InPath[] = [];
  /** The number + 1 of an entry's shares among those of its file, 0 if unknown. */
  const known = new Int32Array(postings.count);
  let count = 0;
  let rowCount = 0;
  const counter = termCounter(segments.parent.length, postings, segments);
  const { counts } = counter;
  const { inFile } = counts;
  let bodyNorm = 1;
  let nameNorm = 1;

  /** Starts the file at a position, whose segments are in `segments`. */
  function begin(position: number): void {
    count = 0;
    rowCount = 0;
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
      const at = inPath[before];
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
    shares.from[count] = rowCount;
    shares.held[count] = addRows(shares, rowCount, counts, segments, path.path);
    rowCount += counts.touchedCount;
    shares.to[count] = rowCount;
    shares.whole[count] = saturate(whole, FILE.k1);
    inPath[count] = path;
    count += 1;
    return count - 1;
  }

  return { shares, begin, sharesOf };
}

/** Adds a row for each affected segment from row `first` on and clears its counts; returns how many have the term. */
function addRows(
  shares: Shares,
  first: number,
  { code, comment, name, signature, container, touched, seen, touchedCount }: TermCounts,
  { forFile: fileNorm, forList: listNorm }: FileSegments,
  inPath: number,
): number {
  makeRoom(shares, first, touchedCount);
  const { segment, forFile, forList } = shares;
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
    const row = first + index;
    segment[row] = at;
    forFile[row] = saturate(fileShare, FOR_FILE.k1);
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

/** Ensures room for `count` rows after the first `used`, which are kept. */
function makeRoom(shares: Shares, used: number, count: number): void {
  if (used + count <= shares.segment.length) return;
  const room = Math.max(2 * shares.segment.length, used + count);
  const { segment, forFile, forList } = shares;
  shares.segment = new Int32Array(room);
  shares.forFile = new Float64Array(room);
  shares.forList = new Float64Array(room);
  shares.segment.set(segment);
  shares.forFile.set(forFile);
  shares.forList.set(forList);
}
