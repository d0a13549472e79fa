/**
 * The allowed words in fields of memories and experiences.
 *
 * Separate from the schemas in `experience.ts`, which take milliseconds to build; commands without memory need only the words.
 */

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
/** How reliable an experience is, best first. */
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
/** The aspects of an experience that are searched and clustered separately. */
export const AXES = ["full", "strategy", "surprise", "root_cause"] as const;

export type MemoryCategory = (typeof MEMORY_CATEGORIES)[number];
export type Domain = (typeof DOMAINS)[number];
export type Strategy = (typeof STRATEGIES)[number];
export type Outcome = (typeof OUTCOMES)[number];
export type Confidence = (typeof CONFIDENCES)[number];
export type Axis = (typeof AXES)[number];
