/**
 * A question that several wait for at once and that is asked once: by the first who wants the answer.
 *
 * Who gives up stops waiting; when all have, the question is stopped too. A question that was stopped or threw is asked
 * anew by the next.
 */

/** Waits for the answer; rejects with the signal's reason when that fires before it is there. */
export type SharedQuestion<T> = (signal: AbortSignal) => Promise<T>;

type Asked<T> = { readonly answer: Promise<T>; readonly stop: AbortController; waiting: number };

export function sharedQuestion<T>(ask: (signal: AbortSignal) => Promise<T>): SharedQuestion<T> {
  let asked: Asked<T> | null = null;
  const begin = (): Asked<T> => {
    const stop = new AbortController();
    const begun: Asked<T> = { answer: ask(stop.signal), stop, waiting: 0 };
    begun.answer.catch(() => {
      if (asked === begun) asked = null;
    });
    return begun;
  };
  return async (signal) => {
    signal.throwIfAborted();
    asked ??= begin();
    const mine = asked;
    const given = Promise.withResolvers<never>();
    const giveUp = (): void => given.reject(signal.reason);
    signal.addEventListener("abort", giveUp);
    mine.waiting += 1;
    try {
      return await Promise.race([mine.answer, given.promise]);
    } finally {
      signal.removeEventListener("abort", giveUp);
      mine.waiting -= 1;
      if (mine.waiting === 0 && signal.aborted) {
        if (asked === mine) asked = null;
        mine.stop.abort(signal.reason);
      }
    }
  };
}
