/**
 * The direct callers of what a review changes or an exact task names, tests among them: what a change can break.
 *
 * They are primary, so that they are shown with their bodies, and rank below what they call. Of a change that no test uses, tests of its
 * callers come too.
 */

import type { ReferenceRow, SymbolRow } from "../../db/curated/knowledge-base.ts";
import { CONFIDENCE_MIN } from "../model/confidence.ts";
import type { PlacedSymbol, Seed } from "../model/selection.ts";
import { roundScore } from "../ranking/score.ts";
import { ownersAmong } from "./named-members.ts";

/** Callers of each changed symbol, sources and tests apart. */
const PER_SYMBOL_MAX = 5;
const CALLERS_MAX = 30;
const CHANGED = ", which was changed";
const NAMED = ", which the task names";
const LIKELY = ", which the task is likely about";
/** What a caller of a named symbol scores for each reference, of at most 1. */
const CALLER_SHARE = 0.5;

type CallerInput = {
  readonly seeds: readonly Seed[];
  /** The symbols that an exact task names. */
  readonly named: ReadonlySet<number>;
  /** Those that a task is likely about, where its package is to fix or review them. */
  readonly likely: ReadonlySet<number>;
  readonly placed: readonly PlacedSymbol[];
  readonly symbols: readonly SymbolRow[];
  /** Of the symbols, those that are tests. Asked for only if there is something whose callers are wanted. */
  readonly testSymbols: () => ReadonlySet<number>;
  readonly referencesTo: (symbolIds: readonly number[]) => readonly ReferenceRow[];
};

/** The placed symbols with the callers, in no particular order. */
export function withCallers({
  seeds,
  named,
  likely,
  placed,
  symbols,
  testSymbols,
  referencesTo,
}: CallerInput): readonly PlacedSymbol[] {
  const changed = new Set([...seeds.flatMap((seed) => seed.changed ?? []), ...named, ...likely]);
  if (changed.size === 0) return placed;
  const tests = testSymbols();
  const known = new Map(symbols.map((symbol) => [symbol.id, symbol]));
  const before = new Map(placed.map((one) => [one.symbol.id, one]));
  const callers = new Map<number, PlacedSymbol>();
  const counts = new Map<string, number>();
  const called = changed.difference(ownersAmong(named, symbols));
  for (const { caller, callee, confidence } of surestFirst(referencesTo([...called]))) {
    const [symbol, target] = [known.get(caller), known.get(callee)];
    if (!symbol || !target || changed.has(caller) || callers.has(caller) || confidence < CONFIDENCE_MIN) continue;
    const key = `${callee} ${tests.has(symbol.id)}`;
    const count = counts.get(key) ?? 0;
    if (count >= PER_SYMBOL_MAX || callers.size >= CALLERS_MAX) continue;
    counts.set(key, count + 1);
    const earlier = before.get(caller);
    // As much as the best match of a task's words: a review needs it more.
    const isOfTask = named.has(callee) || likely.has(callee);
    const score = roundScore(isOfTask ? CALLER_SHARE * confidence : confidence);
    const why = `uses ${target.qualifiedName}${named.has(callee) ? NAMED : likely.has(callee) ? LIKELY : CHANGED}`;
    const fresh: PlacedSymbol = { symbol, tier: "primary", floor: false, score, why, usedBy: [] };
    const kept = isOfTask && earlier?.tier === "primary" ? { ...earlier, why } : fresh;
    callers.set(caller, { ...kept, isCaller: true });
  }
  const all = [...placed.filter(({ symbol }) => !callers.has(symbol.id)), ...callers.values()];
  const through = indirectTests({ seeds, symbols, tests, referencesTo, placed: all });
  return [...all.filter(({ symbol }) => !through.has(symbol.id)), ...through.values()];
}

/**
 * Of each change that no test uses, the tests of what is placed as its caller: tests of a private function use the public one.
 * By the id of the test.
 */
function indirectTests({
  seeds,
  symbols,
  tests,
  referencesTo,
  placed,
}: Omit<CallerInput, "named" | "likely" | "testSymbols"> & {
  readonly tests: ReadonlySet<number>;
}): ReadonlyMap<number, PlacedSymbol> {
  const known = new Map(symbols.map((symbol) => [symbol.id, symbol]));
  const isOfTest = (id: number): boolean => tests.has(id);
  const changed = new Set(seeds.flatMap((seed) => seed.changed ?? []));
  const callers = new Set(placed.flatMap(({ symbol, isCaller }) => (isCaller ? [symbol.id] : [])));
  const uses = surestFirst(referencesTo([...changed])).filter(({ caller }) => callers.has(caller));
  const tested = new Set(uses.flatMap(({ caller, callee }) => (isOfTest(caller) ? [callee] : [])));
  const between = new Map(
    uses.toReversed().flatMap((use) => (tested.has(use.callee) || isOfTest(use.caller) ? [] : [[use.caller, use]])),
  );
  const found = new Map<number, PlacedSymbol>();
  const counts = new Map<number, number>();
  for (const { caller, callee, confidence } of surestFirst(referencesTo([...between.keys()]))) {
    const use = between.get(callee);
    const [symbol, middle, target] = [known.get(caller), known.get(callee), known.get(use?.callee ?? -1)];
    const count = counts.get(target?.id ?? -1) ?? 0;
    if (!use || !symbol || !middle || !target || !isOfTest(caller) || changed.has(caller)) continue;
    if (callers.has(caller) || found.has(caller) || confidence < CONFIDENCE_MIN || count >= PER_SYMBOL_MAX) continue;
    counts.set(target.id, count + 1);
    const score = roundScore(use.confidence * confidence);
    const why = `uses ${middle.qualifiedName}, which uses ${target.qualifiedName}${CHANGED}`;
    found.set(caller, { symbol, tier: "primary", floor: false, score, why, usedBy: [], isCaller: true });
  }
  return found;
}

// The surest first, and otherwise by path, as they come: ids depend on which file was stored first.
const surestFirst = (rows: readonly ReferenceRow[]): readonly ReferenceRow[] =>
  rows.toSorted((a, b) => b.confidence - a.confidence);
