/**
 * What a run may spend, and how it is shared out.
 *
 * The budget bounds the rendered text. `shares` are caps on the tiers other than primary, as parts of
 * what is left after the task's section; what one does not use flows on.
 */
/** The task's section is cut in the middle beyond this. */
export const TASK_TOKENS_MAX = 512;
/** Extra counted on top of an estimate by characters. */
export const SAFETY_MARGIN_DEFAULT = 0.15;

/** Tiers that compete for the budget, strongest first, with their caps. Primary takes what is left. */
export const SHARES = { tests: 0.1, supporting: 0.15, type_context: 0.1, rationale: 0.05 } as const;
/** Edges between files are at most this part of the budget: they are in the JSON in full. */
export const EDGE_SHARE = 0.03;

/** What the text may take; `contextWindow` and `reservedTokens` are kept for the record when they made it. */
export type Budget = {
  readonly tokens: number;
  readonly maxLines: number | null;
  readonly contextWindow: number | null;
  readonly reservedTokens: number | null;
};
