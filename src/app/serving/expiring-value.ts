/** A value that is made when it is asked for, and again when it has become old. All who ask meanwhile wait for the same one. */
import { unlessAborted } from "../../concurrency/unless-aborted.ts";

export type ExpiringValue<T> = {
  get(signal: AbortSignal): Promise<T>;
  /** Has it made anew for the next who asks, unless it is being made. */
  expire(): void;
  /** Waits until nothing is being made. */
  ended(): Promise<void>;
};

/** One that could not be made is tried again by the next who asks. */
export function expiringValue<T>(make: () => Promise<T>, freshMs: number): ExpiringValue<T> {
  let current: { readonly value: Promise<T>; freshUntil: number } | null = null;
  return {
    async get(signal) {
      if (current === null || performance.now() >= current.freshUntil) {
        const begun = { value: make(), freshUntil: Number.POSITIVE_INFINITY };
        current = begun;
        const settle = (forMs: number): void => {
          begun.freshUntil = performance.now() + forMs;
        };
        begun.value.then(
          () => settle(freshMs),
          () => settle(0),
        );
      }
      return await unlessAborted(current.value, signal);
    },
    expire() {
      if (current !== null && current.freshUntil < Number.POSITIVE_INFINITY) current.freshUntil = 0;
    },
    async ended() {
      await current?.value.catch(() => undefined);
    },
  };
}
