/**
 * What a refinement wishes of single symbols: shown in full, as a signature, or not at all.
 *
 * Invariants: what is wished to be shown is placed and part of the floor; what is left out is not placed, and nothing
 * inside it is that is not wished for by itself. Pure. Not here: what the names stand for (`refine-targets.ts`), lines of
 * a symbol that others would show (`hiddenLines` is asked by `items.ts`).
 */

import type { SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { LineRange } from "../../text/ranges.ts";
import type { PlacedSymbol, Selection } from "../model/selection.ts";
import type { SymbolRequest, SymbolRequests } from "../model/symbol-requests.ts";
import { RELEVANT_SHARE_MIN } from "./symbol-tiers.ts";

/** `leftOut` are the symbols that are wished to be; `reasons` say why symbols are not placed, by id. */
export type RequestedSymbols = {
  readonly placed: readonly PlacedSymbol[];
  readonly leftOut: readonly SymbolRow[];
  readonly reasons: ReadonlyMap<number, string>;
};

/** The placed symbols as they are wished to be; `symbols` are all that may be. What was not placed before comes last. */
export function applySymbolRequests(
  placed: readonly PlacedSymbol[],
  symbols: readonly SymbolRow[],
  { bySymbol, missing }: SymbolRequests,
): RequestedSymbols {
  if (bySymbol.size === 0) return { placed, leftOut: [], reasons: new Map() };
  const rows = new Map(symbols.map((symbol) => [symbol.id, symbol]));
  const reasons = new Map<number, string>();
  for (const symbol of symbols) {
    const requested = bySymbol.get(symbol.id);
    if (requested === "out") reasons.set(symbol.id, "left out, as asked");
    else if (requested === undefined && !missing.has(symbol.id)) {
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
  const asked = requested === "body" ? "asked for in full" : "asked for as a signature";
  return {
    ...placed,
    tier: requested === "body" ? "primary" : placed.tier,
    floor: true,
    score: Math.max(placed.score, RELEVANT_SHARE_MIN),
    why: placed.why === "" ? asked : `${placed.why}; ${asked}`,
    usedBy: [],
    requested,
  };
}

/** What a symbol is in, the nearest first. */
function ancestors(symbol: SymbolRow, rows: ReadonlyMap<number, SymbolRow>): readonly SymbolRow[] {
  const found: SymbolRow[] = [];
  let at = symbol.parentId === null ? undefined : rows.get(symbol.parentId);
  while (at !== undefined && !found.includes(at)) {
    found.push(at);
    at = at.parentId === null ? undefined : rows.get(at.parentId);
  }
  return found;
}

/** The symbols of a selection of which others must not show the lines: left out, or shown as signatures alone. */
export const unshownSymbols = ({
  symbols,
  leftOut = [],
}: Pick<Selection, "symbols" | "leftOut">): readonly SymbolRow[] => [
  ...leftOut,
  ...symbols.flatMap(({ symbol, requested }) => (requested === "signature" ? [symbol] : [])),
];

/**
 * The lines of `inner` symbols that lie inside `holder` (null: a part of a file that is no symbol), but for its first
 * line, since a line is the least that is shown.
 */
export function hiddenLines(
  inner: readonly SymbolRow[],
  holder: { readonly id: number; readonly startLine: number; readonly endLine: number } | null,
): readonly LineRange[] {
  return inner.flatMap((symbol) => {
    const { docLine, startLine, endLine } = symbol;
    if (holder === null) return [{ startLine: docLine, endLine }];
    if (symbol.id === holder.id || startLine < holder.startLine || endLine > holder.endLine) return [];
    if (startLine === holder.startLine && endLine === holder.endLine) return [];
    const from = Math.max(docLine, holder.startLine + 1);
    return from > endLine ? [] : [{ startLine: from, endLine }];
  });
}

/** `ranges` without the lines of `hidden`, in order. */
export function withoutLines(ranges: readonly LineRange[], hidden: readonly LineRange[]): readonly LineRange[] {
  return hidden.reduce<readonly LineRange[]>(
    (left, out) =>
      left.flatMap(({ startLine, endLine }) =>
        [
          { startLine, endLine: Math.min(endLine, out.startLine - 1) },
          { startLine: Math.max(startLine, out.endLine + 1), endLine },
        ].filter((range) => range.startLine <= range.endLine),
      ),
    ranges,
  );
}

/** The lines of a text, those of `hidden` empty. */
export const blanked = (lines: readonly string[], hidden: readonly LineRange[]): readonly string[] =>
  hidden.length === 0
    ? lines
    : lines.map((text, at) => (hidden.some((out) => out.startLine <= at + 1 && at + 1 <= out.endLine) ? "" : text));
