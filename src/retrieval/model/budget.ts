/** The budget of a run: what the rendered text may take. */
/** Added to token counts that are estimated by characters, as a share. */
export const SAFETY_MARGIN_DEFAULT = 0.15;

/** `contextWindow` and `reservedTokens` are recorded when `tokens` comes from them. */
export type Budget = {
  readonly tokens: number;
  readonly maxLines: number | null;
  readonly contextWindow: number | null;
  readonly reservedTokens: number | null;
};
