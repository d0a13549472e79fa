/**
 * Scores files and definitions by how well they match a task's words.
 *
 * There are two lists, each scored in the exact and the stemmed term space and averaged after dividing by the best after
 * damping (a test that repeats the words must not set the scale): files by BM25F over code, comments, signatures, names of
 * definitions and path; definitions by BM25 over their text, name, signature, container and path. Constants are measured on
 * real issues. Every sum runs in the order of the query's terms, so that neither ids nor the order of rows change a bit.
 */
import { isDeepStrictEqual } from "node:util";
import type { FileQueries, FileRow } from "../../db/curated/knowledge-base.ts";
import type { Section } from "../../task/query.ts";
import type { Steps } from "../model/steps.ts";
import { divideByBest, idf, largest } from "./bm25.ts";
import { findTerms } from "./corpus.ts";
import type { CorpusFiles } from "./corpus-files.ts";
import { averagesOf, segmentReader } from "./file-segments.ts";
import { type Hits, PATH_ENTRY } from "./hits.ts";
import { keptAhead } from "./kept-ahead.ts";
import { type ScoredSegments, segmentScores } from "./segment-scores.ts";
import { FOR_FILE, FOR_LIST, shareReader } from "./term-frequencies.ts";
import { termSpace } from "./term-space.ts";
import { type LexicalQuery, weighTerms } from "./weighted-terms.ts";

/** Files between two yields. */
const FILES_A_STEP = 2_000;

export type TextScores = {
  /** By position of the file; the best after damping would be 1. */
  readonly content: Float64Array;
  readonly definitions: Float64Array;
  /** The segments with a score (the best after damping would be 1), by file and position in it. */
  readonly segments: ScoredSegments;
  /** The stems of the task that the file at a position contains, each with its weight and rarity in one number. */
  readonly matched: (position: number) => readonly MatchedStem[];
};

export type MatchedStem = { readonly stem: string; readonly weight: number; readonly inPath: boolean };

/** Scores that a run will ask for. */
export const KEPT_SCORES = keptAhead<
  { readonly sections: readonly Section[]; readonly factors: Float64Array },
  TextScores
>((a, b) => isDeepStrictEqual(a, b));

/**
 * Scores all files and their definitions against a task's text. `factors` are the path penalties in 0..1, by position.
 * They only set the scale here; the sum of all signals applies them (`score.ts`).
 */
export function* scoreText(
  kb: Pick<FileQueries, "termStats">,
  files: readonly FileRow[],
  sections: readonly Section[],
  factors: Float64Array,
): Steps<TextScores> {
  const kept = KEPT_SCORES.take(files, { sections, factors });
  if (kept !== null) return kept;
  const query = weighTerms(sections);
  const { stats, postings, exact: exactHits, stems: stemHits } = findTerms(kb, files, query);
  yield;
  const isHit = (position: number): boolean =>
    stemHits.from[position] !== stemHits.to[position] || exactHits.from[position] !== exactHits.to[position];
  const { start, segmentsMax, segments: all } = numbered(stats, isHit);
  const size = { files: files.length, segments: all, scored: start[files.length] ?? 0 };
  const averages = averagesOf(stats);
  const { segments, read } = segmentReader(stats, segmentsMax, averages.definitionTerms, {
    forFile: FOR_FILE.b,
    forList: FOR_LIST.b,
  });
  const names = { ordinal: new Int32Array(size.scored), kind: new Uint8Array(size.scored) };
  const reader = shareReader(stats, postings, averages, segments);
  const exact = termSpace(query.exact.weights, exactHits, size, reader);
  const stems = termSpace(query.stems.weights, stemHits, size, reader);
  for (let position = 0; position < size.files; position += 1) {
    if (!isHit(position)) continue;
    const first = start[position] ?? 0;
    read(position, names, first);
    reader.begin(position, first);
    exact.addFile(position);
    stems.addFile(position);
    if (position % FILES_A_STEP === FILES_A_STEP - 1) yield;
  }
  const [written, stemmed] = [exact.scores(), stems.scores()];
  reader.end();
  const { byFile, listed } = segmentScores(written, stemmed, { start, segmentsMax, names }, factors);
  return {
    content: divideByBest(averaged(written.content, stemmed.content, factors), factors),
    definitions: divideByBest(byFile, factors),
    segments: listed,
    matched: (position) => matchedStems(query.stems, stemHits, size.files, position),
  };
}

function matchedStems(
  { terms, weights }: LexicalQuery["stems"],
  { term, entry, from, to, holders }: Hits,
  files: number,
  position: number,
): readonly MatchedStem[] {
  const found = new Map<number, MatchedStem>();
  for (let hit = from[position] ?? 0; hit < (to[position] ?? 0); hit += 1) {
    const index = term[hit] ?? 0;
    const weight = (weights[index] ?? 0) * idf(files, holders[index] ?? 0);
    // The entry of the path comes last of a term's.
    found.set(index, { stem: terms[index] ?? "", weight, inPath: entry[hit] === PATH_ENTRY });
  }
  return [...found.values()];
}

/** `segments` are those of all files. */
type Numbered = { readonly start: Int32Array; readonly segmentsMax: number; readonly segments: number };

/** Numbers the segments of files with a hit in one sequence: the first of each file, the total at the end, and the maximum in one file. */
function numbered({ segmentCount }: CorpusFiles, isHit: (position: number) => boolean): Numbered {
  const start = new Int32Array(segmentCount.length + 1);
  let segmentsMax = 0;
  let segments = 0;
  for (let position = 0; position < segmentCount.length; position += 1) {
    const count = segmentCount[position] ?? 0;
    segments += count;
    if (count > segmentsMax) segmentsMax = count;
    start[position + 1] = (start[position] ?? 0) + (isHit(position) ? count : 0);
  }
  return { start, segmentsMax, segments };
}

/** Overwrites `a` with the mean of both, each divided by its best. */
function averaged(a: Float64Array, b: Float64Array, factors: Float64Array): Float64Array {
  const [bestA, bestB] = [largest(a, factors) || 1, largest(b, factors) || 1];
  for (let at = 0; at < a.length; at += 1) {
    const ofA = a[at] ?? 0;
    const ofB = b[at] ?? 0;
    // Most are 0 in both.
    if (ofA !== 0 || ofB !== 0) a[at] = 0.5 * (ofA / bestA) + 0.5 * (ofB / bestB);
  }
  return a;
}
