/**
 * The segments of all files in one numbering, with the averages that length is measured by.
 *
 * Columns of numbers, as there may be hundreds of thousands of segments.
 */
import { CONTAINERS, SEGMENT_KINDS } from "../text/segments.ts";
import { SEGMENT_WORDS, type TermStats } from "../text/term-stats.ts";
import type { Enclosure } from "./lexical-tally.ts";

export type Layout = Enclosure & {
  /** By segment: the symbol's index in the file's facts (-1 for the rest of a file), its kind, its length in terms. */
  readonly ordinal: Int32Array;
  readonly kind: Uint8Array;
  readonly terms: Float64Array;
  /** First segment of each file; the number of all segments at the end. */
  readonly start: Int32Array;
  /** Means over files of terms and segments, and over definitions of terms; at least 1 each. */
  readonly averages: {
    readonly fileTerms: number;
    readonly fileSegments: number;
    readonly definitionTerms: number;
  };
};

/** Whether a segment of this kind includes the text of what is defined inside it. */
const INCLUDES = SEGMENT_KINDS.map((kind) => !CONTAINERS.has(kind));

/** Lays out the segments of files in the order given; null stands for a file without statistics. */
export function layOut(stats: readonly (TermStats | null)[]): Layout {
  const start = new Int32Array(stats.length + 1);
  let fileTerms = 0;
  let definitionTerms = 0;
  let definitions = 0;
  let size = 0;
  for (let place = 0; place < stats.length; place += 1) {
    const file = stats[place] ?? null;
    if (file !== null) {
      size += file.segmentCount;
      fileTerms += file.codeTerms + file.commentTerms;
      definitionTerms += file.definitionTerms;
      definitions += file.segmentCount - 1;
    }
    start[place + 1] = size;
  }
  const columns = {
    ordinal: new Int32Array(size),
    kind: new Uint8Array(size),
    terms: new Float64Array(size),
    parent: new Int32Array(size),
  };
  for (let place = 0; place < stats.length; place += 1) {
    const file = stats[place] ?? null;
    if (file !== null) readSegments(file, start[place] ?? 0, columns);
  }
  const files = Math.max(1, stats.length);
  const meanFile = fileTerms / files;
  return {
    ...columns,
    start,
    fold: foldTargets(columns.kind, columns.parent),
    averages: {
      fileTerms: Math.max(1, meanFile),
      fileSegments: Math.max(1, size / files),
      definitionTerms: Math.max(1, definitions > 0 ? definitionTerms / definitions : meanFile),
    },
  };
}

type Columns = Pick<Layout, "ordinal" | "kind" | "terms" | "parent">;

/** Reads the words of a file's segments, of which the first is `base`. The word for none is -1 when it is signed. */
function readSegments(
  { words, segmentAt, segmentCount }: TermStats,
  base: number,
  { ordinal, kind, terms, parent }: Columns,
): void {
  for (let index = 0, at = segmentAt; index < segmentCount; index += 1, at += SEGMENT_WORDS) {
    const above = (words[at + 2] ?? 0) | 0;
    ordinal[base + index] = (words[at] ?? 0) | 0;
    kind[base + index] = words[at + 1] ?? 0;
    parent[base + index] = above < 0 ? -1 : base + above;
    terms[base + index] = (words[at + 3] ?? 0) + (words[at + 4] ?? 0);
  }
}

/** Parents come before their members, so one pass forwards does it. */
function foldTargets(kind: Uint8Array, parent: Int32Array): Int32Array {
  const fold = new Int32Array(parent.length).fill(-1);
  for (let at = 0; at < fold.length; at += 1) {
    const above = parent[at] ?? -1;
    if (above >= 0) fold[at] = INCLUDES[kind[above] ?? 0] ? above : (fold[above] ?? -1);
  }
  return fold;
}
