/** Counts a batch of files, in the form that a thread hands over and the stat cache stores. */
import { packCounts, type TextCounts, unpackCounts } from "../../text/terms/count-block.ts";
import { type CountedTree, countFile, type FileCounts } from "./count-file.ts";
import { type TermStatsCache, termStatsCache } from "./term-stats-cache.ts";

/**
 * `block` has the counts of the files that were counted, `sizes` their bytes, and `others` the rest by position; `scripts` has the languages
 * that first lines say (`StatEntry`).
 */
export type CountedBatch = {
  readonly block: Uint8Array;
  readonly sizes: Float64Array;
  readonly scripts: ReadonlyMap<number, string>;
  readonly others: ReadonlyMap<number, Exclude<FileCounts, { readonly kind: "counted" }>>;
};

/** Counts files that `skipByPath` keeps. `known` are statistics from the batches before. */
export function countBatch(
  workTree: CountedTree,
  paths: readonly string[],
  bytesMax: number,
  known: TermStatsCache = termStatsCache(),
): CountedBatch {
  const rows: TextCounts[] = [];
  const sizes: number[] = [];
  const scripts = new Map<number, string>();
  const others = new Map<number, Exclude<FileCounts, { readonly kind: "counted" }>>();
  for (const [at, path] of paths.entries()) {
    const found = countFile(workTree, path, bytesMax, known);
    if (found.kind === "counted") {
      rows.push(found.counts);
      sizes.push(found.sizeBytes);
      if (found.script !== null) scripts.set(at, found.script);
    } else others.set(at, found);
  }
  return { block: packCounts(rows), sizes: Float64Array.from(sizes), scripts, others };
}

/** The files of a batch, in the order of the paths that it was counted for. */
export function filesIn(
  { block, sizes, scripts, others }: CountedBatch,
  paths: readonly string[],
): readonly FileCounts[] {
  const rows = unpackCounts(block);
  let next = 0;
  return paths.flatMap((_, at): FileCounts | readonly FileCounts[] => {
    const other = others.get(at);
    if (other !== undefined) return other;
    const counts = rows[next];
    const sizeBytes = sizes[next] ?? 0;
    const script = scripts.get(at) ?? null;
    next += 1;
    return counts === undefined ? [] : { kind: "counted", sizeBytes, script, counts };
  });
}
