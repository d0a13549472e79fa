/**
 * The time limit of a parse worker.
 *
 * Time is that of the worker's thread where the system tells it, so that a busy machine loses no file.
 */
import { threadMs } from "./thread-time.ts";

/** The parser looks at its time in steps, and loading a grammar comes on top of it. */
const GRACE_MS = 500;
/** On the clock alone, a busy machine must be reckoned with. */
const GRACE_ON_CLOCK_MS = 6_000;
/** Measuring alone is linear in the text; this is for a machine that stands still. */
export const STANDSTILL_MS = 60_000;
/** How often the time of a thread is looked at, at the least. */
const LOOK_MS_MIN = 50;

/** At most one limit runs at a time: a new one replaces it. All times in milliseconds. */
export type TimeLimit = {
  onClock(ms: number): void;
  /** Limits the time of a thread, or the time on the clock where nobody tells it. `graceMs` comes on top of `ms`. */
  onThread(thread: string | null, ms: number, graceMs: number | undefined): void;
  clear(): void;
};

/** Calls `expire` when a limit is over. */
export function timeLimit(expire: () => void): TimeLimit {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const clear = (): void => clearTimeout(timer);
  const start = (done: () => void, ms: number): void => {
    clear();
    timer = setTimeout(done, ms);
  };
  const onClock = (ms: number): void => start(expire, ms);
  return {
    onClock,
    onThread(thread, ms, graceMs) {
      const before = thread === null ? null : threadMs(thread);
      if (thread === null || before === null) {
        onClock(ms + (graceMs ?? GRACE_ON_CLOCK_MS));
        return;
      }
      const msMax = ms + (graceMs ?? GRACE_MS);
      let looks = 0;
      const look = (): void => {
        const left = msMax - ((threadMs(thread) ?? Number.POSITIVE_INFINITY) - before);
        looks += 1;
        if (left <= 0 || looks > STANDSTILL_MS / LOOK_MS_MIN) expire();
        else start(look, Math.max(LOOK_MS_MIN, left));
      };
      start(look, msMax);
    },
    clear,
  };
}
