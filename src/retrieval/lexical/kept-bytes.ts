/** Keeps of a block of statistics what scoring reads after the block has passed: a tenth of its bytes. */
import type { CorpusFiles, OpenedBlock } from "./corpus-files.ts";

type Sources = Pick<CorpusFiles, "segmentAt" | "source"> & { readonly sources: Uint8Array[] };

/** Where the postings of the entries from `first` to `end` are in the block. */
type Found = { readonly from: Int32Array; readonly to: Int32Array; readonly first: number; readonly end: number };

/** Copies the segments of a block's files, and the postings that were found in it, to a source of their own, and says so in both columns. */
export function keepBytes(files: Sources, opened: OpenedBlock, { from, to, first, end }: Found): void {
  const { block, positions, segmentsFrom, segmentsTo } = opened;
  let size = segmentsTo - segmentsFrom;
  for (let entry = first; entry < end; entry += 1) size += (to[entry] ?? 0) - (from[entry] ?? 0);
  const { bytes } = block;
  const kept = new Uint8Array(size);
  kept.set(bytes.subarray(segmentsFrom, segmentsTo));
  let at = segmentsTo - segmentsFrom;
  for (let entry = first; entry < end; entry += 1) {
    const stop = to[entry] ?? 0;
    let next = from[entry] ?? 0;
    from[entry] = at;
    // A copy by `set` takes longer: most have few bytes.
    for (; next < stop; next += 1) kept[at++] = bytes[next] ?? 0;
    to[entry] = at;
  }
  let source = -1;
  for (const position of positions) {
    if (position < 0) continue;
    files.segmentAt[position] = (files.segmentAt[position] ?? 0) - segmentsFrom;
    source = files.source[position] ?? -1;
  }
  if (source >= 0) files.sources[source] = kept;
}
