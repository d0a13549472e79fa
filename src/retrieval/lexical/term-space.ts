/**
 * Adds up what the terms of one space contribute to files and to their segments.
 *
 * Files are added one after another, which keeps their data in the cache. The shares of terms are kept until all files are
 * added, because the rarity of a term is known only then. Sums run in the order of the terms.
 */
import { idf } from "./bm25.ts";
import { type Hits, PATH_ENTRY } from "./corpus.ts";
import type { InPath } from "./path-terms.ts";
import type { ShareReader } from "./term-frequencies.ts";

const NOT_IN_PATH: InPath = { term: -1, path: 0, name: 0 };

/** Scores of files, and of segments in one numbering. */
type SpaceScores = {
  readonly content: Float64Array;
  readonly forFile: Float64Array;
  readonly forList: Float64Array;
};

/** The size of the corpus: the number of files, and of segments in all of them and in those with a hit. */
type CorpusSize = { readonly files: number; readonly segments: number; readonly scored: number };

/** Shares of segments in the list of definitions. Rows are reused: new memory for millions of rows costs more than filling it. */
type Rows = { readonly segment: Int32Array; readonly term: Int16Array; readonly share: Float64Array };
const spare: Rows[] = [];
const SPARE_MAX = 2;
const SPARE_ROWS_MAX = 1 << 20;
/** The average number of rows for one hit. */
const ROWS_A_HIT = 4;

const rowsFor = (room: number): Rows => ({
  segment: new Int32Array(room),
  term: new Int16Array(room),
  share: new Float64Array(room),
});

/** The rows with room for `count` more after the first `used`. */
function withRoom(rows: Rows, used: number, count: number): Rows {
  if (used + count <= rows.share.length) return rows;
  const larger = rowsFor(Math.max(2 * rows.share.length, used + count));
  larger.segment.set(rows.segment);
  larger.term.set(rows.term);
  larger.share.set(rows.share);
  return larger;
}

/** `weights` are by the index of the term in the query; `hits` are those of all files. */
export function termSpace(weights: readonly number[], hits: Hits, size: CorpusSize, { shares, sharesOf }: ShareReader) {
  const { term: hitTerm, entry: hitEntry, start, inPath, holders } = hits;
  const fileWeights = Float64Array.from(weights, (weight, term) => weight * idf(size.files, holders[term] ?? 0));
  const content = new Float64Array(size.files);
  const forFile = new Float64Array(size.scored);
  /** How many segments have each term in their text or name. */
  const holding = new Int32Array(weights.length);
  let rows = spare.pop() ?? rowsFor(ROWS_A_HIT * hitTerm.length);
  let rowCount = 0;

  /** Adds the file at `position`, which the reader has started; its first segment is `base`. */
  function addFile(position: number, base: number): void {
    const end = start[position + 1] ?? 0;
    const paths = inPath[position] ?? [];
    let nextPath = 0;
    let score = 0;
    for (let next = start[position] ?? 0; next < end; ) {
      const term = hitTerm[next] ?? 0;
      const first = next;
      do next += 1;
      while (next < end && hitTerm[next] === term);
      let last = next;
      let path = NOT_IN_PATH;
      if (hitEntry[next - 1] === PATH_ENTRY) {
        last -= 1;
        path = paths[nextPath] ?? NOT_IN_PATH;
        nextPath += 1;
      }
      const given = sharesOf(hitEntry, first, last, path);
      const weight = fileWeights[term] ?? 0;
      score += weight * (shares.whole[given] ?? 0);
      holding[term] = (holding[term] ?? 0) + (shares.held[given] ?? 0);
      addRows(term, weight, base, shares.from[given] ?? 0, shares.to[given] ?? 0);
    }
    content[position] = score;
  }

  function addRows(term: number, weight: number, base: number, from: number, to: number): void {
    rows = withRoom(rows, rowCount, to - from);
    const { segment: rowSegment, term: rowTerm, share: rowShare } = rows;
    const { segment: segments, forFile: inFile, forList: inList } = shares;
    let row = rowCount;
    for (let at = from; at < to; at += 1) {
      const segment = base + (segments[at] ?? 0);
      forFile[segment] = (forFile[segment] ?? 0) + weight * (inFile[at] ?? 0);
      rowSegment[row] = segment;
      rowTerm[row] = term;
      rowShare[row] = inList[at] ?? 0;
      row += 1;
    }
    rowCount = row;
  }

  /** The scores, after all files are added. Call once. */
  function scores(): SpaceScores {
    const listWeights = Float64Array.from(weights, (weight, term) => weight * idf(size.segments, holding[term] ?? 0));
    const forList = new Float64Array(size.scored);
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
