/**
 * How often one term occurs in a file: in all of it, and in each of its segments.
 *
 * Text counts for its segment and for every function around it.
 */
import { FIELD, packedCount, packedField, packedStep } from "../../text/terms/term-stats.ts";
import { nextVarint, type VarintReader } from "../../text/terms/varints.ts";
import type { Postings } from "./corpus.ts";
import type { FileSegments } from "./file-segments.ts";

const NO_BYTES = new Uint8Array(0);

/** Of one term. The first five are by segment; `container` is what the name of the segment around has. */
export type TermCounts = ReturnType<typeof noCounts>;

const noCounts = (segmentsMax: number) => ({
  code: new Float64Array(segmentsMax),
  comment: new Float64Array(segmentsMax),
  name: new Float64Array(segmentsMax),
  signature: new Float64Array(segmentsMax),
  container: new Float64Array(segmentsMax),
  inFile: { code: 0, comment: 0, name: 0, signature: 0 },
  /** The segments that something is given to, in any order; `seen` is 1 for these. */
  touched: new Int32Array(segmentsMax),
  touchedCount: 0,
  seen: new Uint8Array(segmentsMax),
});

/**
 * Counts terms in one file after another, each of at most `segmentsMax` segments, which the last argument describes. The reader of a
 * term's counts sets them to 0 again for the touched segments, and `seen` too.
 */
export function termCounter(segmentsMax: number, { from, to }: Postings, { parent, fold }: FileSegments) {
  const counts = noCounts(segmentsMax);
  const { code, comment, name, signature, container, inFile, touched, seen } = counts;
  const reader: VarintReader = { bytes: NO_BYTES, at: 0 };
  let segmentCount = 0;

  /** Begins a file with this many segments, whose postings are in `bytes`. */
  function begin(bytes: Uint8Array, segments: number): void {
    reader.bytes = bytes;
    segmentCount = segments;
  }

  /** Counts the term whose entries are those from `next` to `last`; `inPath` if the path holds it too. */
  function count(entries: Int32Array, next: number, last: number, inPath: boolean): void {
    let touchedCount = 0;
    let fileCode = 0;
    let fileComment = 0;
    let fileName = 0;
    let fileSignature = 0;
    for (let index = next; index < last; index += 1) {
      const entry = entries[index] ?? 0;
      const end = to[entry] ?? 0;
      let ownSegment = 0;
      for (reader.at = from[entry] ?? 0; reader.at < end; ) {
        const head = nextVarint(reader);
        const times = packedCount(head, reader);
        const field = packedField(head);
        ownSegment += packedStep(head);
        let segment = ownSegment;
        if (field <= FIELD.comment) {
          const ofText = field === FIELD.code ? code : comment;
          if (field === FIELD.code) fileCode += times;
          else fileComment += times;
          for (; segment >= 0; segment = fold[segment] ?? -1) {
            ofText[segment] = (ofText[segment] ?? 0) + times;
            if (seen[segment] === 1) continue;
            seen[segment] = 1;
            touched[touchedCount] = segment;
            touchedCount += 1;
          }
          continue;
        }
        const ofHeading = field === FIELD.name ? name : signature;
        if (field === FIELD.name) fileName += times;
        else fileSignature += times;
        ofHeading[segment] = (ofHeading[segment] ?? 0) + times;
        if (seen[segment] === 1) continue;
        seen[segment] = 1;
        touched[touchedCount] = segment;
        touchedCount += 1;
      }
    }
    inFile.code = fileCode;
    inFile.comment = fileComment;
    inFile.name = fileName;
    inFile.signature = fileSignature;
    counts.touchedCount = fileName > 0 || inPath ? touchMembers(touchedCount, fileName > 0, inPath) : touchedCount;
  }

  /** Touches the segments that the path or the name of their container gives something; returns how many are touched. */
  function touchMembers(touchedBefore: number, inName: boolean, inPath: boolean): number {
    let touchedCount = touchedBefore;
    for (let segment = 0; segment < segmentCount; segment += 1) {
      const above = parent[segment] ?? -1;
      const named = inName && above >= 0 ? (name[above] ?? 0) : 0;
      container[segment] = named;
      if ((named === 0 && !inPath) || seen[segment] === 1) continue;
      seen[segment] = 1;
      touched[touchedCount] = segment;
      touchedCount += 1;
    }
    return touchedCount;
  }

  return { counts, begin, count };
}
