/** Shows what the tests that a review changes test, with its body like a caller of a change. */
import type { SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { PlacedSymbol } from "../model/selection.ts";
import { roundScore } from "../ranking/score.ts";
import type { Tested } from "../scope/tested-by-changes.ts";

/** The placed symbols with these definitions, in no particular order. `symbols` are those of the files in scope. */
export function withTested(
  placed: readonly PlacedSymbol[],
  tested: readonly Tested[],
  symbols: readonly SymbolRow[],
): readonly PlacedSymbol[] {
  if (tested.length === 0) return placed;
  const inScope = new Set(symbols.map(({ id }) => id));
  const named = new Set(placed.flatMap(({ symbol, floor }) => (floor ? [symbol.id] : [])));
  const found = tested
    .filter(({ symbol: { id } }) => inScope.has(id) && !named.has(id))
    .map(({ symbol, why, confidence }): PlacedSymbol => {
      const score = roundScore(confidence);
      return { symbol, tier: "primary", floor: false, score, why, usedBy: [], isCaller: true };
    });
  const shown = new Set(found.map(({ symbol }) => symbol.id));
  return [...placed.filter(({ symbol }) => !shown.has(symbol.id)), ...found];
}
