/**
 * Memory entries about similar failures, within the caps of their category.
 *
 * The size of an entry is that of its JSON, in bytes of UTF-8; a resolution that is too long is cut.
 */
import type { Caps } from "./caps.ts";
import type { MemoryEntry } from "./escalation-schema.ts";
import { EXCERPT_BYTES_MIN, headOf, TRUNCATED } from "./excerpt.ts";
import type { HandoffBundle } from "./handoff-bundle.ts";

/** Finds at most `limit` similar failures, the most similar first. */
export type SimilarFailures = (query: string, limit: number, signal: AbortSignal) => Promise<readonly MemoryEntry[]>;

const QUERY_CHARS_MAX = 2_000;

/** The search text for similar failures: message, cause and trace. */
export const failureQuery = ({ error_message, root_cause, stack_trace }: HandoffBundle): string =>
  [error_message, root_cause, stack_trace]
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n")
    .slice(0, QUERY_CHARS_MAX)
    .toWellFormed();

/** The size that counts against the cap. */
export const entrySize = (entry: MemoryEntry): number => Buffer.byteLength(JSON.stringify(entry));

/** The first entries that fit the caps; the last may be cut. */
export function packEntries(entries: readonly MemoryEntry[], caps: Caps): readonly MemoryEntry[] {
  const kept: MemoryEntry[] = [];
  let left = caps.bytes;
  for (const entry of entries.slice(0, caps.entries)) {
    const size = entrySize(entry);
    if (size <= left) {
      kept.push(entry);
      left -= size;
      continue;
    }
    const cut = left > EXCERPT_BYTES_MIN ? cutTo(entry, left) : null;
    if (cut !== null) kept.push(cut);
    break;
  }
  return kept;
}

/** The entry with as much of its resolution as fits; null if not even one byte does. */
function cutTo(entry: MemoryEntry, bytesMax: number): MemoryEntry | null {
  const withLength = (bytes: number): MemoryEntry => ({
    ...entry,
    resolution: headOf(entry.resolution, bytes) + TRUNCATED,
  });
  // JSON escapes change lengths, so the right one is found by bisection.
  let [fits, tooMuch] = [0, bytesMax];
  if (entrySize(withLength(1)) > bytesMax) return null;
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2);
    if (entrySize(withLength(middle)) <= bytesMax) fits = middle;
    else tooMuch = middle;
  }
  return withLength(fits);
}
