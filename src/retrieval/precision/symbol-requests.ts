/**
 * Applies a refinement's requests for single symbols: shown in full, as a signature, or not at all.
 *
 * Invariants: a requested symbol is placed and part of the floor; a symbol that is left out is not placed, nor are the
 * symbols inside it unless they are requested themselves.
 */
import type { SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { PlacedSymbol, Selection } from "../model/selection.ts";
import type { SymbolRequest, SymbolRequests } from "../requests/symbol-requests.ts";
import { RELEVANT_SHARE_MIN } from "./symbol-tiers.ts";

/** `leftOut` are symbols that a request leaves out; `reasons` say by id why symbols are not placed. */
type RequestedSymbols = {
  readonly placed: readonly PlacedSymbol[];
  readonly leftOut: readonly SymbolRow[];
  readonly reasons: ReadonlyMap<number, string>;
};

/** `symbols` are all that may be placed. Requested symbols that were not placed come last. */
export function applySymbolRequests(
  placed: readonly PlacedSymbol[],
  symbols: readonly SymbolRow[],
  { bySymbol, missing }: SymbolRequests,
): RequestedSymbols {
  if (bySymbol.size === 0) return { placed, leftOut: [], reasons: new Map() };
  const rows = new Map(symbols.map((symbol) => [symbol.id, symbol]));
  const reasons = new Map<number, string>();
  for (const symbol of symbols) {
    const request = bySymbol.get(symbol.id);
    if (request === "out") reasons.set(symbol.id, "left out, as asked");
    else if (request === undefined && !missing.has(symbol.id)) {
      const holder = ancestors(symbol, rows).find(({ id }) => bySymbol.get(id) === "out");
      if (holder !== undefined) reasons.set(symbol.id, `left out with ${holder.qualifiedName}, as asked`);
    }
  }
  const known = new Set(placed.map(({ symbol }) => symbol.id));
  const fresh = symbols.filter(({ id }) => !known.has(id) && bySymbol.has(id)).map(unplaced);
  return {
    placed: [...placed, ...fresh].flatMap((symbol) =>
      reasons.has(symbol.symbol.id) ? [] : [asRequested(symbol, bySymbol.get(symbol.symbol.id))],
    ),
    leftOut: symbols.filter(({ id }) => bySymbol.get(id) === "out"),
    reasons,
  };
}

const unplaced = (symbol: SymbolRow): PlacedSymbol => ({
  symbol,
  tier: "supporting",
  floor: true,
  score: RELEVANT_SHARE_MIN,
  why: "",
  usedBy: [],
});

function asRequested(placed: PlacedSymbol, requested: SymbolRequest | undefined): PlacedSymbol {
  if (requested === undefined || requested === "out") return placed;
  const why = requested === "body" ? "asked for in full" : "asked for as a signature";
  return {
    ...placed,
    tier: requested === "body" ? "primary" : placed.tier,
    floor: true,
    score: Math.max(placed.score, RELEVANT_SHARE_MIN),
    why: placed.why === "" ? why : `${placed.why}; ${why}`,
    usedBy: [],
    requested,
  };
}

/** Nearest first. */
function ancestors(symbol: SymbolRow, rows: ReadonlyMap<number, SymbolRow>): readonly SymbolRow[] {
  const holders: SymbolRow[] = [];
  let at = symbol.parentId === null ? undefined : rows.get(symbol.parentId);
  while (at !== undefined && !holders.includes(at)) {
    holders.push(at);
    at = at.parentId === null ? undefined : rows.get(at.parentId);
  }
  return holders;
}

/** The symbols whose bodies must not be shown by other items: left out, or shown as signatures alone. */
export const unshownSymbols = ({
  symbols,
  leftOut = [],
}: Pick<Selection, "symbols" | "leftOut">): readonly SymbolRow[] => [
  ...leftOut,
  ...symbols.flatMap(({ symbol, requested }) => (requested === "signature" ? [symbol] : [])),
];
