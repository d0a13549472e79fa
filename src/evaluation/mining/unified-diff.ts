/** Reads which lines of the old files a commit changes, from a git diff without context lines and renames. */
import { parsePatch, type StructuredPatch, type StructuredPatchHunk } from "diff";

export type OldLines = {
  /** From 1, both inclusive; for an insertion, the line before the inserted text (0: before the first). */
  readonly start: number;
  readonly end: number;
  readonly isInsertion: boolean;
};

/** Binary files and mode changes have no lines. */
export type ChangedFile = {
  readonly path: string;
  /** Whether the file exists before the change. */
  readonly isOld: boolean;
  readonly lines: readonly OldLines[];
};

/** The changed files, in the order of the diff. Throws if the text is not a diff. */
export const changedFiles = (diff: string): readonly ChangedFile[] => parsePatch(diff).flatMap(changedFile);

function changedFile({ oldFileName, newFileName, isCreate, hunks }: StructuredPatch): readonly ChangedFile[] {
  const isOld = isCreate !== true;
  const name = isOld ? oldFileName : newFileName;
  if (name === undefined) return [];
  return [{ path: name.replace(/^[ab]\//, ""), isOld, lines: isOld ? hunks.map(oldLinesOf) : [] }];
}

/** For an insertion, the parser returns the line after it. */
function oldLinesOf({ oldStart, oldLines }: StructuredPatchHunk): OldLines {
  const isInsertion = oldLines === 0;
  const start = isInsertion ? oldStart - 1 : oldStart;
  return { start, end: isInsertion ? start : start + oldLines - 1, isInsertion };
}
