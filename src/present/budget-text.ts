/** The budget of a logged run as text. */
import { z } from "zod";

const LoggedBudget = z.looseObject({
  tokens: z.number(),
  max_lines: z.number().nullable(),
  context_window: z.number().nullish(),
  reserved_tokens: z.number().nullish(),
});

/**
 * `812 of 1000 tokens, at most 40 lines (a window of 4000 with 3000 reserved)`. `used` is null for a run without a package; the
 * log holds any JSON.
 */
export function budgetText(logged: unknown, used: number | null): string {
  const budget = LoggedBudget.safeParse(logged).data;
  const lines = budget?.max_lines ? `, at most ${budget.max_lines} lines` : "";
  const { context_window: window, reserved_tokens: reserved } = budget ?? {};
  const from = typeof window === "number" ? ` (a window of ${window} with ${reserved ?? 0} reserved)` : "";
  return `${used === null ? "" : `${used} of `}${budget?.tokens ?? "unknown"} tokens${lines}${from}`;
}
