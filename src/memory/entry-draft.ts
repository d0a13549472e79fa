/**
 * What somebody has said of an entry so far: flags, a file and an editor say a part each, and the whole is checked when
 * all is said.
 *
 * Pure. What is said later holds, and what is not said changes nothing. Not here: what is made of what was never said
 * (`new-entry.ts`), what an editor shows (`entry-template.ts`).
 */
import { z } from "zod";
import { type Checked, checked, type EntryProblem } from "./entry.ts";
import { ExperienceSchema, IterationSchema, MemorySchema } from "./experience.ts";
import { newEntry } from "./new-entry.ts";

const { outcome, root_cause, lesson } = ExperienceSchema.shape;
/** Looked at when the entry is whole: a day is enough where it is written by hand. */
const moment = z.string().optional();

/** Any part of an entry, as a file of `cra remember --entry` holds it. */
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

/**
 * A draft as somebody wrote it: the type need not be said where the fields tell it, and the parts of a single attempt may
 * stand beside the other fields.
 */
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

/** What becomes of attempts that are said: they are all that there are, come after the others, or complete the last. */
export type Attempts = "all" | "new" | "last";

/** A memory with what more was said of it. */
export const mergedMemory = (before: MemoryDraft, said: MemoryDraft): MemoryDraft => ({ ...before, ...given(said) });

/**
 * An experience with what more was said of it. One that is tried again is not known to have ended, unless that is said
 * too. Parts of the outcome, the root cause and the lesson can be said alone.
 */
export function mergedExperience(before: ExperienceDraft, said: ExperienceDraft, how: Attempts): ExperienceDraft {
  const iterations = attempts(before.iterations ?? [], said.iterations, how);
  const goesOn = how === "new" && said.iterations !== undefined;
  return {
    ...before,
    ...given({
      ...said,
      iterations,
      outcome: mergedPart(goesOn ? null : before.outcome, said.outcome),
      root_cause: mergedPart(before.root_cause, said.root_cause),
      lesson: mergedPart(before.lesson, said.lesson),
    }),
  };
}

function attempts(
  before: NonNullable<ExperienceDraft["iterations"]>,
  said: ExperienceDraft["iterations"],
  how: Attempts,
): ExperienceDraft["iterations"] {
  if (said === undefined) return before.length === 0 ? undefined : before;
  if (how === "all") return said;
  if (how === "new") return [...before, ...said];
  const [first, ...rest] = said;
  return [...before.slice(0, -1), { ...before.at(-1), ...given({ ...first }) }, ...rest];
}

/** Nothing said changes nothing; null empties. */
function mergedPart<T extends object>(before: T | null | undefined, said: T | null | undefined): T | null | undefined {
  if (said === undefined) return before;
  return said === null || !before ? said : { ...before, ...given(said) };
}

/** What keeps a draft from being an entry; null when nothing does. */
export function problemIn(draft: Draft): EntryProblem | null {
  const read = newEntry(draft, SOME_TIME);
  return read.ok ? null : read.problem;
}

/** Nothing that can be wrong with a draft hangs on when that is asked. */
const SOME_TIME = "2000-01-01T00:00:00.000Z";

/** Without the fields that were not given. */
function given<T extends object>(fields: T): Partial<T> {
  const kept: Partial<T> = { ...fields };
  for (const name in kept) if (kept[name] === undefined) delete kept[name];
  return kept;
}
