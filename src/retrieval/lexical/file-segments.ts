/** The segments of one file in the form that scoring needs, in arrays that are reused for every file. */
import { CONTAINERS, SEGMENT_KINDS } from "../../text/terms/segments.ts";
import { nextVarint, type VarintReader } from "../../text/terms/varints.ts";
import { lengthNorm } from "./bm25.ts";
import type { CorpusFiles } from "./corpus-files.ts";

/** The influence of length on definitions, 0 to 1: in the sum over their file, and in the list of definitions. */
type LengthShares = { readonly forFile: number; readonly forList: number };

/** Means over files of terms and segments, and over definitions of terms; at least 1 each. */
export type Averages = {
  readonly fileTerms: number;
  readonly fileSegments: number;
  readonly definitionTerms: number;
};

/** The means over files, also those without statistics. */
export function averagesOf(corpus: CorpusFiles): Averages {
  let fileTerms = 0;
  let definitionTerms = 0;
  let definitions = 0;
  let segments = 0;
  const { segmentCount } = corpus;
  for (let position = 0; position < segmentCount.length; position += 1) {
    const count = segmentCount[position] ?? 0;
    if (count === 0) continue;
    segments += count;
    fileTerms += corpus.fileTerms[position] ?? 0;
    definitionTerms += corpus.definitionTerms[position] ?? 0;
    definitions += count - 1;
  }
  const files = Math.max(1, segmentCount.length);
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
const NO_BYTES = new Uint8Array(0);
/** Whether a segment of this kind includes the text of the definitions inside it. */
const INCLUDES = Uint8Array.from(SEGMENT_KINDS, (kind) => (CONTAINERS.has(kind) ? 0 : 1));

/** Of segments: the symbol's index in the file's facts (-1 for the rest of a file), and the number of its kind. */
type SegmentNames = { readonly ordinal: Int32Array; readonly kind: Uint8Array };

/** `read` fills `segments` with those of one file, of up to `segmentsMax`. Parents come before their members. */
export function segmentReader(files: CorpusFiles, segmentsMax: number, definitionTerms: number, b: LengthShares) {
  const parent = new Int32Array(segmentsMax);
  const fold = new Int32Array(segmentsMax);
  const forFile = new Float64Array(segmentsMax);
  const forList = new Float64Array(segmentsMax);
  const reader: VarintReader = { bytes: NO_BYTES, at: 0 };

  /** Reads the file at a position. The names of its segments are written to rows from `base` on. */
  function read(position: number, { ordinal, kind }: SegmentNames, base: number): void {
    const segmentCount = files.segmentCount[position] ?? 0;
    reader.bytes = files.sources[files.source[position] ?? 0] ?? NO_BYTES;
    reader.at = files.segmentAt[position] ?? 0;
    for (let index = 0; index < segmentCount; index += 1) {
      ordinal[base + index] = nextVarint(reader) - 1;
      kind[base + index] = nextVarint(reader);
      const named = nextVarint(reader) - 1;
      const above = named < index ? named : -1;
      const length = Math.max(nextVarint(reader) + nextVarint(reader), LENGTH_MIN);
      // Characters, which scoring does not need.
      nextVarint(reader);
      parent[index] = above;
      fold[index] = above < 0 ? -1 : INCLUDES[kind[base + above] ?? 0] === 1 ? above : (fold[above] ?? -1);
      forFile[index] = lengthNorm(length, definitionTerms, b.forFile);
      forList[index] = lengthNorm(length, definitionTerms, b.forList);
    }
  }

  const segments: FileSegments = { parent, fold, forFile, forList };
  return { segments, read };
}
