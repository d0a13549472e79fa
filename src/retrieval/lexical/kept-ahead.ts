/**
 * Keeps a result that was computed for a list of files before it is certain that the list is current (`scope/rank-ahead.ts`).
 *
 * The next question about the list takes the result or drops it, and it goes with the list. A list belongs to one generation of the index
 * (`db/curated/queries/row-cache.ts`), so a result is right for whoever asks about the same list.
 */
import type { FileRow } from "../../db/curated/knowledge-base.ts";

type KeptAhead<Key, Found> = {
  keep(files: readonly FileRow[], key: Key, found: Found): void;
  /** What was kept for this key. Forgets what was kept, even for another one. */
  take(files: readonly FileRow[], key: Key): Found | null;
};

export function keptAhead<Key, Found>(isSame: (a: Key, b: Key) => boolean): KeptAhead<Key, Found> {
  const kept = new WeakMap<readonly FileRow[], { readonly key: Key; readonly found: Found }>();
  return {
    keep: (files, key, found) => void kept.set(files, { key, found }),
    take(files, key) {
      const known = kept.get(files);
      kept.delete(files);
      return known !== undefined && isSame(known.key, key) ? known.found : null;
    },
  };
}
