/**
 * What is remembered: memories, experiences and values, as types, with the words that each field may hold.
 *
 * An experience is told as goal, hypothesis, action and prediction; what came of it, why, and what to learn from it come
 * when it is resolved. Not here: the schemas (`experience-schema.ts`), which take
 * milliseconds to make that a command without memory need not pay, rows (`db/memory/open-store.ts`), how they read (`recall/`).
 */
import type { z } from "zod";
import type { ExperienceSchema, IterationSchema, MemorySchema, ValueSchema } from "./experience-schema.ts";

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

export type Memory = z.output<typeof MemorySchema>;
/** One attempt. The last one of an experience is the one that its outcome speaks of. */
export type Iteration = z.output<typeof IterationSchema>;
export type Experience = z.output<typeof ExperienceSchema>;
/** What many experiences of one axis have in common. Made by `cra values`, never typed. */
export type Value = z.output<typeof ValueSchema>;
