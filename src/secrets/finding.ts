/**
 * What a rule finds: parts of a text that are one secret, and what kind of secret it is.
 *
 * Not here: the rules (`own-rules.ts`, `preset-rules.ts`), what is shown in their place (`redact.ts`).
 */

/** Places in a text, in UTF-16 units; `end` is the first one behind. */
export type Span = { readonly start: number; readonly end: number };

/** One secret. `spans` are in order and never empty; between them is what may be shown, such as the ends of lines. */
export type Finding = { readonly kind: string; readonly spans: readonly [Span, ...Span[]] };
