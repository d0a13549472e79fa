/**
 * How much a task query holds at most (table). A task may be any text: what follows from it stays small.
 *
 * The text itself is not bounded here, all of it is read.
 */
export const TASK_LIMITS = {
  keywordsMax: 64,
  fileHintsMax: 100,
  symbolHintsMax: 200,
  errorPatternsMax: 64,
  errorPatternCharsMax: 300,
  framesMax: 200,
  urlsMax: 100,
  conceptsMax: 32,
  /** A longer word is neither a name nor a path. */
  wordCharsMax: 260,
  /** Characters of a line that are searched for frames, errors and quotations. */
  lineCharsMax: 1000,
} as const;
