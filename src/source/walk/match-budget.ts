/**
 * Bounds the work of ignore rules in one walk, in steps: a pattern that is looked at, or 32 states that read one byte.
 *
 * Each path adds an allowance far above what real rules take, so only rules that were made to be slow run out. The result depends
 * on the tree alone, since a walk visits it in order.
 */
export type MatchBudget = {
  /** Adds the allowance of a path. */
  addPath(): void;
  /** Takes steps for an ignore file; false once they have run out, for the rest of the walk. */
  spend(steps: number, file: string): boolean;
  /** Whether an ignore file of this size may be read. */
  takeFile(bytes: number, file: string): boolean;
  /** Whether the event loop should have a turn, after all that was done since it last said yes. */
  isTurnDue(): boolean;
  /** What to tell the user once something has run out. */
  problems(): readonly { readonly path: string; readonly why: string }[];
};

/** Some thousand patterns that compare a beginning or an end, and a dozen that are run. */
const STEPS_PER_PATH = 20_000;
/** Before any path: 50,000 patterns, or less than a second of matching. */
const STEPS_FREE = 100_000_000;
/** Some tens of milliseconds. */
const STEPS_PER_TURN = 4_000_000;
/** Of all ignore files together. Those of large public repositories take some hundred kilobytes. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;

export function matchBudget(): MatchBudget {
  let [steps, turn, bytes] = [STEPS_FREE, STEPS_PER_TURN, FILE_BYTES_MAX];
  const problems = new Map<string, { readonly path: string; readonly why: string }>();
  const refuse = (path: string, why: string): false => {
    // Only the first is named: what follows is due to it.
    if (!problems.has(why)) problems.set(why, { path, why });
    return false;
  };
  return {
    addPath() {
      if (steps >= 0) steps += STEPS_PER_PATH;
    },
    spend(count, file) {
      if (steps < 0) return false;
      steps -= count;
      turn -= count;
      return steps >= 0 || refuse(file, "its patterns take too long to match: from here on, none with wildcards apply");
    },
    takeFile(size, file) {
      bytes -= size;
      return bytes >= 0 || refuse(file, "the ignore files are too large together: from here on, none is read");
    },
    isTurnDue() {
      if (turn > 0) return false;
      turn = STEPS_PER_TURN;
      return true;
    },
    problems: () => [...problems.values()],
  };
}
