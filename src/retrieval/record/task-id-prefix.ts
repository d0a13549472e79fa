/** Expands the beginning of a task id to the whole id. */
import type { LogReader } from "../../db/raw-log/raw-log.ts";
import { Failed } from "../../failure.ts";

/** A shorter text is never expanded. */
const PREFIX_MIN = 3;

/**
 * Returns the only id of `known` with this prefix, or `typed` if there is none. Throws a usage failure if several match
 * or the prefix is too short.
 */
export function expandTaskId(known: Iterable<string>, typed: string): string {
  const id = typed.toLowerCase();
  if (!/^[0-9a-f]+$/.test(id)) return typed;
  const matching = [...new Set(known)].filter((taskId) => taskId.startsWith(id));
  if (id.length < PREFIX_MIN && matching.length > 0)
    throw new Failed({
      code: "usage",
      message: `"${typed}" is too short for a task id`,
      next: `give at least ${PREFIX_MIN} characters of it: ${named(matching)}`,
    });
  const [only = typed, ...others] = matching;
  if (matching.includes(id)) return id;
  if (others.length === 0) return only;
  throw new Failed({
    code: "usage",
    message: `"${typed}" is the beginning of ${matching.length} task ids`,
    next: `give more of it: ${named(matching)}`,
  });
}

const NAMED_MAX = 3;
const named = (ids: readonly string[]): string =>
  `${ids.slice(0, NAMED_MAX).join(", ")}${ids.length > NAMED_MAX ? ", …" : ""}`;

/** `expandTaskId` over the tasks in the log. */
export const expandLoggedTaskId = (log: Pick<LogReader, "runs">, typed: string): string =>
  expandTaskId(
    log.runs().map(({ taskId }) => taskId),
    typed,
  );
