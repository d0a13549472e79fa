/**
 * Scores definitions and rests of files from their sums in both term spaces, and files by the best of theirs.
 *
 * A large repository has a million of them, so each step reads all columns once.
 */
import { geometricSum } from "./bm25.ts";
import type { SpaceScores } from "./term-space.ts";

/** The share of a file's second best definition in its sum; the third gets its square, and so on. */
const NEXT_SHARE = 0.6;
/** The share of the stemmed space in the list of definitions: names seldom have the form of the word in an issue. */
const STEMS_IN_LIST = 0.6;

/**
 * Definitions and rests of files, one a row. `position` is that of the file in the list of files, `ordinal` the symbol's
 * index in the file's facts (-1 for the rest), `kind` its number in `SEGMENT_KINDS`.
 */
export type ScoredSegments = {
  readonly count: number;
  readonly position: Int32Array;
  readonly ordinal: Int32Array;
  readonly kind: Uint8Array;
  readonly score: Float64Array;
};

type SegmentSums = Pick<SpaceScores, "forFile" | "forList">;

/** The segments of the file at a position are those from `start[position]` to `start[position + 1]`, at most `segmentsMax`. */
type Segments = {
  readonly start: Int32Array;
  readonly segmentsMax: number;
  readonly names: Pick<ScoredSegments, "ordinal" | "kind">;
};

/** `byFile` are sums of scores; the best of `listed` after damping would be 1. */
type SegmentScores = { readonly byFile: Float64Array; readonly listed: ScoredSegments };

/** `factors` are the path penalties, by position. Overwrites the sums. */
export function segmentScores(
  written: SegmentSums,
  stemmed: SegmentSums,
  segments: Segments,
  factors: Float64Array,
): SegmentScores {
  const best = bestSums(written, stemmed, segments, factors);
  const byFile = new Float64Array(factors.length);
  const held = new Float64Array(segments.segmentsMax);
  let matching = 0;
  let bestListed = 0;
  for (let position = 0; position < factors.length; position += 1) {
    const factor = factors[position] ?? 1;
    const end = segments.start[position + 1] ?? 0;
    let count = 0;
    for (let at = segments.start[position] ?? 0; at < end; at += 1) {
      const inText = mean(written.forFile[at] ?? 0, best.fileWritten, stemmed.forFile[at] ?? 0, best.fileStemmed, 0.5);
      // Most segments have no hits and stay 0.
      if (inText > 0) held[count++] = inText;
      const listed = mean(
        written.forList[at] ?? 0,
        best.listWritten,
        stemmed.forList[at] ?? 0,
        best.listStemmed,
        STEMS_IN_LIST,
      );
      written.forList[at] = listed;
      if (listed <= 0) continue;
      matching += 1;
      if (listed * factor > bestListed) bestListed = listed * factor;
    }
    if (count > 0) byFile[position] = geometricSum(held, count, NEXT_SHARE);
  }
  return { byFile, listed: matchingSegments(written.forList, matching, bestListed, segments) };
}

/** The mean of a sum in both spaces, each divided by its best. Most are 0 in both. */
const mean = (a: number, bestA: number, b: number, bestB: number, shareOfB: number): number =>
  a === 0 && b === 0 ? 0 : (1 - shareOfB) * (a / bestA) + shareOfB * (b / bestB);

/** The largest sums after damping; 1 where all are 0. */
function bestSums(written: SegmentSums, stemmed: SegmentSums, { start }: Segments, factors: Float64Array) {
  let [fileWritten, fileStemmed, listWritten, listStemmed] = [0, 0, 0, 0];
  for (let position = 0; position < factors.length; position += 1) {
    const factor = factors[position] ?? 1;
    const end = start[position + 1] ?? 0;
    for (let at = start[position] ?? 0; at < end; at += 1) {
      fileWritten = Math.max(fileWritten, (written.forFile[at] ?? 0) * factor);
      fileStemmed = Math.max(fileStemmed, (stemmed.forFile[at] ?? 0) * factor);
      listWritten = Math.max(listWritten, (written.forList[at] ?? 0) * factor);
      listStemmed = Math.max(listStemmed, (stemmed.forList[at] ?? 0) * factor);
    }
  }
  return {
    fileWritten: fileWritten || 1,
    fileStemmed: fileStemmed || 1,
    listWritten: listWritten || 1,
    listStemmed: listStemmed || 1,
  };
}

/** The `count` segments with a score, each divided by the best. */
function matchingSegments(
  scores: Float64Array,
  count: number,
  best: number,
  { start, names: { ordinal, kind } }: Segments,
): ScoredSegments {
  const found = {
    position: new Int32Array(count),
    ordinal: new Int32Array(count),
    kind: new Uint8Array(count),
    score: new Float64Array(count),
  };
  let row = 0;
  for (let position = 0; position < start.length - 1; position += 1) {
    const end = start[position + 1] ?? 0;
    for (let segment = start[position] ?? 0; segment < end; segment += 1) {
      const score = scores[segment] ?? 0;
      if (score <= 0) continue;
      found.position[row] = position;
      found.ordinal[row] = ordinal[segment] ?? -1;
      found.kind[row] = kind[segment] ?? 0;
      found.score[row] = best > 0 ? score / best : score;
      row += 1;
    }
  }
  return { count, ...found };
}
