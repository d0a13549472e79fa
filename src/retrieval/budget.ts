/**
 * What a run may spend, checked once: after `budgetFrom` nobody checks again.
 *
 * The budget bounds the rendered text. `shares` are caps on the tiers other than primary, as parts of
 * what is left after the task's section; what one does not use flows on (seed 000, step 5).
 */
import { z } from "zod";
import { Failed } from "../failure.ts";

/** The budget when none is given (seed 000, step 5). */
export const BUDGET_DEFAULT = 32_768;
/** The task's section is cut in the middle beyond this. */
export const TASK_TOKENS_MAX = 512;
/** Extra counted on top of an estimate by characters. */
export const SAFETY_MARGIN_DEFAULT = 0.15;

/** Tiers that compete for the budget, strongest first, with their caps. Primary takes what is left. */
export const SHARES = { tests: 0.1, supporting: 0.15, types: 0.1, rationale: 0.05 } as const;
/** Edges between files are at most this part of the budget: they are in the JSON in full. */
export const EDGE_SHARE = 0.03;

/** The file behind `--budget-config`. */
export const BudgetConfig = z.strictObject({
  context_window: z.int().positive(),
  reserved_tokens: z.int().nonnegative(),
  safety_margin: z.number().min(0).max(0.5).optional(),
});

/** A checked budget. Only `budgetFrom` makes one. */
export type Budget = {
  readonly tokens: number;
  readonly maxLines: number | null;
  readonly contextWindow: number | null;
  readonly reservedTokens: number | null;
};

/** A budget in tokens, or a window with what is reserved of it. Throws a usage failure for nonsense. */
export function budgetFrom(
  given:
    | { readonly tokens: number; readonly maxLines: number | null }
    | { readonly contextWindow: number; readonly reservedTokens: number; readonly maxLines: number | null },
): Budget {
  const { maxLines } = given;
  if (maxLines !== null && !(Number.isSafeInteger(maxLines) && maxLines > 0))
    throw new Failed({ code: "usage", message: `a limit of ${maxLines} lines is not a positive whole number` });
  if ("tokens" in given) {
    if (!(Number.isSafeInteger(given.tokens) && given.tokens > 0))
      throw new Failed({ code: "usage", message: `a budget of ${given.tokens} tokens is not a positive whole number` });
    return { tokens: given.tokens, maxLines, contextWindow: null, reservedTokens: null };
  }
  const { contextWindow, reservedTokens } = given;
  if (!(Number.isSafeInteger(contextWindow) && contextWindow > 0))
    throw new Failed({ code: "usage", message: `a context window of ${contextWindow} is not a positive whole number` });
  if (!(Number.isSafeInteger(reservedTokens) && reservedTokens >= 0))
    throw new Failed({ code: "usage", message: `${reservedTokens} reserved tokens is not a whole number of 0 or more` });
  if (reservedTokens >= contextWindow)
    throw new Failed({
      code: "usage",
      message: `${reservedTokens} reserved tokens leave nothing of a context window of ${contextWindow}`,
      next: "reserve fewer",
    });
  return { tokens: contextWindow - reservedTokens, maxLines, contextWindow, reservedTokens };
}
