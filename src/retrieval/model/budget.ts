/**
 * What a run may spend, and how it is shared out.
 *
 * The budget bounds the rendered text.
 */
/** The task's section is cut in the middle beyond this. */
export const TASK_TOKENS_MAX = 512;
/** Extra counted on top of an estimate by characters. */
export const SAFETY_MARGIN_DEFAULT = 0.15;

/**
 * The best files show at least the signature of their best definition, from this part of the budget: one line tells of
 * a file, a body of another would not. Measured on real tasks it gains 6 points of gold files at 8,000 tokens, and costs
 * half a point of gold symbols at 4,000. Shares kept for other tiers (tests, what is called, types) cost up to 2.7.
 */
export const OVERVIEW_SHARE = 0.05;
export const OVERVIEW_FILES_MAX = 12;
/** Edges between files are at most this part of the budget: they are in the JSON in full. */
export const EDGE_SHARE = 0.01;

/** What the text may take; `contextWindow` and `reservedTokens` are kept for the record when they made it. */
export type Budget = {
  readonly tokens: number;
  readonly maxLines: number | null;
  readonly contextWindow: number | null;
  readonly reservedTokens: number | null;
};

/** A budget as the log keeps it. */
export const budgetRow = ({ tokens, maxLines, contextWindow, reservedTokens }: Budget) => ({
  tokens,
  max_lines: maxLines,
  context_window: contextWindow,
  reserved_tokens: reservedTokens,
});
