/**
 * How a number of tokens is shared out among sources that want some, by weight.
 *
 * Nobody keeps what it cannot use: a share above a source's demand goes to the others, by their weights. Invariant: as
 * long as not everybody gets all it wants, the budgets that can be used add up to the whole. No budget is above the whole.
 */
import type { ContextType } from "./context-item.ts";

/** What each kind of context is worth: experiences are rich, code and commits run long, the others are a line or two. */
export const WEIGHTS: Record<ContextType, number> = { experiences: 3, code: 2, commits: 2, values: 1, memories: 1 };

type Wish = { readonly weight: number; readonly demand: number };

/**
 * A budget for each wish. One that wants less than its share still has its share as budget, since an item's size is held
 * against that; where all wishes can be met, each may take whatever the others leave.
 */
export function shareOut(tokens: number, wishes: readonly Wish[]): readonly number[] {
  const wanted = wishes.reduce((sum, { demand }) => sum + demand, 0);
  if (wanted <= tokens) return wishes.map(({ demand }) => tokens - wanted + demand);
  const perWeight = level(tokens, wishes);
  return wishes.map(({ weight }) => Math.min(tokens, weight * perWeight));
}

/** The tokens for one unit of weight at which what can be used adds up to `tokens`. */
function level(tokens: number, wishes: readonly Wish[]): number {
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
