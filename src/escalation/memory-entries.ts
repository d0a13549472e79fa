/**
 * What is remembered of similar failures, under the caps of its category.
 *
 * Who remembers is handed in. The size of an entry is that of its JSON, in bytes of UTF-8; a resolution that is too long
 * is cut as a file is.
 */
import type { Caps } from "./caps.ts";
import type { MemoryEntry } from "./escalation-schema.ts";
import { headOf, ROOM_BYTES_MIN, TRUNCATED } from "./excerpt.ts";
import type { HandoffBundle } from "./handoff-bundle.ts";

/** Finds at most `limit` similar failures, the most similar first. */
export type SimilarFailures = (query: string, limit: number, signal: AbortSignal) => Promise<readonly MemoryEntry[]>;

/** Enough to know a failure by. */
const QUERY_CHARS_MAX = 2_000;

/** What a failure is compared by: what went wrong, why, and where. */
export const failureQuery = ({ error_message, root_cause, stack_trace }: HandoffBundle): string =>
  [error_message, root_cause, stack_trace]
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n")
    .slice(0, QUERY_CHARS_MAX)
    .toWellFormed();

/** The size that counts against the cap. */
export const entrySize = (entry: MemoryEntry): number => Buffer.byteLength(JSON.stringify(entry));

/** The first entries that the caps have room for; the last may be cut. */
export function withinCaps(entries: readonly MemoryEntry[], caps: Caps): readonly MemoryEntry[] {
  const kept: MemoryEntry[] = [];
  let left = caps.bytes;
  for (const entry of entries.slice(0, caps.entries)) {
    const size = entrySize(entry);
    if (size <= left) {
      kept.push(entry);
      left -= size;
      continue;
    }
    const cut = left > ROOM_BYTES_MIN ? cutTo(entry, left) : null;
    if (cut !== null) kept.push(cut);
    break;
  }
  return kept;
}

/** The entry with as much of its resolution as there is room for; null when there is none for any of it. */
function cutTo(entry: MemoryEntry, room: number): MemoryEntry | null {
  const withLength = (bytes: number): MemoryEntry => ({
    ...entry,
    resolution: headOf(entry.resolution, bytes) + TRUNCATED,
  });
  // JSON writes some characters with more bytes than they have, so the length is found by halving.
  let [fits, tooMuch] = [0, room];
  if (entrySize(withLength(1)) > room) return null;
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2);
    if (entrySize(withLength(middle)) <= room) fits = middle;
    else tooMuch = middle;
  }
  return withLength(fits);
}
