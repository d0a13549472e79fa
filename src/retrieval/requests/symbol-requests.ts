/** What a refinement requests for single symbols. */

/** How much of a symbol is to be shown. */
export type SymbolRequest = "body" | "signature" | "out";

/**
 * Requests by symbol id. `files` are those of the symbols to be shown, each with the name that requests it. `missing` are
 * symbols that were reported missing, in any file.
 */
export type SymbolRequests = {
  readonly bySymbol: ReadonlyMap<number, SymbolRequest>;
  readonly files: ReadonlyMap<number, string>;
  readonly missing: ReadonlySet<number>;
};

export const NO_SYMBOL_REQUESTS: SymbolRequests = { bySymbol: new Map(), files: new Map(), missing: new Set() };
