/** The position of each file in a list of files, cached for all parts of ranking and for later tasks on the same list. */
import type { FileRow } from "../../db/curated/knowledge-base.ts";

const cache = new WeakMap<readonly FileRow[], ReadonlyMap<number, number>>();

/** Positions by file id. */
export function positionsById(files: readonly FileRow[]): ReadonlyMap<number, number> {
  const cached = cache.get(files);
  if (cached !== undefined) return cached;
  const positions = new Map<number, number>();
  for (let position = 0; position < files.length; position += 1) positions.set(files[position]?.id ?? -1, position);
  cache.set(files, positions);
  return positions;
}
