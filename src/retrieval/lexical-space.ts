/**
 * What the terms of one space give to files and to their segments.
 *
 * Files are added one after another, so that what is read of a file is near, and each term's share is kept until all
 * were seen: only then is known how rare a term is. Text counts for its segment and for every function around it.
 * Invariant: what a file or a segment gets is summed in the order of the terms.
 * Not here: which terms a file holds (`lexical-corpus.ts`), how long its segments are (`lexical-segments.ts`).
 */
import { FIELD, postingCount, postingField, postingSegment, type TermStats } from "../text/term-stats.ts";
import { idf, lengthNorm, saturate } from "./bm25.ts";
import { type Hits, PATH_ENTRY } from "./lexical-corpus.ts";
import type { InPath } from "./lexical-paths.ts";
import type { Averages, FileSegments } from "./lexical-segments.ts";

/** Files: BM25F. Field weights multiply counts; names and paths are not divided by the file's length. */
const FILE = { k1: 0.8, b: 0.5, nameB: 0.5, comment: 0.5, signature: 1, name: 2, path: 2, fileName: 2 } as const;
/** Definitions, for the sum over their file. */
export const FOR_FILE = { k1: 2, b: 0.75, comment: 0.5, container: 1 } as const;
/** Definitions, for the list of definitions. */
export const FOR_LIST = { k1: 1.2, b: 0.4, comment: 0.5, container: 2 } as const;

const NOT_IN_PATH: InPath = { term: -1, path: 0, name: 0 };

/** Scores of files, and of all segments in one numbering. */
export type SpaceScores = {
  readonly content: Float64Array;
  readonly forFile: Float64Array;
  readonly forList: Float64Array;
};

/** How large the corpus is: files, segments of all of them, and segments of the largest. */
export type CorpusSize = { readonly files: number; readonly segments: number; readonly segmentsMax: number };

/**
 * Shares of segments in the list of definitions, a row each. There may be millions, so rows are kept for the next
 * space that wants some: new memory costs more than filling it.
 */
type Rows = { readonly segment: Int32Array; readonly term: Int16Array; readonly share: Float64Array };
const spare: Rows[] = [];
const SPARE_MAX = 2;
const SPARE_ROWS_MAX = 1 << 20;
/** About what a file's hit of a term takes. */
const ROWS_A_HIT = 4;

const rowsFor = (room: number): Rows => ({
  segment: new Int32Array(room),
  term: new Int16Array(room),
  share: new Float64Array(room),
});

/** Room for `count` rows more than the first `used`, which are kept. */
function withRoom(rows: Rows, used: number, count: number): Rows {
  if (used + count <= rows.share.length) return rows;
  const larger = rowsFor(Math.max(2 * rows.share.length, used + count));
  larger.segment.set(rows.segment);
  larger.term.set(rows.term);
  larger.share.set(rows.share);
  return larger;
}

/** A space whose terms weigh this much, by their index in the query; `hits` are those of all files. */
export function termSpace(weights: readonly number[], hits: Hits, size: CorpusSize, averages: Averages) {
  const { term: hitTerm, entry: hitEntry, start, inPath, holders } = hits;
  const { segmentsMax } = size;
  const fileWeights = Float64Array.from(weights, (weight, term) => weight * idf(size.files, holders[term] ?? 0));
  const content = new Float64Array(size.files);
  const forFile = new Float64Array(size.segments);
  /** How many segments hold each term in their text or name. */
  const holding = new Int32Array(weights.length);
  const code = new Float64Array(segmentsMax);
  const comment = new Float64Array(segmentsMax);
  const name = new Float64Array(segmentsMax);
  const signature = new Float64Array(segmentsMax);
  const container = new Float64Array(segmentsMax);
  const seen = new Uint8Array(segmentsMax);
  const touched = new Int32Array(segmentsMax);
  let rows = spare.pop() ?? rowsFor(ROWS_A_HIT * hitTerm.length);
  let rowCount = 0;

  /** Adds the file at `place`, whose first segment is `base`. */
  function addFile(place: number, file: TermStats | null, base: number, segments: FileSegments): void {
    const { parent, fold, forFile: fileNorm, forList: listNorm } = segments;
    const end = start[place + 1] ?? 0;
    const paths = inPath[place] ?? [];
    const words = file?.words ?? NO_WORDS;
    const startAt = file?.startAt ?? 0;
    const postingAt = file?.postingAt ?? 0;
    const segmentCount = file?.segmentCount ?? 0;
    const bodyNorm = lengthNorm(file === null ? 0 : file.codeTerms + file.commentTerms, averages.fileTerms, FILE.b);
    const nameNorm = lengthNorm(file?.segmentCount ?? 1, averages.fileSegments, FILE.nameB);
    let nextPath = 0;
    let score = 0;
    for (let next = start[place] ?? 0; next < end; ) {
      const term = hitTerm[next] ?? 0;
      let path = NOT_IN_PATH;
      let count = 0;
      let fileCode = 0;
      let fileComment = 0;
      let fileName = 0;
      let fileSignature = 0;
      for (; next < end && hitTerm[next] === term; next += 1) {
        const entry = hitEntry[next] ?? 0;
        if (entry === PATH_ENTRY) {
          path = paths[nextPath] ?? NOT_IN_PATH;
          nextPath += 1;
          continue;
        }
        const last = postingAt + (words[startAt + entry + 1] ?? 0);
        for (let at = postingAt + (words[startAt + entry] ?? 0); at < last; at += 1) {
          const posting = words[at] ?? 0;
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
              touched[count] = segment;
              count += 1;
            }
            continue;
          }
          const counts = field === FIELD.name ? name : signature;
          if (field === FIELD.name) fileName += times;
          else fileSignature += times;
          counts[segment] = (counts[segment] ?? 0) + times;
          if (seen[segment] === 1) continue;
          seen[segment] = 1;
          touched[count] = segment;
          count += 1;
        }
      }
      const inName = fileName > 0;
      if (inName || path.path > 0) {
        // Members know how often the term stands in the name of what directly encloses them.
        for (let segment = 0; segment < segmentCount; segment += 1) {
          const above = parent[segment] ?? -1;
          const named = inName && above >= 0 ? (name[above] ?? 0) : 0;
          container[segment] = named;
          if ((named === 0 && path.path === 0) || seen[segment] === 1) continue;
          seen[segment] = 1;
          touched[count] = segment;
          count += 1;
        }
      }
      const body = fileCode + FILE.comment * fileComment + FILE.signature * fileSignature;
      const named = (FILE.name * fileName) / nameNorm;
      const whole = body / bodyNorm + named + FILE.path * path.path + FILE.fileName * path.name;
      const weight = fileWeights[term] ?? 0;
      score += weight * saturate(whole, FILE.k1);
      rows = withRoom(rows, rowCount, count);
      const { segment: rowSegment, term: rowTerm, share: rowShare } = rows;
      let held = 0;
      for (let index = 0; index < count; index += 1) {
        const at = touched[index] ?? 0;
        const here = code[at] ?? 0;
        const said = comment[at] ?? 0;
        const called = name[at] ?? 0;
        const above = container[at] ?? 0;
        const fixed = called + (signature[at] ?? 0) + path.path;
        if (here + said + called > 0) held += 1;
        const fileShare = (here + FOR_FILE.comment * said) / (fileNorm[at] ?? 1) + fixed + FOR_FILE.container * above;
        const listShare = (here + FOR_LIST.comment * said) / (listNorm[at] ?? 1) + fixed + FOR_LIST.container * above;
        forFile[base + at] = (forFile[base + at] ?? 0) + weight * saturate(fileShare, FOR_FILE.k1);
        rowSegment[rowCount] = base + at;
        rowTerm[rowCount] = term;
        rowShare[rowCount] = saturate(listShare, FOR_LIST.k1);
        rowCount += 1;
      }
      holding[term] = (holding[term] ?? 0) + held;
      for (let index = 0; index < count; index += 1) {
        const at = touched[index] ?? 0;
        code[at] = 0;
        comment[at] = 0;
        name[at] = 0;
        signature[at] = 0;
        container[at] = 0;
        seen[at] = 0;
      }
    }
    content[place] = score;
  }

  /** The scores, when all files are added. To be asked for once. */
  function scores(): SpaceScores {
    const listWeights = Float64Array.from(weights, (weight, term) => weight * idf(size.segments, holding[term] ?? 0));
    const forList = new Float64Array(size.segments);
    const { segment, term, share } = rows;
    for (let row = 0; row < rowCount; row += 1) {
      const at = segment[row] ?? 0;
      forList[at] = (forList[at] ?? 0) + (listWeights[term[row] ?? 0] ?? 0) * (share[row] ?? 0);
    }
    if (spare.length < SPARE_MAX && share.length <= SPARE_ROWS_MAX) spare.push(rows);
    rows = rowsFor(0);
    rowCount = 0;
    return { content, forFile, forList };
  }

  return { addFile, scores };
}

const NO_WORDS = new Int32Array(0);
