/**
 * Adds up what the terms of one space contribute to files and to their segments.
 *
 * Files are added one after another, which keeps their data in the cache. The shares of terms stay with the reader, for both spaces, until
 * all files are added, because the rarity of a term is known only then. Sums run in the order of the terms.
 */
import { idf } from "./bm25.ts";
import { type Hits, PATH_ENTRY } from "./hits.ts";
import type { InPath } from "./path-words.ts";
import type { ShareReader } from "./term-frequencies.ts";

const NOT_IN_PATH: InPath = { term: -1, path: 0, name: 0 };

/** Scores of files, and of segments in one numbering. */
export type SpaceScores = {
  readonly content: Float64Array;
  readonly forFile: Float64Array;
  readonly forList: Float64Array;
};

/** The size of the corpus: the number of files, and of segments in all of them and in those with a hit. */
type CorpusSize = { readonly files: number; readonly segments: number; readonly scored: number };

/** `weights` are by the index of the term in the query; `hits` are those of all files. */
export function termSpace(weights: readonly number[], hits: Hits, size: CorpusSize, { shares, sharesOf }: ShareReader) {
  const { term: hitTerm, entry: hitEntry, from, to, inPath, holders } = hits;
  const fileWeights = Float64Array.from(weights, (weight, term) => weight * idf(size.files, holders[term] ?? 0));
  const content = new Float64Array(size.files);
  const forFile = new Float64Array(size.scored);
  /** How many segments have each term in their text or name. */
  const holding = new Int32Array(weights.length);
  /** The terms that have shares, and the numbers of these, in the order in which they were added. */
  const sharing = { term: new Int16Array(hitTerm.length), given: new Int32Array(hitTerm.length) };
  let sharingCount = 0;

  /** Adds the file at `position`, which the reader has started. */
  function addFile(position: number): void {
    const end = to[position] ?? 0;
    const paths = inPath[position] ?? [];
    let nextPath = 0;
    let score = 0;
    for (let next = from[position] ?? 0; next < end; ) {
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
      addToFile(weight, shares.from[given] ?? 0, shares.to[given] ?? 0);
      sharing.term[sharingCount] = term;
      sharing.given[sharingCount] = given;
      sharingCount += 1;
    }
    content[position] = score;
  }

  function addToFile(weight: number, from: number, to: number): void {
    const { rows, forFile: inFile, fileFrom } = shares;
    const { segment: segments } = rows;
    for (let row = from; row < to; row += 1) {
      const segment = segments[row] ?? 0;
      forFile[segment] = (forFile[segment] ?? 0) + weight * (inFile[row - fileFrom] ?? 0);
    }
  }

  /** The scores, after all files are added. Call once. */
  function scores(): SpaceScores {
    const listWeights = Float64Array.from(weights, (weight, term) => weight * idf(size.segments, holding[term] ?? 0));
    const forList = new Float64Array(size.scored);
    const { from, to, rows } = shares;
    const { segment, forList: share } = rows;
    for (let next = 0; next < sharingCount; next += 1) {
      const given = sharing.given[next] ?? 0;
      const weight = listWeights[sharing.term[next] ?? 0] ?? 0;
      const end = to[given] ?? 0;
      for (let row = from[given] ?? 0; row < end; row += 1) {
        const at = segment[row] ?? 0;
        forList[at] = (forList[at] ?? 0) + weight * (share[row] ?? 0);
      }
    }
    return { content, forFile, forList };
  }

  return { addFile, scores };
}
