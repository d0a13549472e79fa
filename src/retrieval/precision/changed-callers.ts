/**
 * The direct callers of what a review changes or an exact task names, tests among them: what a change can break.
 *
 * They are primary, so that they are shown with their bodies, and rank below what they call.
 */
import type { ReferenceRow, SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { PlacedSymbol, Seed } from "../model/selection.ts";
import { roundScore } from "../ranking/score.ts";

/** References with less confidence are guesses. */
const CONFIDENCE_MIN = 0.5;
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
  /** The ids of test files in scope. */
  readonly tests: ReadonlySet<number>;
  readonly referencesTo: (symbolIds: readonly number[]) => readonly ReferenceRow[];
};

/** The placed symbols with the callers, in no particular order. */
export function withCallers({
  seeds,
  named,
  likely,
  placed,
  symbols,
  tests,
  referencesTo,
}: CallerInput): readonly PlacedSymbol[] {
  const changed = new Set([...seeds.flatMap((seed) => seed.changed ?? []), ...named, ...likely]);
  if (changed.size === 0) return placed;
  const known = new Map(symbols.map((symbol) => [symbol.id, symbol]));
  const before = new Map(placed.map((one) => [one.symbol.id, one]));
  const callers = new Map<number, PlacedSymbol>();
  const counts = new Map<string, number>();
  // The surest first, and otherwise by path, as they come: ids depend on which file was stored first.
  const rows = referencesTo([...changed]).toSorted((a, b) => b.confidence - a.confidence);
  for (const { caller, callee, confidence } of rows) {
    const [symbol, target] = [known.get(caller), known.get(callee)];
    if (!symbol || !target || changed.has(caller) || callers.has(caller) || confidence < CONFIDENCE_MIN) continue;
    const key = `${callee} ${tests.has(symbol.fileId)}`;
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
  return [...placed.filter(({ symbol }) => !callers.has(symbol.id)), ...callers.values()];
}
