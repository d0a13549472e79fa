/** The segments of one file in the form that scoring needs, in arrays that are reused for every file. */
import { CONTAINERS, SEGMENT_KINDS } from "../../text/terms/segments.ts";
import { SEGMENT_WORDS, segmentsOf, type TermStats } from "../../text/terms/term-stats.ts";
import { lengthNorm } from "./bm25.ts";

/** The influence of length on definitions, 0 to 1: in the sum over their file, and in the list of definitions. */
type LengthShares = { readonly forFile: number; readonly forList: number };

/** Means over files of terms and segments, and over definitions of terms; at least 1 each. */
export type Averages = {
  readonly fileTerms: number;
  readonly fileSegments: number;
  readonly definitionTerms: number;
};

/** The means over files; null is a file without statistics. */
export function averagesOf(stats: readonly (TermStats | null)[]): Averages {
  let fileTerms = 0;
  let definitionTerms = 0;
  let definitions = 0;
  let segments = 0;
  for (const file of stats) {
    if (file === null) continue;
    segments += file.segmentCount;
    fileTerms += file.codeTerms + file.commentTerms;
    definitionTerms += file.definitionTerms;
    definitions += file.segmentCount - 1;
  }
  const files = Math.max(1, stats.length);
  const meanFile = fileTerms / files;
  return {
    fileTerms: Math.max(1, meanFile),
    fileSegments: Math.max(1, segments / files),
    definitionTerms: Math.max(1, definitions > 0 ? definitionTerms / definitions : meanFile),
  };
}

/** By segment of the file; `parent` and `fold` are segments of it, -1 for none. */
export type FileSegments = {
  /** The segment directly around it. */
  readonly parent: Int32Array;
  /** The nearest enclosing segment that includes its text. */
  readonly fold: Int32Array;
  /** The divisor of counts for the segment's length. */
  readonly forFile: Float64Array;
  readonly forList: Float64Array;
};

/** Shorter definitions count as this long, in terms. */
const LENGTH_MIN = 120;
/** Whether a segment of this kind includes the text of the definitions inside it. */
const INCLUDES = Uint8Array.from(SEGMENT_KINDS, (kind) => (CONTAINERS.has(kind) ? 0 : 1));

/** `read` fills `segments` with those of one file, of up to `segmentsMax`. Parents come before their members. */
export function segmentReader(segmentsMax: number, definitionTerms: number, b: LengthShares) {
  const parent = new Int32Array(segmentsMax);
  const fold = new Int32Array(segmentsMax);
  const forFile = new Float64Array(segmentsMax);
  const forList = new Float64Array(segmentsMax);

  function read(file: TermStats): void {
    const { segmentCount } = file;
    const words = segmentsOf(file);
    for (let index = 0, at = 0; index < segmentCount; index += 1, at += SEGMENT_WORDS) {
      const named = words[at + 2] ?? -1;
      const above = named < index ? named : -1;
      const length = Math.max((words[at + 3] ?? 0) + (words[at + 4] ?? 0), LENGTH_MIN);
      parent[index] = above;
      fold[index] =
        above < 0 ? -1 : INCLUDES[words[SEGMENT_WORDS * above + 1] ?? 0] === 1 ? above : (fold[above] ?? -1);
      forFile[index] = lengthNorm(length, definitionTerms, b.forFile);
      forList[index] = lengthNorm(length, definitionTerms, b.forList);
    }
  }

  const segments: FileSegments = { parent, fold, forFile, forList };
  return { segments, read };
}
