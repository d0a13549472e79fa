/** What the task says of the items that it names: whether it only mentions them, and which of their lines a stack trace names. */
import type { Seed } from "../../model/selection.ts";

/** `depth` counts the items of the trace, from 0 for the deepest; `lines` begin with that of the deepest frame. */
export type Traced = { readonly depth: number; readonly lines: readonly number[] };

/** Further functions of a trace are only callers of callers; they are treated like whatever else the task mentions. */
const TRACED_MAX = 3;

/** For a file: whether the task mentions it, and neither hints at it, nor changed it, nor is a short task about it. */
export function mentionedInPassing(seeds: readonly Seed[]): (fileId: number) => { readonly inPassing?: true } {
  const mentioned = new Set(seeds.map(({ fileId }) => fileId));
  const meant = new Set(
    seeds.flatMap(({ fileId, given, first, changed, missing }) =>
      given || first !== undefined || changed !== undefined || missing !== undefined ? [fileId] : [],
    ),
  );
  return (fileId) => (mentioned.has(fileId) && !meant.has(fileId) ? { inPassing: true } : {});
}

/** For a definition, or null for lines outside of any: the lines that the deepest frames name in it. */
export function tracedIn(
  seeds: readonly Seed[],
): (fileId: number, symbolId: number | null) => { readonly traced?: Traced } {
  const keyOf = (fileId: number, symbolId: number | null): string => `${fileId} ${symbolId}`;
  const frames = seeds
    .flatMap(({ fileId, traced = [] }) => traced.map((frame) => ({ fileId, ...frame })))
    .toSorted((a, b) => a.depth - b.depth);
  const grouped = Map.groupBy(frames, ({ fileId, symbolId }) => keyOf(fileId, symbolId));
  const deepest = new Map(
    [...grouped].slice(0, TRACED_MAX).map(([key, of], depth) => [key, { depth, lines: of.map(({ line }) => line) }]),
  );
  return (fileId, symbolId) => {
    const traced = deepest.get(keyOf(fileId, symbolId));
    return traced === undefined ? {} : { traced };
  };
}
