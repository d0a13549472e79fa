/**
 * Which files of the index a model is asked about, and in which order.
 *
 * Only program text: data, prose and style sheets explain themselves, tests are found through what they test, and
 * generated and vendored files are not indexed. The most imported files come first, so a run that stops early has covered
 * what matters most. Files without a usable answer come last, so that short runs make progress.
 */

import type { FileRow } from "../db/curated/knowledge-base.ts";
import { isOutline } from "../languages/languages.ts";
import { byPath } from "../text/order.ts";

type CandidateFile = Pick<FileRow, "id" | "path" | "language" | "isTest" | "tokenCount">;

/** Whether a model is asked about a file. */
export const isAskedAbout = ({ language, isTest, tokenCount }: CandidateFile): boolean =>
  !isTest && tokenCount > 0 && !isOutline(language);

/** The files to ask about, the most imported first, then by path. `importers` counts by file id; missing means 0. */
export function inAskingOrder<File extends CandidateFile>(
  files: readonly File[],
  importers: ReadonlyMap<number, number>,
): readonly File[] {
  const countOf = ({ id }: File): number => importers.get(id) ?? 0;
  return files.filter(isAskedAbout).sort((a, b) => countOf(b) - countOf(a) || byPath(a, b));
}

/** Sorts by the number of failures, stably. */
export const fewestFailuresFirst = <File>(
  files: readonly File[],
  failuresOf: (file: File) => number,
): readonly File[] => files.toSorted((a, b) => failuresOf(a) - failuresOf(b));
