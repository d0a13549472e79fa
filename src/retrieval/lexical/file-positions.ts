/**
 * Where each file is in a list of them.
 *
 * Every part of ranking asks, and a later task of a process is given the same list as long as the index is the same.
 */
import type { FileRow } from "../../db/curated/knowledge-base.ts";

const known = new WeakMap<readonly FileRow[], ReadonlyMap<number, number>>();

/** Places by id of the file. */
export function positionsById(files: readonly FileRow[]): ReadonlyMap<number, number> {
  const before = known.get(files);
  if (before !== undefined) return before;
  const positions = new Map<number, number>();
  for (let position = 0; position < files.length; position += 1) positions.set(files[position]?.id ?? -1, position);
  known.set(files, positions);
  return positions;
}
