/**
 * Stores what a user has typed and decided about a task in the terminal UI: one JSON file per task, beside its session.
 *
 * A draft is replaced atomically. A task id is checked before it becomes a path.
 */
import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import { readJsonFile, replaceJsonFile } from "./json-file.ts";
import { isTaskId } from "./session.ts";

/** The id for the draft of a task that has not run yet; no task has it. */
const NO_TASK = "00000000";

export const DRAFT_SUFFIX = ".draft.json";

/** A draft holds a task's text and some thousands of decisions. */
const BYTES_MAX = 16 * 1024 * 1024;

export type Drafts = {
  /** The stored value, or undefined. Someone may have edited it, so validate it. */
  read(taskId: string | null): unknown;
  /**
   * Stores a JSON object with the fields of both. `names` come from the index, which hands them out redacted: to redact thousands again
   * at every key press would take too long. Throws `io` and then keeps the previous draft.
   */
  write(taskId: string | null, typed: object, names?: object): void;
  remove(taskId: string | null): void;
  has(taskId: string): boolean;
};

/** `create` creates the folder before a draft is written. */
export function openDrafts(folder: string, create: () => void): Drafts {
  const pathOf = (taskId: string | null): string => {
    const id = taskId ?? NO_TASK;
    if (!isTaskId(id))
      throw new Failed({ code: "usage", message: `${JSON.stringify(id.slice(0, 80))} is not a task id` });
    return join(folder, `${id}${DRAFT_SUFFIX}`);
  };
  return {
    read: (taskId) => readJsonFile(pathOf(taskId), BYTES_MAX),
    write(taskId, typed, names = {}) {
      const path = pathOf(taskId);
      try {
        create();
        replaceJsonFile(path, { ...typed, ...names });
      } catch (error) {
        if (error instanceof Failed) throw error;
        throw new Failed(
          { code: "io", message: `your changes cannot be saved: ${systemErrorWords(error)}`, where: path },
          { cause: error },
        );
      }
    },
    remove: (taskId) => rmSync(pathOf(taskId), { force: true }),
    has: (taskId) => isTaskId(taskId) && lstatSync(pathOf(taskId), { throwIfNoEntry: false }) !== undefined,
  };
}
