/**
 * How likely each ranked definition is changed by the fix, and their order after a model's verdicts.
 *
 * A verdict multiplies the probability of a definition, never its score: scores of neighbours are so close that a factor of two
 * would bring a definition from the thirtieth place to the first. The order changes, the scores of the places stay.
 */
import { probabilityOf } from "../../judgement/evidence.ts";
import type { DefinitionScore } from "../model/scores.ts";

/**
 * Logarithmic odds that a symbol is changed by the fix, fitted on the development cases: by its place among the others and by its
 * score as a share of the best.
 */
const ODDS = { constant: -2.9, logPlace: -0.91, score: 2.6 } as const;

/** The probability of the symbol at a place, from 0, whose score is that share of the best. */
export const symbolProbability = (place: number, share: number): number =>
  probabilityOf(ODDS.constant + ODDS.logPlace * Math.log(place + 1) + ODDS.score * Math.min(1, share));

/** The definitions with their probabilities multiplied. `definitions` are the best first. */
export function reordered(
  definitions: readonly DefinitionScore[],
  factorOf: (definition: DefinitionScore) => number,
): readonly DefinitionScore[] {
  const best = definitions[0]?.score ?? 0;
  return definitions
    .map((definition, place) => {
      const share = best > 0 ? definition.score / best : 0;
      return { definition, probability: symbolProbability(place, share) * factorOf(definition) };
    })
    .sort((a, b) => b.probability - a.probability)
    .map(({ definition }, place) => ({ ...definition, score: definitions[place]?.score ?? definition.score }));
}
