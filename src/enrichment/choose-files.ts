/**
 * Which files of the index a model is asked about, and in which order.
 *
 * Program text only: data, prose and style sheets say what they are by themselves, tests are found through what they
 * test, and the index leaves generated and vendored files out already. The most imported come first, so that a run
 * that ends early, or is limited, has asked about what matters most. What got no usable answer before comes last, so that
 * runs of a few files each get on.
 */
import type { FileRow } from "../db/curated/knowledge-base.ts";
import { isOutline } from "../languages/languages.ts";

type AskedFile = Pick<FileRow, "id" | "path" | "language" | "isTest" | "tokenCount">;

/** Whether a model is asked about a file at all. */
export const isAskedAbout = ({ language, isTest, tokenCount }: AskedFile): boolean =>
  !isTest && tokenCount > 0 && !isOutline(language);

/** Those files, the most imported first, then by path. `importers` counts by file id; a file without one has none. */
export function inAskingOrder<File extends AskedFile>(
  files: readonly File[],
  importers: ReadonlyMap<number, number>,
): readonly File[] {
  const countOf = ({ id }: File): number => importers.get(id) ?? 0;
  return files.filter(isAskedAbout).sort((a, b) => countOf(b) - countOf(a) || (a.path < b.path ? -1 : 1));
}

/** Those with the fewest failures first, else in their order. */
export const fewestFailuresFirst = <File>(
  files: readonly File[],
  failuresOf: (file: File) => number,
): readonly File[] => files.toSorted((a, b) => failuresOf(a) - failuresOf(b));
