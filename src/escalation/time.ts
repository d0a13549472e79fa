/** A time as bundles write it. */

/** The farthest from 1970 that a time can be told; files may claim anything. */
const MS_MAX = 8.64e15;

/** Milliseconds since 1970 in ISO 8601, UTC, to the second. */
export function isoTime(ms: number): string {
  const told = Math.max(-MS_MAX, Math.min(MS_MAX, Math.floor(ms / 1000) * 1000));
  return new Date(told).toISOString().replace(".000Z", "Z");
}
