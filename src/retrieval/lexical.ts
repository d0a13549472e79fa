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
import type { SegmentInfo } from "../text/term-stats.ts";
import { divideByMax, geometricSum, idf, lengthNorm, saturate } from "./bm25.ts";
import { type Corpus, gatherCorpus, type TermSpace } from "./lexical-corpus.ts";
import { type Layout, layOut } from "./lexical-layout.ts";
import { type WeightedTerms, weighTerms } from "./lexical-query.ts";
import { createTally, type Tally } from "./lexical-tally.ts";

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

/** A definition, or the rest of a file (`ordinal` -1). `place` is that of the file in the list of files. */
export type ScoredSegment = SegmentInfo & { readonly place: number; readonly score: number };

export type TextScores = {
  /** By place of the file; the best is 1. */
  readonly content: Float64Array;
  readonly definitions: Float64Array;
  /** Segments that match at all, scored as a list of their own (the best is 1), by file and position in it. */
  readonly segments: readonly ScoredSegment[];
};

/** Scores all files and their definitions against a task's text. */
export function scoreText(kb: KnowledgeBase, files: readonly FileRow[], sections: readonly Section[]): TextScores {
  const query = weighTerms(sections);
  const corpus = gatherCorpus(kb, files, query);
  const layout = layOut(corpus.stats);
  const exact = scoreSpace(corpus, layout, corpus.exact, query.exact);
  const stems = scoreSpace(corpus, layout, corpus.stems, query.stems);
  return {
    content: divideByMax(average(exact.content, stems.content)),
    definitions: divideByMax(sumByFile(layout, average(exact.forFile, stems.forFile))),
    segments: matching(layout, divideByMax(average(exact.forList, stems.forList))),
  };
}

type SpaceScores = { readonly content: Float64Array; readonly forFile: Float64Array; readonly forList: Float64Array };

function scoreSpace(corpus: Corpus, layout: Layout, space: TermSpace, query: WeightedTerms): SpaceScores {
  const { segments, averages } = layout;
  const rarity = countHolders(corpus, layout, space);
  const lengths = Float64Array.from(segments, ({ terms }) => Math.max(terms, LENGTH_MIN));
  const fileNorms = lengths.map((length) => lengthNorm(length, averages.definitionTerms, FOR_FILE.b));
  const listNorms = lengths.map((length) => lengthNorm(length, averages.definitionTerms, FOR_LIST.b));
  const content = new Float64Array(corpus.stats.length);
  const forFile = new Float64Array(segments.length);
  const forList = new Float64Array(segments.length);
  const { code, comment, name, signature, container } = rarity.tally;

  forEachTerm(corpus, layout, space, rarity.tally, (place, term, path) => {
    const file = corpus.stats[place] ?? null;
    const fileTerms = file === null ? 0 : file.codeTerms + file.commentTerms;
    const bodyNorm = lengthNorm(fileTerms, averages.fileTerms, FILE.b);
    const nameNorm = lengthNorm(file?.segmentCount ?? 1, averages.fileSegments, FILE.nameB);
    const whole = rarity.tally.file;
    const body = whole.code + FILE.comment * whole.comment + FILE.signature * whole.signature;
    const count =
      body / bodyNorm + (FILE.name * whole.name) / nameNorm + FILE.path * path.path + FILE.fileName * path.name;
    const weight = query.weights[term] ?? 0;
    const fileIdf = weight * (rarity.fileIdf[term] ?? 0);
    const listIdf = weight * (rarity.segmentIdf[term] ?? 0);
    content[place] = (content[place] ?? 0) + fileIdf * saturate(count, FILE.k1);
    for (const at of rarity.tally.touched) {
      const here = code[at] ?? 0;
      const said = comment[at] ?? 0;
      const fixed = (name[at] ?? 0) + (signature[at] ?? 0) + path.path;
      const above = container[at] ?? 0;
      const fileCount = (here + FOR_FILE.comment * said) / (fileNorms[at] ?? 1) + fixed + FOR_FILE.container * above;
      const listCount = (here + FOR_LIST.comment * said) / (listNorms[at] ?? 1) + fixed + FOR_LIST.container * above;
      forFile[at] = (forFile[at] ?? 0) + fileIdf * saturate(fileCount, FOR_FILE.k1);
      forList[at] = (forList[at] ?? 0) + listIdf * saturate(listCount, FOR_LIST.k1);
    }
  });
  return { content: divideByMax(content), forFile: divideByMax(forFile), forList: divideByMax(forList) };
}

type Rarity = { readonly fileIdf: Float64Array; readonly segmentIdf: Float64Array; readonly tally: Tally };

/** How rare each term is: among files, in text or path; among segments, in text or name. */
function countHolders(corpus: Corpus, layout: Layout, space: TermSpace): Rarity {
  const tally = createTally(layout);
  const inFiles = new Float64Array(space.termCount);
  const inSegments = new Float64Array(space.termCount);
  const { code, comment, name } = tally;
  forEachTerm(corpus, layout, space, tally, (_, term) => {
    let holding = 0;
    for (const at of tally.touched) if ((code[at] ?? 0) + (comment[at] ?? 0) + (name[at] ?? 0) > 0) holding += 1;
    inFiles[term] = (inFiles[term] ?? 0) + 1;
    inSegments[term] = (inSegments[term] ?? 0) + holding;
  });
  return {
    fileIdf: inFiles.map((holding) => idf(corpus.stats.length, holding)),
    segmentIdf: inSegments.map((holding) => idf(layout.segments.length, holding)),
    tally,
  };
}

type InPath = { readonly path: number; readonly name: number };
const NOT_IN_PATH: InPath = { path: 0, name: 0 };

/** Visits each term of each file, files and terms in order, with the tally filled for it. */
function forEachTerm(
  { stats }: Corpus,
  { start }: Layout,
  { pairStart, pairTerm, pairEntry, pathTerms }: TermSpace,
  tally: Tally,
  visit: (place: number, term: number, path: InPath) => void,
): void {
  stats.forEach((file, place) => {
    const base = start[place] ?? 0;
    const end = start[place + 1] ?? 0;
    const last = pairStart[place + 1] ?? 0;
    let pair = pairStart[place] ?? 0;
    while (pair < last) {
      const term = pairTerm[pair] ?? 0;
      let path = NOT_IN_PATH;
      for (; pair < last && pairTerm[pair] === term; pair += 1) {
        const entry = pairEntry[pair] ?? -1;
        if (entry < 0) path = pathTerms[place]?.find((row) => row.term === term) ?? NOT_IN_PATH;
        else if (file !== null) tally.read(file, base, entry);
      }
      if (tally.file.name > 0) tally.passNamesDown(base, end);
      if (path.path > 0) tally.touchAll(base, end);
      visit(place, term, path);
      tally.clear();
    }
  });
}

const average = (a: Float64Array, b: Float64Array): Float64Array => a.map((value, at) => (value + (b[at] ?? 0)) / 2);

function sumByFile({ start }: Layout, scores: Float64Array): Float64Array {
  return new Float64Array(start.length - 1).map((_, place) =>
    geometricSum(scores.slice(start[place], start[place + 1]), NEXT_SHARE),
  );
}

function matching({ segments, start }: Layout, scores: Float64Array): readonly ScoredSegment[] {
  const found: ScoredSegment[] = [];
  let place = 0;
  segments.forEach((segment, at) => {
    while (at >= (start[place + 1] ?? Number.POSITIVE_INFINITY)) place += 1;
    const score = scores[at] ?? 0;
    if (score > 0) found.push({ ...segment, place, score });
  });
  return found;
}
