/** What answers from the index say of files that have changed since. */
import { display } from "../../text/display.ts";
import { listed } from "../../text/listed.ts";

/** Files that one note names. */
const NAMED_MAX = 5;

/** The note on files of an answer that differ from the index, or are gone; none without any. */
export function changedNotes(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const named = display(listed(paths, NAMED_MAX));
  return [`changed since they were indexed, so lines may have moved: ${named}; retrieve brings the index up to date`];
}
