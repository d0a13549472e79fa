/**
 * A draft of an entry: what flags, a file and an editor have supplied so far, and how it updates a stored entry.
 *
 * Later input wins, and absent input changes nothing. The whole is checked once it becomes an entry (`new-entry.ts`).
 */
import { z } from "zod";
import {
  type Checked,
  checked,
  type Entry,
  type EntryProblem,
  type ExperienceEntry,
  type MemoryEntry,
} from "./entry.ts";
import { ExperienceSchema, IterationSchema, MemorySchema } from "./experience.ts";
import { newEntry } from "./new-entry.ts";

const { outcome, root_cause, lesson } = ExperienceSchema.shape;
/** Checked when the entry is complete; a user may write just a day. */
const moment = z.string().optional();

/** Any part of an entry, as in a file for `cra remember --entry`. */
export const DraftSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("memory"), ...MemorySchema.partial().shape, created_at: moment }),
  z.strictObject({
    type: z.literal("experience"),
    ...ExperienceSchema.partial().shape,
    created_at: moment,
    updated_at: moment,
    iterations: z.array(IterationSchema.partial()).max(100).readonly().optional(),
    outcome: outcome.unwrap().partial().nullable().optional(),
    root_cause: root_cause.unwrap().partial().nullable().optional(),
    lesson: lesson.unwrap().partial().nullable().optional(),
  }),
]);
export type Draft = z.output<typeof DraftSchema>;
export type MemoryDraft = Extract<Draft, { type: "memory" }>;
export type ExperienceDraft = Extract<Draft, { type: "experience" }>;

const ATTEMPT = ["hypothesis", "action", "prediction"] as const;

/** Parses a draft. The type may be omitted if the fields imply it, and a single attempt may be written as top-level fields. */
export function readDraft(value: unknown): Checked<Draft> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return checked(DraftSchema, value);
  const fields = new Map<string, unknown>(Object.entries(value));
  if (!fields.has("type")) fields.set("type", fields.has("content") ? "memory" : "experience");
  const apart = ATTEMPT.filter((name) => fields.has(name));
  if (apart.length > 0 && fields.get("type") === "experience" && !fields.has("iterations")) {
    fields.set("iterations", [Object.fromEntries(apart.map((name) => [name, fields.get(name)]))]);
    for (const name of apart) fields.delete(name);
  }
  return checked(DraftSchema, Object.fromEntries(fields));
}

/** How new attempts combine with earlier ones: replace all, append, or complete the last. */
export type Attempts = "all" | "new" | "last";

export const mergeMemory = (before: MemoryDraft, update: MemoryDraft): MemoryDraft => ({ ...before, ...given(update) });

/**
 * Merges new input into an experience. Appending an attempt clears the outcome unless a new one is given. Outcome, root
 * cause and lesson merge field by field.
 */
export function mergeExperience(before: ExperienceDraft, update: ExperienceDraft, how: Attempts): ExperienceDraft {
  const iterations = attempts(before.iterations ?? [], update.iterations, how);
  const isRetried = how === "new" && update.iterations !== undefined;
  return {
    ...before,
    ...given({
      ...update,
      iterations,
      outcome: mergedPart(isRetried ? null : before.outcome, update.outcome),
      root_cause: mergedPart(before.root_cause, update.root_cause),
      lesson: mergedPart(before.lesson, update.lesson),
    }),
  };
}

function attempts(
  before: NonNullable<ExperienceDraft["iterations"]>,
  update: ExperienceDraft["iterations"],
  how: Attempts,
): ExperienceDraft["iterations"] {
  if (update === undefined) return before.length === 0 ? undefined : before;
  if (how === "all") return update;
  if (how === "new") return [...before, ...update];
  const [first, ...rest] = update;
  return [...before.slice(0, -1), { ...before.at(-1), ...given({ ...first }) }, ...rest];
}

/** Undefined changes nothing; null clears. */
function mergedPart<T extends object>(
  before: T | null | undefined,
  update: T | null | undefined,
): T | null | undefined {
  if (update === undefined) return before;
  return update === null || !before ? update : { ...before, ...given(update) };
}

/** Why a draft is not a complete entry; null when it is. */
export function draftProblem(draft: Draft): EntryProblem | null {
  const read = newEntry(draft, SOME_TIME);
  return read.ok ? null : read.problem;
}

/** Whether a draft is complete does not depend on the time. */
const SOME_TIME = "2000-01-01T00:00:00.000Z";

function given<T extends object>(fields: T): Partial<T> {
  const kept: Partial<T> = { ...fields };
  for (const name in kept) if (kept[name] === undefined) delete kept[name];
  return kept;
}

/** The entry with a draft of the same type merged into it, at the time `now`. Keeps its id and creation time. */
export function updatedEntry(before: Entry, update: Draft, how: Attempts, now: string): Checked<Entry> {
  if (before.type === "memory" && update.type === "memory") return updatedMemory(before, update);
  if (before.type === "experience" && update.type === "experience") return updatedExperience(before, update, how, now);
  return { ok: false, problem: { field: "type", why: "differs from the stored entry's" } };
}

/** The confidence follows from a new outcome unless it is given. An update without changes returns the same entry. */
function updatedExperience(
  before: ExperienceEntry,
  update: ExperienceDraft,
  how: Attempts,
  now: string,
): Checked<Entry> {
  const { confidence, ...merged } = mergeExperience(before, update, how);
  const { id, created_at, updated_at } = before;
  const judged = update.confidence === undefined && isResolvedAnew(before, merged) ? {} : { confidence };
  const read = newEntry({ ...merged, ...judged, id, created_at, updated_at }, now);
  if (!read.ok || read.value.type !== "experience") return read;
  const isSame = JSON.stringify(read.value) === JSON.stringify(before);
  return { ok: true, value: isSame ? before : { ...read.value, updated_at: now } };
}

function updatedMemory(before: MemoryEntry, update: MemoryDraft): Checked<Entry> {
  const { id, created_at } = before;
  return newEntry({ ...mergeMemory(before, update), id, created_at }, created_at);
}

/** Whether the facts that determine the confidence have changed. */
const isResolvedAnew = (before: ExperienceEntry, { outcome, iterations }: ExperienceDraft): boolean =>
  outcome?.status !== before.outcome?.status || iterations?.length !== before.iterations.length;
