/**
 * What is remembered: memories, experiences and values, as data, with the words that each field may hold.
 *
 * An experience is told as goal, hypothesis, action and prediction; what came of it, why, and what to learn from it come
 * when it is resolved. Not here: rows (`db/memory.ts`), how they read (`recall/`).
 */
import { z } from "zod";

export const MEMORY_CATEGORIES = ["preference", "fact", "event", "workflow", "context", "error", "decision"] as const;
export const DOMAINS = [
  "debugging",
  "refactoring",
  "feature",
  "testing",
  "configuration",
  "documentation",
  "performance",
  "security",
  "integration",
] as const;
export const STRATEGIES = [
  "systematic-elimination",
  "trial-and-error",
  "research-first",
  "divide-and-conquer",
  "root-cause-analysis",
  "copy-from-similar",
  "check-assumptions",
  "read-the-error",
  "ask-user",
] as const;
export const OUTCOMES = ["confirmed", "falsified", "abandoned"] as const;
/** How far an experience can be relied on, best first. */
export const CONFIDENCES = ["gold", "silver", "bronze", "abandoned"] as const;
export const ROOT_CAUSE_CATEGORIES = [
  "wrong-assumption",
  "missing-knowledge",
  "oversight",
  "environment-issue",
  "misleading-symptom",
  "incomplete-fix",
  "wrong-scope",
  "test-isolation",
  "timing-issue",
] as const;
/** What of an experience is looked at: all of it, how it was gone about, what surprised, why it failed. */
export const AXES = ["full", "strategy", "surprise", "root_cause"] as const;

export type MemoryCategory = (typeof MEMORY_CATEGORIES)[number];
export type Domain = (typeof DOMAINS)[number];
export type Strategy = (typeof STRATEGIES)[number];
export type Outcome = (typeof OUTCOMES)[number];
export type Confidence = (typeof CONFIDENCES)[number];
export type Axis = (typeof AXES)[number];

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
export type Memory = z.output<typeof MemorySchema>;

/** One attempt. The last one of an experience is the one that its outcome speaks of. */
export const IterationSchema = z.strictObject({ hypothesis: text, action: text, prediction: text });
export type Iteration = z.output<typeof IterationSchema>;

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
export type Experience = z.output<typeof ExperienceSchema>;

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
export type Value = z.output<typeof ValueSchema>;
