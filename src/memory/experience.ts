/**
 * Memories, experiences and values: their types and the schemas that check them.
 *
 * An experience starts with a goal and an attempt (hypothesis, action, prediction). Outcome, root cause and lesson follow
 * once it is resolved.
 */
import { z } from "zod";
import {
  AXES,
  CONFIDENCES,
  DOMAINS,
  MEMORY_CATEGORIES,
  OUTCOMES,
  ROOT_CAUSE_CATEGORIES,
  STRATEGIES,
} from "./vocabulary.ts";

const TEXT_CHARS_MAX = 20_000;
const text = z
  .string()
  .trim()
  .min(1)
  .max(TEXT_CHARS_MAX)
  .refine((written) => written.isWellFormed(), "contains a lone surrogate");

/** A permanent id: `mem-`, `exp-` or `val-`, then 12 hexadecimal digits. */
const id = (prefix: "mem" | "exp" | "val") =>
  z.string().regex(new RegExp(`^${prefix}-[0-9a-f]{12}$`), `is not ${prefix}- and 12 hexadecimal digits`);
/** ISO 8601 in UTC, with milliseconds. */
const moment = z.iso.datetime({ precision: 3 });

export const MemorySchema = z.strictObject({
  id: id("mem"),
  content: text,
  category: z.enum(MEMORY_CATEGORIES),
  /** From 0 to 1. */
  importance: z.number().min(0).max(1),
  created_at: moment,
});

/** One attempt. The outcome of an experience is that of its last attempt. */
export const IterationSchema = z.strictObject({ hypothesis: text, action: text, prediction: text });

export const ExperienceSchema = z.strictObject({
  id: id("exp"),
  domain: z.enum(DOMAINS),
  strategy: z.enum(STRATEGIES),
  goal: text,
  /** At least one, oldest first. */
  iterations: z.array(IterationSchema).min(1).max(100).readonly(),
  /** Null while the experience is open. */
  outcome: z.strictObject({ status: z.enum(OUTCOMES), result: text }).nullable(),
  surprise: text.nullable(),
  root_cause: z.strictObject({ category: z.enum(ROOT_CAUSE_CATEGORIES), description: text }).nullable(),
  lesson: z.strictObject({ what_worked: text, takeaway: text.nullable() }).nullable(),
  confidence: z.enum(CONFIDENCES),
  /** The cra task that it came from. */
  task_id: z
    .string()
    .regex(/^[0-9a-f]{12,64}$/, "is not a task id")
    .nullable(),
  created_at: moment,
  updated_at: moment,
});

/** What several experiences have in common on one axis. Created by `cra values`, never by hand. */
export const ValueSchema = z.strictObject({
  id: id("val"),
  axis: z.enum(AXES),
  /** Names the cluster within its axis; the same experiences give the same name. */
  cluster_id: z.string().min(1).max(64),
  cluster_size: z.int().min(1),
  text,
  /** Cosine of the experience that supplies the text, 0 to 1. */
  similarity_to_centroid: z.number().min(0).max(1),
  /** Domains and strategies of the members, most frequent first. */
  domains: z.array(z.enum(DOMAINS)).readonly(),
  strategies: z.array(z.enum(STRATEGIES)).readonly(),
  /** The members, the medoid first. */
  experience_ids: z.array(id("exp")).min(1).readonly(),
});

export type Memory = z.output<typeof MemorySchema>;
export type Experience = z.output<typeof ExperienceSchema>;
export type Value = z.output<typeof ValueSchema>;
