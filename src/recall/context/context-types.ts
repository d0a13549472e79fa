/** The kinds of context that recall can search. */

import { Failed } from "../../failure.ts";
import { listed } from "../../text/listed.ts";

/** The kinds of context, in the order of their sections. */
export const CONTEXT_TYPES = ["memories", "code", "experiences", "values", "commits"] as const;
export type ContextType = (typeof CONTEXT_TYPES)[number];

/** The most unknown types that a failure names. */
const NAMED_MAX = 10;

/** The types that were typed, in section order and without repetitions. Throws a usage failure that lists the valid types. */
export function contextTypes(typed: readonly string[]): readonly ContextType[] {
  const unknown = [...new Set(typed)].filter((name) => !CONTEXT_TYPES.some((type) => type === name));
  if (unknown.length === 0 && typed.length > 0) return CONTEXT_TYPES.filter((type) => typed.includes(type));
  const quoted = unknown.map((name) => JSON.stringify(name.slice(0, 40)));
  const message = `unknown type${unknown.length > 1 ? "s" : ""} ${listed(quoted, NAMED_MAX)}`;
  throw new Failed({
    code: "usage",
    message: unknown.length === 0 ? "no types given" : message,
    next: `valid types: ${CONTEXT_TYPES.join(", ")}`,
  });
}
