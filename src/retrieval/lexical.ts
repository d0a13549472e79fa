/**
 * How well files and definitions match a task's words.
 *
 * Two lists, each scored in the exact and the stemmed term space and averaged after dividing by the
 * best: files by BM25F over code, comments, signatures, names of definitions and path; definitions by
 * BM25 over their text, name, signature, container and path. Constants are those that real issues
 * supported. Every sum runs over the query's terms in their order, so that neither ids nor the order
 * of rows can change a bit of the result.
 *
 * Not here: gathering (`lexical-corpus.ts`), fusing with anchors (`ranking.ts`).
 */
import type { FileRow, KnowledgeBase } from "../db/curated.ts";
import type { Section } from "../task/query.ts";
import { divideByMax, geometricSum, idf, lengthNorm, saturate } from "./bm25.ts";
import { type Corpus, gatherCorpus, type Holders } from "./lexical-corpus.ts";
import { type Layout, layOut } from "./lexical-layout.ts";
import type { InPath } from "./lexical-paths.ts";
import { type WeightedTerms, weighTerms } from "./lexical-query.ts";
import { createTally, type Tally } from "./lexical-tally.ts";
import { atOnce, type Steps } from "./steps.ts";

/** Files: BM25F. Field weights multiply counts; names and paths are not divided by the file's length. */
const FILE = { k1: 0.8, b: 0.5, nameB: 0.5, comment: 0.5, signature: 1, name: 2, path: 2, fileName: 2 } as const;
/** Definitions, for the sum over their file. */
const FOR_FILE = { k1: 2, b: 0.75, comment: 0.5, container: 1 } as const;
/** Definitions, for the list of definitions. */
const FOR_LIST = { k1: 1.2, b: 0.4, comment: 0.5, container: 2 } as const;
/** Shorter definitions count as this long, in terms. */
const LENGTH_MIN = 120;
/** The share of a file's second best definition in its sum; the third gets its square, and so on. */
const NEXT_SHARE = 0.6;

/**
 * A definition, or the rest of a file. `place` is that of the file in the list of files, `ordinal` the symbol's index in
 * the file's facts (-1 for the rest), `kind` its number in `SEGMENT_KINDS`.
 */
export type ScoredSegment = {
  readonly place: number;
  readonly ordinal: number;
  readonly kind: number;
  readonly score: number;
};

export type TextScores = {
  /** By place of the file; the best is 1. */
  readonly content: Float64Array;
  readonly definitions: Float64Array;
  /** Segments that match at all, scored as a list of their own (the best is 1), by file and position in it. */
  readonly segments: readonly ScoredSegment[];
};

/** Scores all files and their definitions against a task's text. */
export const scoreText = (kb: KnowledgeBase, files: readonly FileRow[], sections: readonly Section[]): TextScores =>
  atOnce(scoreTextInSteps(kb, files, sections));

/** Scores all files and their definitions against a task's text, in steps. */
export function* scoreTextInSteps(
  kb: KnowledgeBase,
  files: readonly FileRow[],
  sections: readonly Section[],
): Steps<TextScores> {
  const query = weighTerms(sections);
  const corpus = gatherCorpus(kb, files, query);
  yield;
  const layout = layOut(corpus.stats);
  const tally = createTally(layout);
  const norms = normsOf(corpus.stats, layout);
  const exact = scoreSpace(corpus, layout, corpus.exact, query.exact, norms, tally);
  yield;
  const stems = scoreSpace(corpus, layout, corpus.stems, query.stems, norms, tally);
  return {
    content: divideByMax(average(exact.content, stems.content)),
    definitions: divideByMax(sumByFile(layout, average(exact.forFile, stems.forFile))),
    segments: matching(layout, divideByMax(average(exact.forList, stems.forList))),
  };
}

type SpaceScores = { readonly content: Float64Array; readonly forFile: Float64Array; readonly forList: Float64Array };

/** Scores one term space, a term at a time: how rare a term is, is known when all that hold it were seen. */
function scoreSpace(
  { stats }: Corpus,
  layout: Layout,
  terms: readonly Holders[],
  query: WeightedTerms,
  norms: Norms,
  tally: Tally,
): SpaceScores {
  const { start } = layout;
  const segments = layout.parent.length;
  const content = new Float64Array(stats.length);
  const forFile = new Float64Array(segments);
  const forList = new Float64Array(segments);
  const rows = emptyRows(stats.length, segments);

  terms.forEach(({ places, entries, inPath }, term) => {
    let holding = 0;
    let paths = 0;
    for (let next = 0; next < places.length; ) {
      const place = places[next] ?? 0;
      const base = start[place] ?? 0;
      const end = start[place + 1] ?? 0;
      const file = stats[place] ?? null;
      let path = NOT_IN_PATH;
      for (; next < places.length && places[next] === place; next += 1) {
        const entry = entries[next] ?? -1;
        if (entry < 0) path = inPath[paths++] ?? NOT_IN_PATH;
        else if (file !== null) tally.read(file, base, entry);
      }
      if (tally.file.name > 0) tally.passNamesDown(base, end);
      if (path.path > 0) tally.touchAll(base, end);
      holding += addRows(rows, tally, norms, place, path);
      tally.clear();
    }
    const weight = query.weights[term] ?? 0;
    const fileWeight = weight * idf(stats.length, rows.files.count);
    const listWeight = weight * idf(segments, holding);
    addShares(content, rows.files, rows.fileShares, fileWeight);
    addShares(forFile, rows.segments, rows.definitionShares, fileWeight);
    addShares(forList, rows.segments, rows.listShares, listWeight);
    rows.files.count = 0;
    rows.segments.count = 0;
  });
  return { content: divideByMax(content), forFile: divideByMax(forFile), forList: divideByMax(forList) };
}

/** A list of places or segments that is refilled for each term. */
type Refilled = { readonly at: Int32Array; count: number };

/** What one term gives to each file and segment that holds it, before its weight. */
type Rows = {
  readonly files: Refilled;
  readonly fileShares: Float64Array;
  readonly segments: Refilled;
  readonly definitionShares: Float64Array;
  readonly listShares: Float64Array;
};

const emptyRows = (files: number, segments: number): Rows => ({
  files: { at: new Int32Array(files), count: 0 },
  fileShares: new Float64Array(files),
  segments: { at: new Int32Array(segments), count: 0 },
  definitionShares: new Float64Array(segments),
  listShares: new Float64Array(segments),
});

type Norms = {
  readonly body: Float64Array;
  readonly names: Float64Array;
  readonly definition: Float64Array;
  readonly list: Float64Array;
};

const NOT_IN_PATH: InPath = { path: 0, name: 0 };

function normsOf(stats: Corpus["stats"], { terms, averages }: Layout): Norms {
  const norms = {
    body: new Float64Array(stats.length),
    names: new Float64Array(stats.length),
    definition: new Float64Array(terms.length),
    list: new Float64Array(terms.length),
  };
  for (let place = 0; place < stats.length; place += 1) {
    const file = stats[place] ?? null;
    const length = file === null ? 0 : file.codeTerms + file.commentTerms;
    norms.body[place] = lengthNorm(length, averages.fileTerms, FILE.b);
    norms.names[place] = lengthNorm(file?.segmentCount ?? 1, averages.fileSegments, FILE.nameB);
  }
  for (let at = 0; at < terms.length; at += 1) {
    const length = Math.max(terms[at] ?? 0, LENGTH_MIN);
    norms.definition[at] = lengthNorm(length, averages.definitionTerms, FOR_FILE.b);
    norms.list[at] = lengthNorm(length, averages.definitionTerms, FOR_LIST.b);
  }
  return norms;
}

/** Adds what the tallied term gives to this file and its segments; answers how many segments hold it in text or name. */
function addRows(rows: Rows, tally: Tally, norms: Norms, place: number, path: InPath): number {
  const { code, comment, name, signature, container, touched, file } = tally;
  const body = file.code + FILE.comment * file.comment + FILE.signature * file.signature;
  const named = (FILE.name * file.name) / (norms.names[place] ?? 1);
  const count = body / (norms.body[place] ?? 1) + named + FILE.path * path.path + FILE.fileName * path.name;
  rows.files.at[rows.files.count] = place;
  rows.fileShares[rows.files.count] = saturate(count, FILE.k1);
  rows.files.count += 1;
  let holding = 0;
  for (let index = 0; index < file.touched; index += 1) {
    const at = touched[index] ?? 0;
    const here = code[at] ?? 0;
    const said = comment[at] ?? 0;
    const called = name[at] ?? 0;
    const above = container[at] ?? 0;
    const fixed = called + (signature[at] ?? 0) + path.path;
    if (here + said + called > 0) holding += 1;
    const row = rows.segments.count;
    const inFile = (here + FOR_FILE.comment * said) / (norms.definition[at] ?? 1) + fixed + FOR_FILE.container * above;
    const inList = (here + FOR_LIST.comment * said) / (norms.list[at] ?? 1) + fixed + FOR_LIST.container * above;
    rows.segments.at[row] = at;
    rows.definitionShares[row] = saturate(inFile, FOR_FILE.k1);
    rows.listShares[row] = saturate(inList, FOR_LIST.k1);
    rows.segments.count = row + 1;
  }
  return holding;
}

function addShares(scores: Float64Array, { at, count }: Refilled, shares: Float64Array, weight: number): void {
  for (let row = 0; row < count; row += 1) {
    const index = at[row] ?? 0;
    scores[index] = (scores[index] ?? 0) + weight * (shares[row] ?? 0);
  }
}

/** The mean of both, in place of the first. */
function average(a: Float64Array, b: Float64Array): Float64Array {
  for (let at = 0; at < a.length; at += 1) a[at] = ((a[at] ?? 0) + (b[at] ?? 0)) / 2;
  return a;
}

function sumByFile({ start }: Layout, scores: Float64Array): Float64Array {
  const sums = new Float64Array(start.length - 1);
  for (let place = 0; place < sums.length; place += 1)
    sums[place] = geometricSum(scores.subarray(start[place], start[place + 1]), NEXT_SHARE);
  return sums;
}

function matching({ ordinal, kind, start }: Layout, scores: Float64Array): readonly ScoredSegment[] {
  const found: ScoredSegment[] = [];
  for (let place = 0; place + 1 < start.length; place += 1) {
    const end = start[place + 1] ?? 0;
    for (let at = start[place] ?? 0; at < end; at += 1) {
      const score = scores[at] ?? 0;
      if (score > 0) found.push({ place, ordinal: ordinal[at] ?? -1, kind: kind[at] ?? 0, score });
    }
  }
  return found;
}
