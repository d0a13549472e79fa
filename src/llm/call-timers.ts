/** The time limits of one call: one for the phase it is in, one for the whole. Not here: what happens when one runs out. */
import type { ModelLimits } from "./limits.ts";

export type Phase = "connect" | "first-token" | "idle";
export type Limit = Phase | "total";

export type CallTimers = Disposable & {
  /** Begins a phase anew, in place of the one before. */
  enter(phase: Phase): void;
  /** Until the next phase, only the whole is limited: whoever waits is on this side. */
  rest(): void;
};

/** Starts the limit of the whole call. `onLimit` hears of each limit that runs out, until the timers are disposed. */
export function callTimers(limits: ModelLimits, onLimit: (limit: Limit, seconds: number) => void): CallTimers {
  const after = (limit: Limit): ReturnType<typeof setTimeout> => {
    const seconds = secondsOf(limits, limit);
    return setTimeout(() => onLimit(limit, seconds), seconds * 1000);
  };
  const total = after("total");
  let phase: ReturnType<typeof setTimeout> | undefined;
  const rest = (): void => clearTimeout(phase);
  return {
    enter(next) {
      rest();
      phase = after(next);
    },
    rest,
    [Symbol.dispose]() {
      rest();
      clearTimeout(total);
    },
  };
}

function secondsOf(limits: ModelLimits, limit: Limit): number {
  switch (limit) {
    case "connect":
      return limits.connectSeconds;
    case "first-token":
      return limits.firstTokenSeconds;
    case "idle":
      return limits.idleSeconds;
    case "total":
      return limits.totalSeconds;
  }
}
