/** Reads which lines of the old files a commit changes, from git's diff without context lines and renames. */
import { parsePatch, type StructuredPatch, type StructuredPatchHunk } from "diff";

export type OldLines = {
  /** From 1, both inclusive; of an insertion, the line after which text was put in (0: before the first). */
  readonly start: number;
  readonly end: number;
  readonly isInsertion: boolean;
};

/** Binary files and changes of mode have no lines. */
export type ChangedFile = {
  readonly path: string;
  /** Whether the file is there before the change. */
  readonly isOld: boolean;
  readonly lines: readonly OldLines[];
};

/** The changed files, in the diff's order. Throws when the text is not a diff. */
export const changedFiles = (diff: string): readonly ChangedFile[] => parsePatch(diff).flatMap(changedFile);

function changedFile({ oldFileName, newFileName, isCreate, hunks }: StructuredPatch): readonly ChangedFile[] {
  const isOld = isCreate !== true;
  const name = isOld ? oldFileName : newFileName;
  if (name === undefined) return [];
  return [{ path: name.replace(/^[ab]\//, ""), isOld, lines: isOld ? hunks.map(oldLinesOf) : [] }];
}

/** The parser gives the line before which text was put in. */
function oldLinesOf({ oldStart, oldLines }: StructuredPatchHunk): OldLines {
  const isInsertion = oldLines === 0;
  const start = isInsertion ? oldStart - 1 : oldStart;
  return { start, end: isInsertion ? start : start + oldLines - 1, isInsertion };
}
