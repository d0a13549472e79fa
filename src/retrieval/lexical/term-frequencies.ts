/**
 * What a term gives to one file and to its segments, before weights.
 *
 * Text counts for its segment and for every function around it. Most terms of a file are one entry of it in both term
 * spaces, so the result of an entry is computed once.
 */
import { FIELD, postingCount, postingField, postingSegment, type TermStats } from "../../text/terms/term-stats.ts";
import { lengthNorm, saturate } from "./bm25.ts";
import type { Averages, FileSegments } from "./file-segments.ts";
import type { InPath } from "./path-terms.ts";

/** Files: BM25F. Field weights multiply counts; names and paths are not divided by the file's length. */
const FILE = { k1: 0.8, b: 0.5, nameB: 0.5, comment: 0.5, signature: 1, name: 2, path: 2, fileName: 2 } as const;
/** Definitions, for the sum over their file. */
export const FOR_FILE = { k1: 2, b: 0.75, comment: 0.5, container: 1 } as const;
/** Definitions, for the list of definitions. */
export const FOR_LIST = { k1: 1.2, b: 0.4, comment: 0.5, container: 2 } as const;

/**
 * By number. The segments that something is given to are those of the rows from `from` to `to`; `held` is how many of
 * them hold the term in their text or name.
 */
export type Shares = {
  readonly whole: number[];
  readonly held: number[];
  readonly from: number[];
  readonly to: number[];
  /** By row: the segment of the file, and its share in the sum over the file and in the list of definitions. */
  segment: Int32Array;
  forFile: Float64Array;
  forList: Float64Array;
};

/** Rows of one file, at first. */
const ROWS = 1 << 12;

export type ShareReader = ReturnType<typeof shareReader>;

/** Reads one file after another, of up to so many segments and entries. */
export function shareReader(segmentsMax: number, entriesMax: number, averages: Averages, segments: FileSegments) {
  const { parent, fold, forFile: fileNorm, forList: listNorm } = segments;
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
  /** The number + 1 of what an entry gives, 0 where that is not known. */
  const known = new Int32Array(entriesMax);
  const knownEntries = new Int32Array(entriesMax);
  let knownCount = 0;
  let count = 0;
  let rowCount = 0;
  const code = new Float64Array(segmentsMax);
  const comment = new Float64Array(segmentsMax);
  const name = new Float64Array(segmentsMax);
  const signature = new Float64Array(segmentsMax);
  const container = new Float64Array(segmentsMax);
  const seen = new Uint8Array(segmentsMax);
  const touched = new Int32Array(segmentsMax);
  let words: Int32Array = NO_WORDS;
  let startAt = 0;
  let postingAt = 0;
  let segmentCount = 0;
  let bodyNorm = 1;
  let nameNorm = 1;

  /** Begins a file, whose segments are in `segments`; null for one without statistics. */
  function begin(file: TermStats | null): void {
    for (let index = 0; index < knownCount; index += 1) known[knownEntries[index] ?? 0] = 0;
    knownCount = 0;
    count = 0;
    rowCount = 0;
    words = file?.words ?? NO_WORDS;
    startAt = file?.startAt ?? 0;
    postingAt = file?.postingAt ?? 0;
    segmentCount = file?.segmentCount ?? 0;
    bodyNorm = lengthNorm(file === null ? 0 : file.codeTerms + file.commentTerms, averages.fileTerms, FILE.b);
    nameNorm = lengthNorm(file?.segmentCount ?? 1, averages.fileSegments, FILE.nameB);
  }

  /** The number of a term's shares. Its entries are those from `next` to `last`; `path` is what the path holds of it. */
  function sharesOf(entries: Int32Array, next: number, last: number, path: InPath): number {
    if (last - next !== 1) return read(entries, next, last, path);
    const entry = entries[next] ?? 0;
    const before = (known[entry] ?? 0) - 1;
    if (before >= 0) {
      const at = inPath[before];
      if (at === path || (at?.path === path.path && at.name === path.name)) return before;
    } else {
      knownEntries[knownCount] = entry;
      knownCount += 1;
    }
    const found = read(entries, next, last, path);
    known[entry] = found + 1;
    return found;
  }

  function read(entries: Int32Array, next: number, last: number, path: InPath): number {
    let touchedCount = 0;
    let fileCode = 0;
    let fileComment = 0;
    let fileName = 0;
    let fileSignature = 0;
    for (let index = next; index < last; index += 1) {
      const at = startAt + (entries[index] ?? 0);
      const end = postingAt + (words[at + 1] ?? 0);
      for (let next = postingAt + (words[at] ?? 0); next < end; next += 1) {
        const posting = words[next] ?? 0;
        const times = postingCount(posting);
        const field = postingField(posting);
        let segment = postingSegment(posting);
        if (field <= FIELD.comment) {
          const counts = field === FIELD.code ? code : comment;
          if (field === FIELD.code) fileCode += times;
          else fileComment += times;
          for (; segment >= 0; segment = fold[segment] ?? -1) {
            counts[segment] = (counts[segment] ?? 0) + times;
            if (seen[segment] === 1) continue;
            seen[segment] = 1;
            touched[touchedCount] = segment;
            touchedCount += 1;
          }
          continue;
        }
        const counts = field === FIELD.name ? name : signature;
        if (field === FIELD.name) fileName += times;
        else fileSignature += times;
        counts[segment] = (counts[segment] ?? 0) + times;
        if (seen[segment] === 1) continue;
        seen[segment] = 1;
        touched[touchedCount] = segment;
        touchedCount += 1;
      }
    }
    if (fileName > 0 || path.path > 0) touchedCount = touchMembers(touchedCount, fileName > 0, path);
    const body = fileCode + FILE.comment * fileComment + FILE.signature * fileSignature;
    const named = (FILE.name * fileName) / nameNorm;
    const whole = body / bodyNorm + named + FILE.path * path.path + FILE.fileName * path.name;
    shares.from[count] = rowCount;
    shares.held[count] = addRows(touchedCount, path);
    shares.to[count] = rowCount;
    shares.whole[count] = saturate(whole, FILE.k1);
    inPath[count] = path;
    count += 1;
    return count - 1;
  }

  /** Touches the segments that the path or the name of their container gives something; returns how many are touched. */
  function touchMembers(touchedBefore: number, inName: boolean, path: InPath): number {
    let touchedCount = touchedBefore;
    for (let segment = 0; segment < segmentCount; segment += 1) {
      const above = parent[segment] ?? -1;
      const named = inName && above >= 0 ? (name[above] ?? 0) : 0;
      container[segment] = named;
      if ((named === 0 && path.path === 0) || seen[segment] === 1) continue;
      seen[segment] = 1;
      touched[touchedCount] = segment;
      touchedCount += 1;
    }
    return touchedCount;
  }

  /** Adds a row for each touched segment and clears its counts; returns how many hold the term in their text or name. */
  function addRows(touchedCount: number, path: InPath): number {
    makeRoom(shares, rowCount, touchedCount);
    const { segment: rowSegment, forFile: rowForFile, forList: rowForList } = shares;
    let held = 0;
    for (let index = 0; index < touchedCount; index += 1) {
      const at = touched[index] ?? 0;
      const inCode = code[at] ?? 0;
      const inComment = comment[at] ?? 0;
      const inName = name[at] ?? 0;
      const above = container[at] ?? 0;
      const fixed = inName + (signature[at] ?? 0) + path.path;
      if (inCode + inComment + inName > 0) held += 1;
      const fileShare =
        (inCode + FOR_FILE.comment * inComment) / (fileNorm[at] ?? 1) + fixed + FOR_FILE.container * above;
      const listShare =
        (inCode + FOR_LIST.comment * inComment) / (listNorm[at] ?? 1) + fixed + FOR_LIST.container * above;
      rowSegment[rowCount] = at;
      rowForFile[rowCount] = saturate(fileShare, FOR_FILE.k1);
      rowForList[rowCount] = saturate(listShare, FOR_LIST.k1);
      rowCount += 1;
      code[at] = 0;
      comment[at] = 0;
      name[at] = 0;
      signature[at] = 0;
      container[at] = 0;
      seen[at] = 0;
    }
    return held;
  }

  return { shares, begin, sharesOf };
}

const NO_WORDS = new Int32Array(0);

/** Room for `count` rows more than the first `used`, which are kept. */
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
