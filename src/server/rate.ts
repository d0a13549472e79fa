/** Limits how often each caller may ask: a bucket that fills with time, and that each request takes one from. */

type RateLimit = {
  /** Seconds to wait before the next request; 0 if this one may go on. */
  take(key: string, nowMs: number): number;
  /** Takes that many more for a request that was let in and holds several. What the bucket lacks is waited for before the next one. */
  charge(key: string, more: number, nowMs: number): void;
};

/** Callers that are remembered; who was not heard of longest is forgotten first, and begins with a full bucket. */
const CALLERS_MAX = 10_000;
const MINUTE_MS = 60_000;

/** At most `aMinute` requests at once, and that many a minute. */
export function rateLimit(aMinute: number): RateLimit {
  const buckets = new Map<string, { left: number; atMs: number }>();
  const leftOf = (key: string, nowMs: number): number => {
    const { left, atMs } = buckets.get(key) ?? { left: aMinute, atMs: nowMs };
    return Math.min(aMinute, left + ((nowMs - atMs) * aMinute) / MINUTE_MS);
  };
  const keep = (key: string, left: number, atMs: number): void => {
    buckets.delete(key);
    buckets.set(key, { left, atMs });
    if (buckets.size > CALLERS_MAX) for (const [oldest] of buckets.entries().take(1)) buckets.delete(oldest);
  };
  return {
    take(key, nowMs) {
      const left = leftOf(key, nowMs);
      const isOver = left < 1;
      keep(key, isOver ? left : left - 1, nowMs);
      return isOver ? Math.ceil(((1 - left) * MINUTE_MS) / aMinute / 1_000) : 0;
    },
    charge: (key, more, nowMs) => keep(key, leftOf(key, nowMs) - more, nowMs),
  };
}
