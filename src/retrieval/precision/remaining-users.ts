/**
 * What still uses what a review's changes removed, beside the callers of what they changed: the places that break.
 *
 * Definitions are shown with their bodies like callers, other lines alone.
 */
import type { SymbolRow } from "../../db/curated/knowledge-base.ts";
import { mergeRanges } from "../../text/ranges.ts";
import type { RemainingUse } from "../model/review.ts";
import type { PlacedSnippet, PlacedSymbol, ScopedFile } from "../model/selection.ts";
import { roundScore } from "../ranking/score.ts";

/** The placed symbols with these users, in no particular order. `symbols` are those of the files in scope. */
export function withRemainingUsers(
  placed: readonly PlacedSymbol[],
  uses: readonly RemainingUse[],
  files: readonly ScopedFile[],
  symbols: readonly SymbolRow[],
): readonly PlacedSymbol[] {
  if (uses.length === 0) return placed;
  const idOf = new Map(files.map(({ file }) => [file.path, file.id]));
  const keyOf = (fileId: number | undefined, name: string, line: number): string => `${fileId} ${name} ${line}`;
  const known = new Map(symbols.map((one) => [keyOf(one.fileId, one.qualifiedName, one.startLine), one]));
  const before = new Map(placed.map((one) => [one.symbol.id, one]));
  const users = new Map<number, PlacedSymbol>();
  for (const { path, symbol: user, why, confidence } of uses) {
    const symbol = user && known.get(keyOf(idOf.get(path), user.qualifiedName, user.startLine));
    if (!symbol || users.has(symbol.id)) continue;
    const earlier = before.get(symbol.id);
    const fresh: PlacedSymbol = {
      symbol,
      tier: "primary",
      floor: false,
      score: roundScore(confidence),
      why,
      usedBy: [],
    };
    users.set(symbol.id, { ...(earlier?.floor ? earlier : fresh), isCaller: true });
  }
  return [...placed.filter(({ symbol }) => !users.has(symbol.id)), ...users.values()];
}

/** The snippets with the lines outside of definitions, one snippet for each file. */
export function withRemainingLines(
  snippets: readonly PlacedSnippet[],
  uses: readonly RemainingUse[],
  files: readonly ScopedFile[],
): readonly PlacedSnippet[] {
  const lines = Map.groupBy(
    uses.filter(({ symbol }) => symbol === null),
    ({ path }) => path,
  );
  if (lines.size === 0) return snippets;
  const before = new Map(snippets.map((snippet) => [snippet.fileId, snippet]));
  const found = files.flatMap(({ file }): readonly PlacedSnippet[] => {
    const [first, ...others] = lines.get(file.path) ?? [];
    if (first === undefined) return [];
    const own = [first, ...others].map(({ line }) => ({ startLine: line, endLine: line }));
    const earlier = before.get(file.id);
    const { confidence: score, why } = first;
    const fresh: PlacedSnippet = { fileId: file.id, ranges: [], score, floor: false, why };
    const kept = earlier?.floor ? earlier : { ...fresh, ...earlier, score, why };
    return [{ ...kept, ranges: mergeRanges([...kept.ranges, ...own]), isCaller: true }];
  });
  const users = new Set(found.map(({ fileId }) => fileId));
  return [...snippets.filter(({ fileId }) => !users.has(fileId)), ...found];
}
