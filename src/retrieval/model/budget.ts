/** The budget of a run: how much the rendered text may take, and where packing stops before that. */

/** Added to token counts that are estimated by characters, as a share. */
export const SAFETY_MARGIN_DEFAULT = 0.15;

/**
 * Where packing stops. A number is the share, above 0 to 1, of all that is expected to matter; 1 fills the budget. `auto`
 * stops where 1,000 more tokens are expected to bring less than `WORTH_MIN` (`packing/worth/stop.ts`).
 */
export type Coverage = "auto" | number;

/** `contextWindow` and `reservedTokens` are recorded when `tokens` comes from them. */
export type Budget = {
  readonly tokens: number;
  readonly maxLines: number | null;
  readonly contextWindow: number | null;
  readonly reservedTokens: number | null;
  readonly coverage: Coverage;
};
