/**
 * What an interface keeps of a task while somebody works on it: one JSON file a task, beside its session.
 *
 * Invariants: a draft is replaced whole or not at all, whenever the process ends; a task id becomes a path only after it
 * was checked. Not here: what a draft is (its owner validates it), sessions themselves (`session.ts`).
 */
import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../failure.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import { isTaskId } from "./session.ts";

/** The draft of a task that was never run has the place of a task that cannot be. */
export const NO_TASK = "00000000";

export const DRAFT_SUFFIX = ".draft.json";

/** A draft holds a task's text and some thousand decisions. */
const BYTES_MAX = 16 * 1024 * 1024;

export type Drafts = {
  /** What was written last, or undefined. It is JSON that someone may have edited: validate it. */
  read(taskId: string | null): unknown;
  /** Stores what JSON can hold. Throws an input/output failure; then what was there stays. */
  write(taskId: string | null, value: unknown): void;
  remove(taskId: string | null): void;
  has(taskId: string): boolean;
};

/** `create` makes the folder, where it is not there when a draft is written. */
export function openDrafts(folder: string, create: () => void): Drafts {
  const pathOf = (taskId: string | null): string => {
    const id = taskId ?? NO_TASK;
    if (!isTaskId(id)) throw new Failed({ code: "usage", message: `${JSON.stringify(id.slice(0, 80))} is no task id` });
    return join(folder, `${id}${DRAFT_SUFFIX}`);
  };
  return {
    read(taskId) {
      const path = pathOf(taskId);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined || !found.isFile() || found.size > BYTES_MAX) return undefined;
      try {
        return JSON.parse(readFileSync(path, "utf8"));
      } catch {
        return undefined; // An unreadable draft is none.
      }
    },
    write(taskId, value) {
      const path = pathOf(taskId);
      const beside = join(folder, `.${taskId ?? NO_TASK}${DRAFT_SUFFIX}.${randomBytes(6).toString("hex")}.tmp`);
      try {
        create();
        writeFileSync(beside, JSON.stringify(value), { flag: "wx", mode: 0o600 });
        renameSync(beside, path);
      } catch (error) {
        if (existsSync(beside)) rmSync(beside, { force: true });
        if (error instanceof Failed) throw error;
        throw new Failed(
          { code: "io", message: `what you decide cannot be kept: ${systemErrorWords(error)}`, where: path },
          { cause: error },
        );
      }
    },
    remove: (taskId) => rmSync(pathOf(taskId), { force: true }),
    has: (taskId) => isTaskId(taskId) && lstatSync(pathOf(taskId), { throwIfNoEntry: false }) !== undefined,
  };
}
