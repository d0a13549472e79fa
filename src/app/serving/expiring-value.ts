/** A value that is made on demand, and again when it is too old. Concurrent callers wait for the same one. */
import { unlessAborted } from "../../concurrency/unless-aborted.ts";

export type ExpiringValue<T> = {
  get(signal: AbortSignal): Promise<T>;
  /** Lets the next `get` make it again. Does nothing while it is being made. */
  expire(): void;
  /** Waits until nothing is being made. */
  ended(): Promise<void>;
};

/** The value is kept for `freshMs` after it was made. A failure is not kept: the next `get` tries again. */
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
