/**
 * Divides a number of tokens among sources by weight.
 *
 * Tokens that a source cannot use go to the others, by their weights. Unless every demand can be met, the usable budgets add
 * up to the whole.
 */
import type { ContextType } from "./context-types.ts";

/** The weight of each kind: experiences say much, code and commits are long, the others are a line or two. */
export const WEIGHTS: Record<ContextType, number> = { experiences: 3, code: 2, commits: 2, values: 1, memories: 1 };

type Demand = { readonly weight: number; readonly demand: number };

/**
 * A budget for each demand. A demand below its share still gets the share as budget, because the cap of an item depends on
 * it. If all demands can be met, each gets whatever the others leave.
 */
export function allocateTokens(tokens: number, wishes: readonly Demand[]): readonly number[] {
  const wanted = wishes.reduce((sum, { demand }) => sum + demand, 0);
  if (wanted <= tokens) return wishes.map(({ demand }) => tokens - wanted + demand);
  const perWeight = level(tokens, wishes);
  return wishes.map(({ weight }) => Math.min(tokens, weight * perWeight));
}

/** The tokens per unit of weight at which the usable budgets add up to `tokens`. */
function level(tokens: number, wishes: readonly Demand[]): number {
  const byNeed = wishes
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => a.demand / a.weight - b.demand / b.weight);
  let left = Math.max(0, tokens);
  let weights = byNeed.reduce((sum, { weight }) => sum + weight, 0);
  for (const { demand, weight } of byNeed) {
    if (demand / weight > left / weights) break;
    left -= demand;
    weights -= weight;
  }
  return weights === 0 ? 0 : left / weights;
}
