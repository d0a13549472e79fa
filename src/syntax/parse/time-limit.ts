/** The time limit of a parse worker, in processor time of its thread if the system reports it: a busy machine loses no file. */
import { threadMs } from "./thread-time.ts";

/** The parser checks the time in steps, and loading a grammar takes additional time. */
const GRACE_MS = 500;
/** For clock time, which runs on while a busy machine does other work. */
const GRACE_ON_CLOCK_MS = 6_000;
/** Measuring is linear in the text; this limit is for a machine that hangs. */
export const STANDSTILL_MS = 60_000;
/** The minimum interval between readings of a thread's time. */
const LOOK_MS_MIN = 50;

/** At most one limit runs at a time: a new one replaces it. All times in milliseconds. */
export type TimeLimit = {
  onClock(ms: number): void;
  /** Limits the time of a thread, or clock time if the system does not report it. `graceMs` is added to `ms`. */
  onThread(thread: string | null, ms: number, graceMs: number | undefined): void;
  clear(): void;
};

/** Calls `expire` when a limit is exceeded. */
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
