/** Expands the beginning of a task id to the whole id. */
import type { RawLog } from "../../db/raw-log/raw-log.ts";
import { Failed } from "../../failure.ts";

/** A shorter text is not taken as the beginning of an id. */
const PREFIX_MIN = 4;

/** Returns the one id of `known` that begins so, or `typed` when none does. Throws a usage failure when several do. */
export function expandTaskId(known: Iterable<string>, typed: string): string {
  const id = typed.toLowerCase();
  if (id.length < PREFIX_MIN || !/^[0-9a-f]+$/.test(id)) return typed;
  const found = [...new Set(known)].filter((taskId) => taskId.startsWith(id));
  const [only = typed, ...others] = found;
  if (others.length === 0 || found.includes(id)) return found.includes(id) ? id : only;
  throw new Failed({
    code: "usage",
    message: `"${typed}" is the beginning of ${found.length} task ids`,
    next: `give more of it: ${found.slice(0, 3).join(", ")}${found.length > 3 ? ", …" : ""}`,
  });
}

/** The same for the tasks in the log. */
export const expandLoggedTaskId = (log: Pick<RawLog, "runs">, typed: string): string =>
  expandTaskId(
    log.runs().map(({ taskId }) => taskId),
    typed,
  );
