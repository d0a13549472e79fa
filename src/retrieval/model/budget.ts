/** What a run may spend: the budget bounds the rendered text. */
/** Extra counted on top of an estimate by characters. */
export const SAFETY_MARGIN_DEFAULT = 0.15;

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
