/**
 * The segments of all files in one numbering, with the averages that length is measured by.
 */
import { CONTAINERS, SEGMENT_KINDS } from "../text/segments.ts";
import { type SegmentInfo, segmentInfo, type TermStats } from "../text/term-stats.ts";
import type { Enclosure } from "./lexical-tally.ts";

export type Layout = Enclosure & {
  readonly segments: readonly SegmentInfo[];
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
  const segments: SegmentInfo[] = [];
  const parents: number[] = [];
  const start = new Int32Array(stats.length + 1);
  let fileTerms = 0;
  let definitionTerms = 0;
  let definitions = 0;
  stats.forEach((file, place) => {
    const base = segments.length;
    for (let index = 0; file !== null && index < file.segmentCount; index += 1) {
      const segment = segmentInfo(file, index);
      segments.push(segment);
      parents.push(segment.parent < 0 ? -1 : base + segment.parent);
    }
    start[place + 1] = segments.length;
    if (file === null) return;
    fileTerms += file.codeTerms + file.commentTerms;
    definitionTerms += file.definitionTerms;
    definitions += file.segmentCount - 1;
  });
  const parent = Int32Array.from(parents);
  const files = Math.max(1, stats.length);
  const meanFile = fileTerms / files;
  return {
    segments,
    start,
    parent,
    fold: foldTargets(segments, parent),
    averages: {
      fileTerms: Math.max(1, meanFile),
      fileSegments: Math.max(1, segments.length / files),
      definitionTerms: Math.max(1, definitions > 0 ? definitionTerms / definitions : meanFile),
    },
  };
}

/** Parents come before their members, so one pass forwards does it. */
function foldTargets(segments: readonly SegmentInfo[], parent: Int32Array): Int32Array {
  const fold = new Int32Array(segments.length).fill(-1);
  for (let at = 0; at < fold.length; at += 1) {
    const above = parent[at] ?? -1;
    if (above >= 0) fold[at] = INCLUDES[segments[above]?.kind ?? 0] ? above : (fold[above] ?? -1);
  }
  return fold;
}
