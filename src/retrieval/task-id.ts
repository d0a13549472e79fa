/**
 * The identity of a run: a short hash of the index, the task and the options that select.
 *
 * The same run has the same id everywhere. Format, output, verbosity and events are not part of it.
 */
import { createHash } from "node:crypto";

/** Hexadecimal characters of a task id. */
const ID_CHARS = 12;

/** `options` must hold plain values only; the order of its keys does not matter. */
export function taskId(contentHash: string, task: string, options: Readonly<Record<string, unknown>>): string {
  const sorted = Object.fromEntries(Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash("sha256")
    .update(JSON.stringify([contentHash, task.toWellFormed(), sorted]))
    .digest("hex")
    .slice(0, ID_CHARS);
}
