/**
 * An in-memory index of all files' dictionary entries by stem, for a process that ranks several tasks.
 *
 * The low bits of the stem's hash select the list of an entry, so a list may have several stems. A list is in order of
 * file, then of entry. The index takes a third more memory than the statistics, and building it takes as long as a few
 * scans.
 */
import { exactHash, type TermStats } from "../../text/terms/term-stats.ts";

const LIST_BITS = 16;
const LISTS = 1 << LIST_BITS;

/** Columns of entries; those of list n are from `start[n]` to `start[n + 1]`. Hashes are signed. */
export type EntryIndex = {
  readonly start: Int32Array;
  /** The position of the file in the indexed list. */
  readonly position: Int32Array;
  readonly entry: Int32Array;
  readonly stem: Int32Array;
  readonly exact: Int32Array;
};

/** The list of a stem's hash. */
export const listOf = (hash: number): number => hash & (LISTS - 1);

/** Indexes the entries of these files; null is a file without statistics. */
export function entryIndex(stats: readonly (TermStats | null)[]): EntryIndex {
  const start = new Int32Array(LISTS + 1);
  for (const file of stats) {
    if (file === null) continue;
    const { words, stemAt, termCount } = file;
    for (let at = stemAt; at < stemAt + termCount; at += 1) {
      const next = listOf(words[at] ?? 0) + 1;
      start[next] = (start[next] ?? 0) + 1;
    }
  }
  for (let list = 1; list <= LISTS; list += 1) start[list] = (start[list] ?? 0) + (start[list - 1] ?? 0);
  const count = start[LISTS] ?? 0;
  const next = start.slice();
  const columns = {
    position: new Int32Array(count),
    entry: new Int32Array(count),
    stem: new Int32Array(count),
    exact: new Int32Array(count),
  };
  for (let position = 0; position < stats.length; position += 1) {
    const file = stats[position] ?? null;
    if (file === null) continue;
    const { words, stemAt, termCount } = file;
    for (let entry = 0; entry < termCount; entry += 1) {
      const stem = words[stemAt + entry] ?? 0;
      const list = listOf(stem);
      const at = next[list] ?? 0;
      next[list] = at + 1;
      columns.position[at] = position;
      columns.entry[at] = entry;
      columns.stem[at] = stem;
      columns.exact[at] = exactHash(file, entry);
    }
  }
  return { start, ...columns };
}
