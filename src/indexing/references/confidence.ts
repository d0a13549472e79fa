/**
 * Candidates for a name, with a confidence.
 *
 * The table is judgement, not measurement: what the language settles is near 1, what signatures declare is above a half, names alone are
 * below.
 */
import type { FileSymbols, SymbolRef, Target } from "./declarations/file-symbols.ts";

/** The confidence of each kind of step, 0 to 1. Each of n candidates gets at most `ambiguous` / n. */
export const CONFIDENCE = {
  scope: 1,
  self: 0.95,
  packaged: 0.95,
  inherited: 0.9,
  imported: 0.9,
  declared: 0.85,
  starred: 0.8,
  member: 0.8,
  typed: 0.7,
  unique: 0.5,
  ambiguous: 0.3,
} as const;

/** `own`: the target is the enclosing class, reached as `self` or `this`. */
export type Candidates = { readonly targets: readonly Target[]; readonly confidence: number; readonly own?: true };

/** "external": the name is known to come from outside the repository, so it must not be guessed. */
export type Resolution = Candidates | "external" | null;

/** Null if there are no targets. */
export const candidates = (targets: readonly Target[], confidence: number): Candidates | null =>
  targets.length === 0 ? null : { targets, confidence };

/** A further step, which cannot raise the confidence. */
export const weaker = (from: Candidates, targets: readonly Target[], confidence: number): Candidates => ({
  targets,
  confidence: Math.min(from.confidence, confidence),
});

/** Candidates by name alone. */
export const byName = (targets: readonly Target[]): Candidates | null => candidates(targets, CONFIDENCE.unique);

/** The confidence of each target: several candidates share what a name alone is worth. */
export const shareOf = ({ targets, confidence }: Candidates): number =>
  targets.length < 2
    ? confidence
    : Math.round((Math.min(confidence, CONFIDENCE.ambiguous) / targets.length) * 1e6) / 1e6;

export const isSymbol = (target: Target): target is SymbolRef => target.file !== null && target.symbol !== null;

/** Removes duplicates. */
export const distinct = <T extends Target>(targets: readonly T[]): readonly T[] =>
  targets.length < 2 ? targets : withoutRepeats(targets);

const withoutRepeats = <T extends Target>(targets: readonly T[]): readonly T[] =>
  targets.filter((target, at) => targets.findIndex((other) => isSame(target, other)) === at);

const isSame = (a: Target, b: Target): boolean =>
  a.file === b.file && (a.file === null || b.file === null ? true : a.symbol === b.symbol);

/**
 * Caches what `find` finds for a fact of a symbol of a file. A recursive question for the same fact gets `empty`, so cycles end. The depth is
 * that of the first question.
 */
export function memoized<Fact extends object, Answer extends object>(
  empty: Answer,
  find: (file: FileSymbols, symbol: number, fact: Fact, depth: number) => Answer,
): (file: FileSymbols, symbol: number, fact: Fact, depth: number) => Answer {
  const answers = new Map<FileSymbols, Map<Fact, Answer>>();
  return (file, symbol, fact, depth) => {
    let known = answers.get(file);
    if (known === undefined) {
      known = new Map();
      answers.set(file, known);
    }
    const answer = known.get(fact);
    if (answer !== undefined) return answer;
    known.set(fact, empty);
    const found = find(file, symbol, fact, depth);
    known.set(fact, found);
    return found;
  };
}
