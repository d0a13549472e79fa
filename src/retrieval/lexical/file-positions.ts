/** The position of each file in a list of files, cached for all parts of ranking and for later tasks on the same list; and whether two lists are alike. */
import type { FileRow } from "../../db/curated/knowledge-base.ts";

const cache = new WeakMap<readonly FileRow[], ReadonlyMap<number, number>>();

/** Whether both lists have the same paths in the same order. */
export const hasSamePaths = (
  files: readonly Pick<FileRow, "path">[],
  others: readonly Pick<FileRow, "path">[],
): boolean => files.length === others.length && files.every(({ path }, position) => path === others[position]?.path);

/** Positions by file id. */
export function positionsById(files: readonly FileRow[]): ReadonlyMap<number, number> {
  const cached = cache.get(files);
  if (cached !== undefined) return cached;
  const positions = new Map<number, number>();
  for (let position = 0; position < files.length; position += 1) positions.set(files[position]?.id ?? -1, position);
  cache.set(files, positions);
  return positions;
}
