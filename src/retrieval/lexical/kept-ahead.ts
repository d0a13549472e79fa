/**
 * Keeps what was found for a task's words in a list of files until the next question about the list: once, and as long as the list exists.
 *
 * A question looks its words up while the work tree is still compared with the index (`scope/rank-ahead.ts`). A list of files belongs to one
 * generation of the index (`db/curated/row-cache.ts`), so what was found in it is right if the same list is asked again.
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
