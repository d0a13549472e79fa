/**
 * What a finished task of cra was, told as an experience: what it was about, what was found for it, and what was made of
 * that.
 *
 * Pure. Invariant: of a task told again only the attempt that was told here changes: nothing that a user wrote. Not
 * here: where the facts come from (`remember.ts`).
 */
import { createHash } from "node:crypto";
import type { ExperienceEntry } from "./entry.ts";
import type { ExperienceDraft } from "./entry-draft.ts";
import type { Domain, Strategy } from "./vocabulary.ts";

/** What is known of a task whose last round has finished. */
export type FinishedTask = {
  readonly taskId: string;
  readonly task: string;
  readonly type: "bug_fix" | "feature" | "refactor" | "test" | "investigation";
  readonly rounds: number;
  /** In the last package, by rank. */
  readonly files: readonly string[];
  /** What the user said of packages, in words and with the files and symbols that it was said of. */
  readonly said: readonly { readonly what: string; readonly names: readonly string[] }[];
};

/** A task says what is to be done, not how it is gone about. Reading before acting is what cra is for. */
const TASK_STRATEGY: Strategy = "research-first";

const DOMAIN_OF: Readonly<Record<FinishedTask["type"], Domain>> = {
  bug_fix: "debugging",
  feature: "feature",
  refactor: "refactoring",
  test: "testing",
  investigation: "debugging",
};

/** The one name of the experience that a task becomes. */
export const taskExperienceId = (taskId: string): string =>
  `exp-${createHash("sha256").update(`task ${taskId}`).digest("hex").slice(0, 12)}`;

/** A task as an experience that has just begun. */
export const taskExperience = (task: FinishedTask): ExperienceDraft => ({
  type: "experience",
  id: taskExperienceId(task.taskId),
  domain: DOMAIN_OF[task.type],
  strategy: TASK_STRATEGY,
  goal: cut(task.task.trim().toWellFormed(), GOAL_CHARS_MAX),
  iterations: [{ hypothesis: HYPOTHESIS, action: actionOf(task), prediction: PREDICTION }],
  task_id: task.taskId,
});

/** What is new of a task that was told before: the attempt that tells its rounds. */
export function retold(before: ExperienceEntry, task: FinishedTask): ExperienceDraft {
  const own = before.iterations.findLastIndex(({ action }) => action.startsWith(beginningOf(task)));
  const iterations = before.iterations.map((attempt, at) =>
    at === own ? { ...attempt, action: actionOf(task) } : attempt,
  );
  return { type: "experience", iterations };
}

const HYPOTHESIS = "The code that cra found is enough to do the task.";
const PREDICTION = "The task can be done without looking for more code.";

const GOAL_CHARS_MAX = 2_000;
/** The first say most, and what is recalled has to be short. */
const NAMES_MAX = 12;
const ACTION_CHARS_MAX = 8_000;

const beginningOf = ({ taskId }: FinishedTask): string => `cra found code for task ${taskId}: `;

function actionOf(task: FinishedTask): string {
  const { files, rounds, said } = task;
  const found = `${counted(files.length, "file")} in ${counted(rounds, "round")}`;
  const parts = [{ what: found, names: files }, ...said].map(({ what, names }) =>
    names.length === 0 ? what : `${what}: ${listed(names)}`,
  );
  return cut(`${beginningOf(task)}${parts.join(". ")}.`.toWellFormed(), ACTION_CHARS_MAX);
}

function listed(names: readonly string[]): string {
  const rest = names.length - NAMES_MAX;
  return `${names.slice(0, NAMES_MAX).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

const cut = (text: string, charsMax: number): string =>
  text.length <= charsMax
    ? text
    : `${text
        .slice(0, charsMax - 2)
        .toWellFormed()
        .trimEnd()} …`;
