/**
 * The identity of a run: a short hash of the index, the task and the options that select.
 *
 * The same run has the same id everywhere, in whatever order its options were written. Format, output,
 * verbosity and events are not part of it.
 */
import { createHash } from "node:crypto";

/** Hexadecimal characters of a task id. */
const ID_CHARS = 12;

/** `options` must hold plain values only; the order of keys does not matter at any depth, that of lists does. */
export function taskId(contentHash: string, task: string, options: Readonly<Record<string, unknown>>): string {
  return createHash("sha256")
    .update(JSON.stringify([contentHash, task.toWellFormed(), inOrder(options)]))
    .digest("hex")
    .slice(0, ID_CHARS);
}

/** The same value with the keys of every object sorted. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, inOrder(inner)]),
  );
}
