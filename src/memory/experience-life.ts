/**
 * How a stored entry goes on: an experience that is tried again, has ended or is looked back on, a memory that is corrected.
 *
 * Pure. Invariants: its name and its beginning stay; where nothing is new, it is the same to the last byte. Not here:
 * how parts are put together (`entry-draft.ts`), storing.
 */
import type { Checked, Entry, ExperienceEntry, MemoryEntry } from "./entry.ts";
import {
  type Attempts,
  type Draft,
  type ExperienceDraft,
  type MemoryDraft,
  mergedExperience,
  mergedMemory,
} from "./entry-draft.ts";
import { newEntry } from "./new-entry.ts";

/** The entry at the time `now`, with what more was said of it, which must be of its kind. */
export function continued(before: Entry, said: Draft, how: Attempts, now: string): Checked<Entry> {
  if (before.type === "memory" && said.type === "memory") return corrected(before, said);
  if (before.type === "experience" && said.type === "experience") return goneOn(before, said, how, now);
  return { ok: false, problem: { field: "type", why: "is not that of before" } };
}

/** How far it can be relied on follows from how it ended, unless that is said, and stays where that is as it was. */
function goneOn(before: ExperienceEntry, said: ExperienceDraft, how: Attempts, now: string): Checked<Entry> {
  const { confidence, ...merged } = mergedExperience(before, said, how);
  const { id, created_at, updated_at } = before;
  const judged = said.confidence === undefined && hasEnded(before, merged) ? {} : { confidence };
  const read = newEntry({ ...merged, ...judged, id, created_at, updated_at }, now);
  if (!read.ok || read.value.type !== "experience") return read;
  const isSame = JSON.stringify(read.value) === JSON.stringify(before);
  return { ok: true, value: isSame ? before : { ...read.value, updated_at: now } };
}

function corrected(before: MemoryEntry, said: MemoryDraft): Checked<Entry> {
  const { id, created_at } = before;
  return newEntry({ ...mergedMemory(before, said), id, created_at }, created_at);
}

/** Whether what the confidence follows from is no longer what it was. */
const hasEnded = (before: ExperienceEntry, { outcome, iterations }: ExperienceDraft): boolean =>
  outcome?.status !== before.outcome?.status || iterations?.length !== before.iterations.length;
