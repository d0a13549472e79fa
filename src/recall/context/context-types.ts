/** The kinds of context that were asked for, as typed. */
import { Failed } from "../../failure.ts";
import { CONTEXT_TYPES, type ContextType } from "./context-item.ts";

/** In the order of their sections, each once. Throws a usage failure that names those there are. */
export function contextTypes(typed: readonly string[]): readonly ContextType[] {
  const unknown = typed.find((name) => !CONTEXT_TYPES.some((type) => type === name));
  if (unknown === undefined && typed.length > 0) return CONTEXT_TYPES.filter((type) => typed.includes(type));
  throw new Failed({
    code: "usage",
    message: unknown === undefined ? "no types were named" : `there is no type ${JSON.stringify(unknown.slice(0, 40))}`,
    next: `the types are ${CONTEXT_TYPES.join(", ")}`,
  });
}
