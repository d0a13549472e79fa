/**
 * Lets so many pieces of work run at once and the others wait in their order, up to a limit.
 *
 * Invariant: a piece that fails, or that is no longer wanted while it waits, leaves its turn to the next.
 */

/** Runs work in its turn. Rejects with the signal's reason when it fires before that, or with `busy()`. */
export type Turns = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

export function turns(atOnce: number, waitingMax: number, busy: () => Error): Turns {
  let running = 0;
  const waiting = new Set<() => void>();
  const take = async (signal: AbortSignal): Promise<void> => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.size >= waitingMax) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stop = (): void => {
      // Not there any more: it has the turn already, and gives it back by itself.
      if (waiting.delete(resolve)) reject(signal.reason);
    };
    waiting.add(resolve);
    signal.addEventListener("abort", stop, { once: true });
    await promise.finally(() => signal.removeEventListener("abort", stop));
  };
  /** Hands the turn on, or back. */
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  };
  return async (signal, work) => {
    signal.throwIfAborted();
    await take(signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      leave();
    }
  };
}
