/**
 * What indexing says while it works.
 *
 * Not here: drawing it (`cli/`, `tui/`).
 */

export type IndexPhase = "walk" | "read" | "parse" | "history" | "resolve" | "write";

/** `done` of `total` units (files, commits, steps); `total` is null while it is not known. `bytes` read so far. */
export type IndexProgress = {
  readonly phase: IndexPhase;
  readonly done: number;
  readonly total: number | null;
  readonly bytes?: number;
};

export type ReportProgress = (progress: IndexProgress) => void;

/** Milliseconds spent in each phase; phases overlap, so they need not add up to the whole. */
export type PhaseTimes = Readonly<Partial<Record<IndexPhase, number>>>;

export type Stopwatch = {
  /** Runs `work` and counts its time for the phase. */
  time<T>(phase: IndexPhase, work: () => Promise<T>): Promise<T>;
  times(): PhaseTimes;
};

/** `now` gives milliseconds. */
export function stopwatch(now: () => number): Stopwatch {
  const spent = new Map<IndexPhase, number>();
  return {
    async time(phase, work) {
      const from = now();
      try {
        return await work();
      } finally {
        spent.set(phase, (spent.get(phase) ?? 0) + now() - from);
      }
    },
    times: () => Object.fromEntries(spent),
  };
}
