/**
 * Completes an entry that a user wrote: fills in id, times, confidence and fields that are not known yet.
 *
 * Given fields are kept, and a complete entry is returned unchanged. The same input at the same time gives the same entry.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { type Checked, checked, type Entry, EntrySchema } from "./entry.ts";
import { type Experience, ExperienceSchema, IterationSchema, MemorySchema } from "./experience.ts";
import type { Confidence } from "./vocabulary.ts";

/** A day, or a time in any zone; stored in UTC with milliseconds. */
const written = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: "is not a time such as 2026-01-31 or 2026-01-31T12:00:00Z",
  })
  .transform((text) => new Date(text).toISOString());

const memory = MemorySchema.shape;
const experience = ExperienceSchema.shape;
const lesson = experience.lesson.unwrap().shape;

/** Only the content is required. */
const WrittenMemory = z.strictObject({
  type: z.literal("memory").default("memory"),
  id: memory.id.optional(),
  content: memory.content,
  category: memory.category.default("fact"),
  importance: memory.importance.default(0.5),
  created_at: written.optional(),
});

/** Goal, domain, strategy and an attempt are required; the attempt as `iterations` or as three top-level fields. */
const WrittenExperience = z.strictObject({
  type: z.literal("experience").default("experience"),
  id: experience.id.optional(),
  domain: experience.domain,
  strategy: experience.strategy,
  goal: experience.goal,
  iterations: experience.iterations.optional(),
  ...IterationSchema.partial().shape,
  outcome: experience.outcome.default(null),
  surprise: experience.surprise.default(null),
  root_cause: experience.root_cause.default(null),
  lesson: z
    .strictObject({ ...lesson, takeaway: lesson.takeaway.default(null) })
    .nullable()
    .default(null),
  confidence: experience.confidence.optional(),
  task_id: experience.task_id.default(null),
  created_at: written.optional(),
  updated_at: written.optional(),
});

/** The complete entry, or what is wrong. `now` is ISO 8601 in UTC, with milliseconds. */
export function newEntry(value: unknown, now: string): Checked<Entry> {
  switch (typeOf(value)) {
    case "memory":
      return newMemory(value, now);
    case "experience":
      return newExperience(value, now);
    default:
      return { ok: false, problem: { field: "type", why: "is not one of memory, experience" } };
  }
}

/** The default confidence: a hypothesis confirmed at the first attempt counts most. */
export function confidenceOf({ outcome, iterations }: Pick<Experience, "outcome" | "iterations">): Confidence {
  switch (outcome?.status) {
    case "confirmed":
      return iterations.length === 1 ? "gold" : "silver";
    case "abandoned":
      return "abandoned";
    default:
      return "bronze";
  }
}

/** The stated type, or the one that the fields imply. */
function typeOf(value: unknown): unknown {
  // The memory schema reports that it is no object.
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "memory";
  if ("type" in value) return value.type;
  return "content" in value ? "memory" : "goal" in value ? "experience" : undefined;
}

function newMemory(value: unknown, now: string): Checked<Entry> {
  const read = checked(WrittenMemory, value);
  if (!read.ok) return read;
  const { type, id, content, category, importance, created_at = now } = read.value;
  return whole({
    type,
    id: id ?? `mem-${digits([content, category, created_at])}`,
    content,
    category,
    importance,
    created_at,
  });
}

function newExperience(value: unknown, now: string): Checked<Entry> {
  const read = checked(WrittenExperience, value);
  if (!read.ok) return read;
  const { type, id, iterations, hypothesis, action, prediction, created_at = now, ...rest } = read.value;
  const apart = { hypothesis, action, prediction };
  const isApart = Object.values(apart).some((part) => part !== undefined);
  if (iterations !== undefined && isApart)
    return {
      ok: false,
      problem: { field: "iterations", why: "cannot be combined with hypothesis, action or prediction" },
    };
  const attempts = iterations ?? checked(IterationSchema, apart);
  if ("ok" in attempts && !attempts.ok) return attempts;
  const { domain, strategy, goal, outcome, surprise, root_cause, task_id } = rest;
  const tried = "ok" in attempts ? [attempts.value] : attempts;
  return whole({
    type,
    id: id ?? `exp-${digits([domain, strategy, goal, tried, created_at])}`,
    domain,
    strategy,
    goal,
    iterations: tried,
    outcome,
    surprise,
    root_cause,
    lesson: rest.lesson,
    confidence: rest.confidence ?? confidenceOf({ outcome, iterations: tried }),
    task_id,
    created_at,
    updated_at: rest.updated_at ?? created_at,
  });
}

/** Validates the result, including the time that was passed in. */
const whole = (entry: Entry): Checked<Entry> => checked(EntrySchema, entry);

const ID_DIGITS = 12;
const digits = (parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, ID_DIGITS);
