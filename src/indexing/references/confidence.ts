/**
 * Guesses at what a name means, and how far each is to be trusted.
 *
 * The confidence of a path is that of its weakest step. The table is judgement, not measurement: what
 * the language itself settles is near 1, what signatures tell is above a half, names alone are below.
 */
import type { FileSymbols, Place, Target } from "./file-symbols.ts";

/** How far each kind of step is to be trusted, 0..1. A name with n candidates gets at most `ambiguous` / n each. */
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

/** What a name may mean. `own`: the target is the class that the use stands in, reached as `self` or `this`. */
export type Guess = { readonly targets: readonly Target[]; readonly confidence: number; readonly own?: true };

/** "outside": the name is known to come from elsewhere, so nothing may be guessed for it. */
export type Found = Guess | "outside" | null;

/** Targets as a guess, or null when there are none. */
export const guess = (targets: readonly Target[], confidence: number): Guess | null =>
  targets.length === 0 ? null : { targets, confidence };

/** A further step from a guess: no surer than it. */
export const weaker = (from: Guess, targets: readonly Target[], confidence: number): Guess => ({
  targets,
  confidence: Math.min(from.confidence, confidence),
});

/** Every candidate of a name as a guess. */
export const byName = (targets: readonly Target[]): Guess | null => guess(targets, CONFIDENCE.unique);

/** How far each of a guess's targets is to be trusted: candidates share what a name alone is worth. */
export const shareOf = ({ targets, confidence }: Guess): number =>
  targets.length < 2
    ? confidence
    : Math.round((Math.min(confidence, CONFIDENCE.ambiguous) / targets.length) * 1e6) / 1e6;

/** Is the target a symbol? */
export const isPlace = (target: Target): target is Place => target.file !== null && target.symbol !== null;

/** Targets without repeats. */
export function distinct<T extends Target>(targets: readonly T[]): readonly T[] {
  if (targets.length < 2) return targets;
  const isSame = (a: Target, b: Target): boolean =>
    a.file === b.file && (a.file === null || b.file === null ? true : a.symbol === b.symbol);
  return targets.filter((target, at) => targets.findIndex((other) => isSame(target, other)) === at);
}

/** Remembers answers by fact. One that is asked for again while it is being found is empty: so cycles end. */
export function keptAnswers<Fact extends object, Answer extends object>(
  empty: Answer,
): (file: FileSymbols, fact: Fact, find: () => Answer) => Answer {
  const answers = new Map<FileSymbols, Map<Fact, Answer>>();
  return (file, fact, find) => {
    let known = answers.get(file);
    if (known === undefined) {
      known = new Map();
      answers.set(file, known);
    }
    const answer = known.get(fact);
    if (answer !== undefined) return answer;
    known.set(fact, empty);
    const found = find();
    known.set(fact, found);
    return found;
  };
}
