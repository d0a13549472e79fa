/**
 * Guesses at what a name means, and how far each is to be trusted.
 *
 * The confidence of a path is that of its weakest step. The table is judgement, not measurement: what
 * the language itself settles is near 1, what signatures tell is above a half, names alone are below.
 */
import type { Target } from "./references-exports.ts";
import type { FileSymbols } from "./references-symbols.ts";

/** How far each kind of step is to be trusted, 0..1. A name with n candidates gets `ambiguous` / n each. */
export const CONFIDENCE = {
  scope: 1,
  self: 0.95,
  inherited: 0.9,
  imported: 0.9,
  starred: 0.8,
  member: 0.8,
  typed: 0.7,
  unique: 0.5,
  ambiguous: 0.3,
} as const;

/** `own`: the target is the class that the use stands in, reached as `self` or `this`. */
export type Guess = { readonly target: Target; readonly confidence: number; readonly own?: true };

/** A further step from a guess: no surer than it. */
export const weaker = (from: Guess, next: Guess): Guess => ({
  target: next.target,
  confidence: Math.min(from.confidence, next.confidence),
});

/** Every candidate of a name as a guess. */
export function byName(targets: readonly Target[]): readonly Guess[] {
  const confidence =
    targets.length === 1
      ? CONFIDENCE.unique
      : Math.round((CONFIDENCE.ambiguous / Math.max(1, targets.length)) * 1e6) / 1e6;
  return targets.map((target) => ({ target, confidence }));
}

/** Remembers answers by fact. One that is asked for again while it is being found is null: so cycles end. */
export function keptAnswers<Fact extends object>(): (
  file: FileSymbols,
  fact: Fact,
  find: () => Target | null,
) => Target | null {
  const answers = new Map<FileSymbols, Map<Fact, Target | null>>();
  return (file, fact, find) => {
    const known = answers.get(file) ?? new Map<Fact, Target | null>();
    answers.set(file, known);
    const answer = known.get(fact);
    if (answer !== undefined) return answer;
    known.set(fact, null);
    const found = find();
    known.set(fact, found);
    return found;
  };
}
