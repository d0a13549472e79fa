/** The budget of a logged run as text. */
import { z } from "zod";

const LoggedBudget = z.looseObject({ tokens: z.number(), max_lines: z.number().nullable() });

/** `812 of 1000 tokens, at most 40 lines`. `used` is null for a run without a package; the log holds any JSON. */
export function budgetText(logged: unknown, used: number | null): string {
  const budget = LoggedBudget.safeParse(logged).data;
  const lines = budget?.max_lines ? `, at most ${budget.max_lines} lines` : "";
  return `${used === null ? "" : `${used} of `}${budget?.tokens ?? "unknown"} tokens${lines}`;
}
