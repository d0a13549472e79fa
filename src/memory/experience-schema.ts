/**
 * What memories, experiences and values must be.
 *
 * Not here: the words that fields may hold, and the types (`experience.ts`).
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
} from "./experience.ts";

/** Characters that one field may hold. */
const TEXT_MAX = 20_000;
const text = z
  .string()
  .trim()
  .min(1)
  .max(TEXT_MAX)
  .refine((written) => written.isWellFormed(), "holds half of a character");

/** A name that is stable for ever: `mem-`, `exp-` or `val-`, then 12 hexadecimal digits. */
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

/** One attempt. The last one of an experience is the one that its outcome speaks of. */
export const IterationSchema = z.strictObject({ hypothesis: text, action: text, prediction: text });

export const ExperienceSchema = z.strictObject({
  id: id("exp"),
  domain: z.enum(DOMAINS),
  strategy: z.enum(STRATEGIES),
  goal: text,
  /** At least one, oldest first. */
  iterations: z.array(IterationSchema).min(1).max(100).readonly(),
  /** Null while it goes on. */
  outcome: z.strictObject({ status: z.enum(OUTCOMES), result: text }).nullable(),
  surprise: text.nullable(),
  root_cause: z.strictObject({ category: z.enum(ROOT_CAUSE_CATEGORIES), description: text }).nullable(),
  lesson: z.strictObject({ what_worked: text, takeaway: text.nullable() }).nullable(),
  confidence: z.enum(CONFIDENCES),
  /** The task of cra that it came from, where there was one. */
  task_id: z
    .string()
    .regex(/^[0-9a-f]{12,64}$/, "is not a task id")
    .nullable(),
  created_at: moment,
  updated_at: moment,
});

/** What many experiences of one axis have in common. Made by `cra values`, never typed. */
export const ValueSchema = z.strictObject({
  id: id("val"),
  axis: z.enum(AXES),
  /** Stands for the cluster among those of its axis; the same experiences give the same name. */
  cluster_id: z.string().min(1).max(64),
  cluster_size: z.int().min(1),
  text,
  /** Of the experience that the text is taken from: cosine, 0 to 1. */
  similarity_to_centroid: z.number().min(0).max(1),
  /** Domains and strategies of the cluster's experiences, the most frequent first. */
  domains: z.array(z.enum(DOMAINS)).readonly(),
  strategies: z.array(z.enum(STRATEGIES)).readonly(),
  /** The experiences of the cluster, the medoid first. */
  experience_ids: z.array(id("exp")).min(1).readonly(),
});
