/**
 * Where the expected definitions are: in the ranking, and in which lines.
 *
 * A ranked definition matches an expected one if it has the same path and name (or qualified name) and overlapping lines, or
 * the same lines under another name (`module.exports = function send`). One expected by name only matches any of that name in
 * its file; without a file, in the expected files, or in all files if none is expected.
 */
import { allWithin, anyWithin, type Share } from "./file-metrics.ts";
import type { SymbolRankName } from "./metric-names.ts";
import type { EvaluationCase, GoldLines, GoldSymbol, RankedSymbol } from "./model.ts";

/** The expected definitions that count: the innermost ones, each once. */
export function scoredSymbols({ expectedSymbols }: Pick<EvaluationCase, "expectedSymbols">): readonly GoldSymbol[] {
  const innermost = expectedSymbols.filter(({ role }) => role === "innermost");
  const key = ({ path, qualified, lines }: GoldSymbol) => JSON.stringify([path, qualified, lines?.start, lines?.end]);
  return [...new Map(innermost.map((symbol) => [key(symbol), symbol])).values()];
}

/** Parsers differ in whether decorators and closing lines belong to a definition. */
const LINES_APART_MAX = 2;
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= LINES_APART_MAX;

/** Returns a test whether a ranked definition is the expected one. */
function matches(gold: GoldSymbol, expectedFiles: readonly string[]): (ranked: RankedSymbol) => boolean {
  const named = ({ name, qualified }: RankedSymbol) =>
    name === gold.name || qualified === gold.qualified || qualified === gold.name;
  const inPlace = ({ path }: RankedSymbol) =>
    gold.path === null ? expectedFiles.length === 0 || expectedFiles.includes(path) : path === gold.path;
  const overlaps = ({ start, end }: RankedSymbol) =>
    gold.lines === null || (start <= gold.lines.end && gold.lines.start <= end);
  const isSame = ({ start, end }: RankedSymbol) =>
    gold.lines !== null && isNear(start, gold.lines.start) && isNear(end, gold.lines.end);
  return (ranked) => inPlace(ranked) && (named(ranked) ? overlaps(ranked) : isSame(ranked));
}

/** The rank of each expected definition, from 1; null: not ranked. */
export function symbolRanks(
  ranked: readonly RankedSymbol[],
  gold: readonly GoldSymbol[],
  expectedFiles: readonly string[],
): readonly (number | null)[] {
  return gold.map((symbol) => {
    const at = ranked.findIndex(matches(symbol, expectedFiles));
    return at < 0 ? null : at + 1;
  });
}

/** The metrics of a ranking, from the ranks of the expected definitions. */
export function symbolRankMetrics(ranks: readonly (number | null)[]): Readonly<Record<SymbolRankName, Share>> {
  return {
    "symbol_all@5": allWithin(ranks, 5),
    "symbol_all@10": allWithin(ranks, 10),
    "symbol_any@5": anyWithin(ranks, 5),
    "symbol_any@10": anyWithin(ranks, 10),
  };
}

/**
 * The places where each expected definition may be: its own lines; or, if it is expected by name only, those of every
 * indexed definition that matches (one of them is enough). `named`: all indexed definitions with such names.
 */
export function symbolPlaces(
  named: readonly RankedSymbol[],
  gold: readonly GoldSymbol[],
  expectedFiles: readonly string[],
): readonly (readonly GoldLines[])[] {
  return gold.map((symbol) =>
    symbol.path !== null && symbol.lines !== null
      ? [{ path: symbol.path, start: symbol.lines.start, end: symbol.lines.end }]
      : named.filter(matches(symbol, expectedFiles)).map(({ path, start, end }) => ({ path, start, end })),
  );
}
