/**
 * How a stored experience goes on: one that is tried again, one that has ended, one that is looked back on. A memory is
 * corrected.
 *
 * Pure. Invariants: its name and its beginning stay; where nothing is new, it is the same to the last byte. Not here:
 * how parts are put together (`entry-draft.ts`), storing.
 */
import type { Checked } from "./entry.ts";
import {
  type Attempts,
  type ExperienceDraft,
  type MemoryDraft,
  mergedExperience,
  mergedMemory,
} from "./entry-draft.ts";
import type { Experience, Memory } from "./experience.ts";
import { newEntry } from "./new-entry.ts";

/**
 * The experience at the time `now`, with what more was said of it. How far it can be relied on follows from how it ended,
 * unless that is said, and stays where that is as it was.
 */
export function continued(before: Experience, said: ExperienceDraft, how: Attempts, now: string): Checked<Experience> {
  const { confidence, ...merged } = mergedExperience({ type: "experience", ...before }, said, how);
  const { id, created_at, updated_at } = before;
  const judged = said.confidence === undefined && hasEnded(before, merged) ? {} : { confidence };
  const read = newEntry({ ...merged, ...judged, id, created_at, updated_at }, now);
  if (!read.ok) return read;
  if (read.value.type !== "experience") return { ok: false, problem: { field: "type", why: "is not that of before" } };
  const { type: _, ...after } = read.value;
  const isSame = JSON.stringify(after) === JSON.stringify(before);
  return { ok: true, value: isSame ? before : { ...after, updated_at: now } };
}

/** A memory with what more was said of it. */
export function corrected(before: Memory, said: MemoryDraft): Checked<Memory> {
  const { id, created_at } = before;
  const read = newEntry({ ...mergedMemory({ type: "memory", ...before }, said), id, created_at }, created_at);
  if (!read.ok) return read;
  if (read.value.type !== "memory") return { ok: false, problem: { field: "type", why: "is not that of before" } };
  const { type: _, ...after } = read.value;
  return { ok: true, value: after };
}

/** Whether what the confidence follows from is no longer what it was. */
const hasEnded = (before: Experience, { outcome, iterations }: ExperienceDraft): boolean =>
  outcome?.status !== before.outcome?.status || iterations?.length !== before.iterations.length;
