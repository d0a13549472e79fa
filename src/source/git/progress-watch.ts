/**
 * Ends a program that makes no progress, or that computes for too long.
 *
 * Time on the clock decides nothing: on a busy machine a program may wait long for its turn, and this process too. Progress is
 * output, processor time, or waiting in line for a processor or a disk. It is looked for at intervals, and only several looks in a row
 * without any end the program. Where the system does not tell what a program does, only its output counts, and more looks.
 */
import { activityOf } from "../../concurrency/processor-time.ts";

/** `lookMs`: the interval. `looksMax`: looks without progress. `blindLooksMax`: the same where only output counts. */
export type Patience = {
  readonly lookMs: number;
  readonly looksMax: number;
  readonly blindLooksMax: number;
  readonly processorMsMax: number;
};

export const PATIENCE: Patience = { lookMs: 1_000, looksMax: 30, blindLooksMax: 600, processorMsMax: 120_000 };

type Watched = {
  /** Null once the program has ended, and only its output is awaited. */
  readonly pid: number | null;
  /** The bytes of its output so far. */
  bytes(): number;
};

/** Calls `end` with the reason, once, unless it is stopped before. Returns the function that stops it. */
export function watchProgress({ pid, bytes }: Watched, patience: Patience, end: (why: string) => void): () => void {
  const { lookMs, looksMax, blindLooksMax, processorMsMax } = patience;
  let timer: ReturnType<typeof setTimeout>;
  let idleLooks = 0;
  let seenBytes = 0;
  let seenMs = -1;
  /** Why the program is to be ended; null while it makes progress. */
  const verdict = (): string | null => {
    const activity = pid === null ? null : activityOf(String(pid));
    const { cpuMs = seenMs, isWaiting = true } = activity ?? {};
    if (cpuMs > processorMsMax) return `it used more than ${processorMsMax / 1000} seconds of processor time`;
    const isIdle = bytes() <= seenBytes && cpuMs <= seenMs && isWaiting;
    idleLooks = isIdle ? idleLooks + 1 : 0;
    seenBytes = bytes();
    seenMs = cpuMs;
    const max = pid !== null && activity === null ? blindLooksMax : looksMax;
    return idleLooks > max ? `it made no progress for ${(max * lookMs) / 1000} seconds` : null;
  };
  const look = (): void => {
    const why = verdict();
    if (why !== null) end(why);
    // Set again after each look, so that time in which this process does not run counts for one look only.
    else timer = setTimeout(look, lookMs);
  };
  timer = setTimeout(look, lookMs);
  return () => clearTimeout(timer);
}
