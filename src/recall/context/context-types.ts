/** The kinds of context that recall can search. */
import { Failed } from "../../failure.ts";

/** The kinds of context, in the order of their sections. */
export const CONTEXT_TYPES = ["memories", "code", "experiences", "values", "commits"] as const;
export type ContextType = (typeof CONTEXT_TYPES)[number];

/** The types that were typed, in section order and without repetitions. Throws a usage failure that lists the valid types. */
export function contextTypes(typed: readonly string[]): readonly ContextType[] {
  const unknown = typed.find((name) => !CONTEXT_TYPES.some((type) => type === name));
  if (unknown === undefined && typed.length > 0) return CONTEXT_TYPES.filter((type) => typed.includes(type));
  throw new Failed({
    code: "usage",
    message: unknown === undefined ? "no types given" : `unknown type ${JSON.stringify(unknown.slice(0, 40))}`,
    next: `valid types: ${CONTEXT_TYPES.join(", ")}`,
  });
}
