/** Counts the time that each phase of a run takes. */
import type { IndexPhase } from "../model/index-run.ts";

/** Milliseconds spent in each phase; phases overlap, so they need not add up to the whole. */
export type PhaseTimes = Readonly<Partial<Record<IndexPhase, number>>>;

export type Stopwatch = {
  /** Runs `work` and counts its time for the phase. */
  time<T>(phase: IndexPhase, work: () => Promise<T>): Promise<T>;
  times(): PhaseTimes;
};

/** `nowMs` is a monotonic clock. */
export function stopwatch(nowMs: () => number): Stopwatch {
  const spent = new Map<IndexPhase, number>();
  return {
    async time(phase, work) {
      const from = nowMs();
      try {
        return await work();
      } finally {
        spent.set(phase, (spent.get(phase) ?? 0) + nowMs() - from);
      }
    },
    times: () => Object.fromEntries(spent),
  };
}
