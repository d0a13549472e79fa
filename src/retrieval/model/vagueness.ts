/** How vague a task is (`scope/vague-task.ts`). */

/** `unknown`: the repository has none of its words. `general`: it has some, and none is specific. `whole`: it asks about the whole repository. */
export type Vagueness = "unknown" | "general" | "whole";
