/** Expands the beginning of a task id to the whole id. */
import type { LogReader } from "../../db/raw-log/raw-log.ts";
import { Failed } from "../../failure.ts";

/** A shorter text is never expanded. */
const PREFIX_MIN = 3;

/** Returns the only id of `known` with this prefix, or `typed` if there is none. Throws a usage failure if several match. */
export function expandTaskId(known: Iterable<string>, typed: string): string {
  const id = typed.toLowerCase();
  if (id.length < PREFIX_MIN || !/^[0-9a-f]+$/.test(id)) return typed;
  const matching = [...new Set(known)].filter((taskId) => taskId.startsWith(id));
  const [only = typed, ...others] = matching;
  if (others.length === 0 || matching.includes(id)) return matching.includes(id) ? id : only;
  throw new Failed({
    code: "usage",
    message: `"${typed}" is the beginning of ${matching.length} task ids`,
    next: `give more of it: ${matching.slice(0, 3).join(", ")}${matching.length > 3 ? ", …" : ""}`,
  });
}

/** `expandTaskId` over the tasks in the log. */
export const expandLoggedTaskId = (log: Pick<LogReader, "runs">, typed: string): string =>
  expandTaskId(
    log.runs().map(({ taskId }) => taskId),
    typed,
  );
