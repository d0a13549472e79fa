/**
 * What counts as a small run, which starts no threads: starting them takes longer than the run itself.
 *
 * The content decides, never the time. The limits keep the calling thread, which hears signals, from being busy for more than a moment.
 */
import type { GenerationRequest } from "./writer/write-generation.ts";

const CONTENTS_MAX = 32;
const CHARS_MAX = 64 * 1024;
/** Any file may have to be linked again. */
const INDEXED_MAX = 200;
/** Commits and the files that they touch: each pair of files of one commit counts. */
const COMMIT_FILES_MAX = 1_000;

/** Whether contents are few enough to be parsed on the calling thread. */
export const areFew = (contents: number, chars: number): boolean => contents <= CONTENTS_MAX && chars <= CHARS_MAX;

/** Whether a generation is small enough to be written on the calling thread. `stored`: files in the index so far. */
export function isSmall(
  {
    due,
    removedIds,
    scip,
    isRepeated,
    history,
  }: Pick<GenerationRequest, "due" | "removedIds" | "scip" | "isRepeated" | "history">,
  stored: number,
): boolean {
  const bytes = due.slice(0, CONTENTS_MAX).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const commitFiles = history?.commits.reduce((sum, { files }) => sum + files.length, 0) ?? 0;
  return (
    areFew(due.length, bytes) &&
    removedIds.length <= CONTENTS_MAX &&
    stored + due.length <= INDEXED_MAX &&
    (history?.commits.length ?? 0) + commitFiles <= COMMIT_FILES_MAX &&
    !(scip instanceof Uint8Array) &&
    !isRepeated
  );
}
