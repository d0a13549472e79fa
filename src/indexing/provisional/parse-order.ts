/** Which of the chosen files are parsed, and in which order: what fits, large files first. */
import type { Corpus, CountedFile } from "./count-tree.ts";

/** All parsed files together: the thread that hears Ctrl-C resolves their links, a second for some 8 MiB of dense code. */
const LINKED_BYTES_MAX = 4 * 1024 * 1024;

/** Leaves out, of what is asked for first to last, the files that would make more bytes than may be linked. */
export function byteLimit(files: readonly CountedFile[]): (ids: readonly number[]) => readonly number[] {
  let left = LINKED_BYTES_MAX;
  return (ids) =>
    ids.filter((id) => {
      const bytes = files[id - 1]?.sizeBytes ?? 0;
      if (bytes > left) return false;
      left -= bytes;
      return true;
    });
}

/** A thread that began with the largest file late would be the only one to work at the end. */
export const largestFirst = (corpus: Corpus, ids: readonly number[]): readonly number[] =>
  ids.toSorted((a, b) => sizeOf(corpus, b) - sizeOf(corpus, a));

/** The rows of the others are written while the largest file is being parsed. */
export function largestLast(corpus: Corpus, ids: readonly number[]): readonly number[] {
  const largest = largestFirst(corpus, ids).slice(0, 1);
  return [...ids.filter((id) => !largest.includes(id)), ...largest];
}

const sizeOf = ({ files }: Corpus, id: number): number => files[id - 1]?.sizeBytes ?? 0;
