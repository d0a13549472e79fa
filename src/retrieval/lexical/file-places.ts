/**
 * Where each file is in a list of them.
 *
 * Every part of ranking asks, and a later task of a process is given the same list as long as the index is the same.
 */
import type { FileRow } from "../../db/curated/knowledge-base.ts";

const known = new WeakMap<readonly FileRow[], ReadonlyMap<number, number>>();

/** Places by id of the file. */
export function placesById(files: readonly FileRow[]): ReadonlyMap<number, number> {
  const before = known.get(files);
  if (before !== undefined) return before;
  const places = new Map<number, number>();
  for (let place = 0; place < files.length; place += 1) places.set(files[place]?.id ?? -1, place);
  known.set(files, places);
  return places;
}
