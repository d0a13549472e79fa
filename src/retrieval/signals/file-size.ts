/** Small files are focused: 1 up to 50 lines, then 50 / lines. */
import type { Signal } from "./signal.ts";

/** A file of fewer lines may go into a package whole. */
const SMALL_LINES = 50;

export const fileSize: Signal = {
  why: "the file is small",
  score: ({ files }) => Float64Array.from(files, ({ lineCount }) => SMALL_LINES / Math.max(SMALL_LINES, lineCount)),
};
