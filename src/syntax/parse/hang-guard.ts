/**
 * Notices that a parse worker hangs.
 *
 * What a file may cost is counted as work (`find-matches.ts`). This is only for a thread that neither counts nor ends, so its limits
 * are far beyond what any file needs, and count the processor time of the thread: a busy machine loses no file. Where the system
 * does not report that time, only many looks with nothing between them count.
 */
import { activityOf } from "../../concurrency/processor-time.ts";

/** `lookMs`: the interval. `processorMs`: for each file, and more for each character. `blindLooksMax`: where processor time is unknown. */
export type Waiting = {
  readonly lookMs: number;
  readonly processorMs: number;
  readonly processorMsPerChar: number;
  readonly blindLooksMax: number;
};

/** An engine that has not compiled a grammar yet interprets it, in some 0.016 ms per character. */
export const WAITING: Waiting = { lookMs: 1_000, processorMs: 60_000, processorMsPerChar: 0.1, blindLooksMax: 600 };

export type HangGuard = {
  /** Guards the next file of a thread, null if the system does not name it. */
  start(thread: string | null, chars: number): void;
  clear(): void;
};

/** Calls `expire` when the thread hangs. */
export function hangGuard(waiting: Waiting, expire: () => void): HangGuard {
  const { lookMs, processorMs, processorMsPerChar, blindLooksMax } = waiting;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    start(thread, chars) {
      const timeOf = (): number | null => (thread === null ? null : (activityOf(thread)?.cpuMs ?? null));
      const msMax = processorMs + chars * processorMsPerChar;
      // From the first look: nearly all files end before it, and asking for the time takes longer than parsing a short one.
      let before: number | null = null;
      let looks = 0;
      const look = (): void => {
        const now = timeOf();
        before ??= now;
        looks += 1;
        const usedMs = before === null || now === null ? null : now - before;
        if (usedMs === null ? looks > blindLooksMax : usedMs > msMax) expire();
        else timer = setTimeout(look, lookMs);
      };
      clearTimeout(timer);
      timer = setTimeout(look, lookMs);
    },
    clear: () => clearTimeout(timer),
  };
}
