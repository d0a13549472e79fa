/** Runs a number of calls at once, lets others wait in order, and refuses those beyond a limit. */
import PQueue from "p-queue";

/** Runs the work in its turn. Rejects with the signal's reason when the signal fires before that, or with `busy()`. */
export type CallQueue = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

export function callQueue(atOnce: number, waitingMax: number, busy: () => Error): CallQueue {
  const queue = new PQueue({ concurrency: atOnce });
  return async (signal, work) => {
    signal.throwIfAborted();
    if (queue.pending >= atOnce && queue.size >= waitingMax) throw busy();
    // Given the caller's signal, the queue would start the next call while a cancelled one still finishes.
    const waiting = new AbortController();
    const leave = (): void => waiting.abort(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    const begin = () => {
      signal.removeEventListener("abort", leave);
      return work();
    };
    return await queue.add(begin, { signal: waiting.signal });
  };
}
