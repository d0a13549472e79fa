/**
 * The task that somebody means by the beginning of its id.
 */
import type { RawLog } from "../../db/raw-log/raw-log.ts";
import { Failed } from "../../failure.ts";

/** The fewest characters of an id that can stand for it. */
const PREFIX_MIN = 4;

/** The one id of `known` that begins so; what was typed when none does. Throws a usage failure when several do. */
export function taskIdMeant(known: Iterable<string>, typed: string): string {
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

/** The same among the tasks that the log knows. */
export const loggedTaskMeant = (log: Pick<RawLog, "runs">, typed: string): string =>
  taskIdMeant(
    log.runs().map(({ taskId }) => taskId),
    typed,
  );
