/**
 * Turns a finished cra task into an experience: what it was about, what was found, and what the user made of it.
 *
 * Telling a task again changes only the attempt that this file wrote, never what a user wrote.
 */

import { createHash } from "node:crypto";
import { counted } from "../text/counted.ts";
import { listed } from "../text/listed.ts";
import type { ExperienceEntry } from "./entry.ts";
import type { ExperienceDraft } from "./entry-draft.ts";
import type { Domain, Strategy } from "./vocabulary.ts";

/** The facts about a task whose last round has finished. */
export type FinishedTask = {
  readonly taskId: string;
  readonly task: string;
  readonly type: "bug_fix" | "feature" | "refactor" | "test" | "investigation";
  readonly rounds: number;
  /** Files of the last package, by rank. */
  readonly files: readonly string[];
  /** The user's feedback on packages, with the files and symbols it is about. */
  readonly feedback: readonly { readonly what: string; readonly names: readonly string[] }[];
};

/** A task does not state a strategy; reading before acting is what cra is for. */
const TASK_STRATEGY: Strategy = "research-first";

const DOMAIN_OF: Readonly<Record<FinishedTask["type"], Domain>> = {
  bug_fix: "debugging",
  feature: "feature",
  refactor: "refactoring",
  test: "testing",
  investigation: "debugging",
};

/** The id of the experience of a task. */
export const taskExperienceId = (taskId: string): string =>
  `exp-${createHash("sha256").update(`task ${taskId}`).digest("hex").slice(0, 12)}`;

/** The task as an open experience. */
export const taskExperience = (task: FinishedTask): ExperienceDraft => ({
  type: "experience",
  id: taskExperienceId(task.taskId),
  domain: DOMAIN_OF[task.type],
  strategy: TASK_STRATEGY,
  goal: cut(task.task.trim().toWellFormed(), GOAL_CHARS_MAX),
  iterations: [{ hypothesis: HYPOTHESIS, action: actionOf(task), prediction: PREDICTION }],
  task_id: task.taskId,
});

/** The update of a task's stored experience: a new text for the attempt that describes its rounds. */
export function updatedTaskExperience(before: ExperienceEntry, task: FinishedTask): ExperienceDraft {
  const own = before.iterations.findLastIndex(({ action }) => action.startsWith(actionPrefix(task)));
  const iterations = before.iterations.map((attempt, at) =>
    at === own ? { ...attempt, action: actionOf(task) } : attempt,
  );
  return { type: "experience", iterations };
}

const HYPOTHESIS = "The code that cra found is enough to do the task.";
const PREDICTION = "The task can be done without looking for more code.";

const GOAL_CHARS_MAX = 2_000;
/** More names would make recalled text long. */
const NAMES_MAX = 12;
const ACTION_CHARS_MAX = 8_000;

const actionPrefix = ({ taskId }: FinishedTask): string => `cra found code for task ${taskId}: `;

function actionOf(task: FinishedTask): string {
  const { files, rounds, feedback } = task;
  const found = `${counted(files.length, "file")} in ${counted(rounds, "round")}`;
  const parts = [{ what: found, names: files }, ...feedback].map(({ what, names }) =>
    names.length === 0 ? what : `${what}: ${listed(names, NAMES_MAX)}`,
  );
  return cut(`${actionPrefix(task)}${parts.join(". ")}.`.toWellFormed(), ACTION_CHARS_MAX);
}

const cut = (text: string, charsMax: number): string =>
  text.length <= charsMax
    ? text
    : `${text
        .slice(0, charsMax - 2)
        .toWellFormed()
        .trimEnd()} …`;
