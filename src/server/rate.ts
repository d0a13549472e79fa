/** Limits how often each caller may ask: a bucket that fills with time, and that each request takes one from. */

export type RateLimit = {
  /** Seconds to wait before the next request; 0 if this one may go on. */
  take(key: string, nowMs: number): number;
};

/** Callers that are remembered; who was not heard of longest is forgotten first, and begins with a full bucket. */
const CALLERS_MAX = 10_000;
const MINUTE_MS = 60_000;

/** At most `aMinute` requests at once, and that many a minute. */
export function rateLimit(aMinute: number): RateLimit {
  const buckets = new Map<string, { left: number; atMs: number }>();
  return {
    take(key, nowMs) {
      const before = buckets.get(key) ?? { left: aMinute, atMs: nowMs };
      const left = Math.min(aMinute, before.left + ((nowMs - before.atMs) * aMinute) / MINUTE_MS);
      const isOver = left < 1;
      buckets.delete(key);
      buckets.set(key, { left: isOver ? left : left - 1, atMs: nowMs });
      if (buckets.size > CALLERS_MAX) for (const [oldest] of buckets.entries().take(1)) buckets.delete(oldest);
      return isOver ? Math.ceil(((1 - left) * MINUTE_MS) / aMinute / 1_000) : 0;
    },
  };
}
