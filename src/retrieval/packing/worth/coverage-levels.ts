/** The coverages that an interface steps through, and whether one coverage is narrower than another in a task. */
import type { Coverage } from "../../model/budget.ts";
import { fullTokens } from "../items/items.ts";
import type { Stop } from "./stop.ts";

/** The shares to step through; about equal steps in tokens. */
const SHARES = [0.3, 0.5, 0.7, 0.8, 0.9, 0.95] as const;

/** `tokens` estimates what is relevant at the coverage, whether or not the budget has room for it. */
export type CoverageLevel = { readonly coverage: Coverage; readonly tokens: number };

type StopAt = (coverage: Coverage) => Pick<Stop, "relevant">;

const tokensAt = (stopAt: StopAt, coverage: Coverage): number =>
  stopAt(coverage).relevant.reduce((sum, item) => sum + fullTokens(item), 0);

/**
 * The levels of a task, the narrowest first. `auto`, 1 and the current coverage are always among them; a share is not if
 * another level or a higher share gives the same, or if it gives more than the budget has room for, which 1 fills.
 */
export function coverageLevels(stopAt: StopAt, current: Coverage, budget: number): readonly CoverageLevel[] {
  const fixed: readonly Coverage[] = ["auto", 1, current];
  const levels = [...new Set<Coverage>([...SHARES, ...fixed])]
    .map((coverage) => ({ coverage, tokens: tokensAt(stopAt, coverage) }))
    .toSorted((a, b) => a.tokens - b.tokens || Number(a.coverage === 1) - Number(b.coverage === 1));
  const isFixed = ({ coverage }: CoverageLevel): boolean => fixed.includes(coverage);
  const taken = new Set(levels.filter(isFixed).map(({ tokens }) => tokens));
  return levels.filter(
    (level, at) =>
      isFixed(level) || (!taken.has(level.tokens) && level.tokens <= budget && levels[at + 1]?.tokens !== level.tokens),
  );
}

/** Whether less is relevant at one coverage than at another. */
export const isNarrower = (stopAt: StopAt, coverage: Coverage, than: Coverage): boolean =>
  coverage !== than && tokensAt(stopAt, coverage) < tokensAt(stopAt, than);
