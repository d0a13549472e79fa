/** The tiers of files, symbols and packed items, and how much of a symbol a package shows. */

/** Why a file is in scope, strongest first. */
export const FILE_TIERS = ["seed", "dependency", "co_change", "metadata", "ranked"] as const;
export type FileTier = (typeof FILE_TIERS)[number];

/** How much of a symbol the task needs, most first. */
export const SYMBOL_TIERS = ["primary", "supporting", "type_context", "excluded"] as const;
export type SymbolTier = (typeof SYMBOL_TIERS)[number];

/** What an item of a package is, most needed first. */
export const ITEM_TIERS = ["primary", "tests", "supporting", "type_context", "rationale"] as const;
export type ItemTier = (typeof ITEM_TIERS)[number];

/** How much of a symbol is shown, least first. */
export const DETAILS = ["none", "signature", "excerpt", "body"] as const;
export type Detail = (typeof DETAILS)[number];
