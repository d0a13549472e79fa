/** How vague a task is (`scope/vague-task.ts`). */
import type { NoticeOf } from "../../notice.ts";

/**
 * `unknown`: the repository has none of its words. `general`: it has some, and none is specific. `whole`: it asks about the whole
 * repository. `unused`: it asks which code is unused.
 */
export type Vagueness = NoticeOf<"task-vague">["vague"];

/** Whether a task concerns all of the repository, whatever words the code has. */
export const isOfTheWhole = (vague: Vagueness | null): boolean => vague === "whole" || vague === "unused";
