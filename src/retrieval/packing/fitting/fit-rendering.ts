/**
 * Fits a package to the budget by counting its rendered text: as Markdown, as a prompt, and in the format that is printed if its text is another.
 *
 * The packer works with estimates, so its target is corrected until the text fits and fills the budget. Invariant: the
 * result is within the budget, or the call fails with the smallest budget that works.
 */
import { Failed } from "../../../failure.ts";
import { lineCount } from "../../../text/lines.ts";
import type { TokenCounter } from "../../../text/tokens/tokens.ts";
import type { Budget } from "../../model/budget.ts";
import type { ContextPackage } from "../../model/package-schema.ts";
import { REASON_SHARE, reasonTokens } from "../../reasons/shown-reasons.ts";
import { type Fit, type FitInput, fitter } from "./packer.ts";

/** How many renderings to try, the share of the budget at which a fit is good enough, and the share to aim at. */
const ATTEMPTS_MAX = 9;
const FULL_ENOUGH = 0.97;
const GOAL = 0.99;

/** All must fit the budget. `own` is the text of a format with `hasOwnSize`, which is printed. */
type Rendering = { readonly markdown: string; readonly prompt: string; readonly own?: string };

export type PackInput = FitInput & {
  readonly budget: Budget;
  readonly counter: TokenCounter;
  /** Returns the package that shows a fit, without its counts. */
  readonly assemble: (fit: Fit, reasonTokens?: number) => ContextPackage;
  readonly render: (pkg: ContextPackage) => Rendering;
};

/**
 * `tokens` are those of the Markdown; `floor` is the smallest budget that works; `relevant` is the size of all relevant
 * material. `use` is the share of the budget that the larger rendering takes, or of `relevant` if that is less.
 */
export type Packed = {
  readonly fit: Fit;
  readonly pkg: ContextPackage;
  readonly tokens: number;
  readonly floor: number;
  readonly relevant: number;
  readonly use: number;
};

type Attempt = {
  readonly fit: Fit;
  readonly pkg: ContextPackage;
  readonly tokens: number;
  readonly promptTokens: number;
  /** The largest of all renderings, as `lines`. */
  readonly size: number;
  readonly lines: number;
};

/** Throws `budget-below-floor` when the floor does not fit. */
export function pack(input: PackInput): Packed {
  const { budget } = input;
  const fit = fitter(input);
  const lowest = attempt(input, fit(0));
  if (lowest.size > budget.tokens)
    throw new Failed({ code: "budget-below-floor", budget: budget.tokens, floor: lowest.size, unit: "tokens" });
  if (budget.maxLines !== null && lowest.lines > budget.maxLines)
    throw new Failed({ code: "budget-below-floor", budget: budget.maxLines, floor: lowest.lines, unit: "lines" });
  const fullnessOf = ({ size, lines }: Attempt): number =>
    Math.max(size / budget.tokens, budget.maxLines === null ? 0 : lines / budget.maxLines);
  let best = lowest;
  let low = lowest.fit.estimate;
  let high = Number.POSITIVE_INFINITY;
  // The fixed parts of the text are in the floor's count, not in the estimates.
  let target = Math.max(low, budget.tokens - lowest.size + lowest.fit.estimate);
  for (let round = 0; round < ATTEMPTS_MAX; round += 1) {
    const next = attempt(input, fit(target));
    const fullness = fullnessOf(next);
    if (fullness <= 1) {
      // A short body can take fewer tokens than its signature, so the size does not tell which shows more.
      if (best === lowest || next.size >= best.size) best = next;
      low = Math.max(low, target);
      if (next.fit.complete || fullness >= FULL_ENOUGH) break;
    } else {
      high = Math.min(high, target);
    }
    if (high - low <= 1) break;
    // Text grows evenly with the target, so a line through the floor and this attempt leads to the next one.
    const gained = fullness - fullnessOf(lowest);
    const along = lowest.fit.estimate + ((target - lowest.fit.estimate) * (GOAL - fullnessOf(lowest))) / gained;
    const between = high === Number.POSITIVE_INFINITY ? target * 2 + 1 : (low + high) / 2;
    target = Math.floor(gained > 0 && along > low + 1 && along < high ? along : between);
  }
  best = withMoreReasons(input, best);
  const relevant = relevantTokens(fit, best, lowest);
  return {
    fit: best.fit,
    pkg: best.pkg,
    tokens: best.tokens,
    floor: lowest.size,
    relevant,
    use: usedShare(best, relevant, budget),
  };
}

/** The size of the smallest package, in its largest rendering. */
export function smallest(input: PackInput): { readonly tokens: number; readonly lines: number } {
  const { size, lines } = attempt(input, fitter(input)(0));
  return { tokens: size, lines };
}

function attempt(input: PackInput, chosen: Fit): Attempt {
  const first = rendered(input, chosen, input.assemble(chosen));
  // Estimates can be too high: here the share of the reasons is exact.
  const room = reasonRoom(first, input.counter);
  return reasonTokens(first.pkg, input.counter) <= room ? first : rendered(input, chosen, input.assemble(chosen, room));
}

/** The tokens that reasons may take beside the rest of a text. */
function reasonRoom({ pkg, tokens, promptTokens }: Attempt, counter: TokenCounter): number {
  const rest = Math.min(tokens, promptTokens) - reasonTokens(pkg, counter);
  return Math.floor((rest * REASON_SHARE) / (1 - REASON_SHARE));
}

/** Of a larger package, the estimate leaves too little unused for another rendering. */
const SMALL_TOKENS_MAX = 4_000;

/** A small package with all reasons that its size allows, if it stays within the budget. */
function withMoreReasons(input: PackInput, best: Attempt): Attempt {
  const { counter, budget } = input;
  const room = reasonRoom(best, counter);
  if (best.fit.target === 0 || best.size > SMALL_TOKENS_MAX || reasonTokens(best.pkg, counter) >= room) return best;
  const fuller = rendered(input, best.fit, input.assemble(best.fit, room));
  return fuller.size <= budget.tokens && (budget.maxLines === null || fuller.lines <= budget.maxLines) ? fuller : best;
}

function rendered({ counter, render }: PackInput, chosen: Fit, pkg: ContextPackage): Attempt {
  const { markdown, prompt, own = "" } = render(pkg);
  const tokens = counter.count(markdown);
  const promptTokens = counter.count(prompt);
  return {
    fit: chosen,
    pkg,
    tokens,
    promptTokens,
    size: Math.max(tokens, promptTokens, counter.count(own)),
    lines: Math.max(lineCount(markdown), lineCount(prompt), lineCount(own)),
  };
}

export const isWithin = (text: string, { tokens, maxLines }: Budget, counter: TokenCounter): boolean =>
  counter.count(text) <= tokens && (maxLines === null || lineCount(text) <= maxLines);

/** The exact count if everything is shown, else scaled up from the estimates. */
function relevantTokens(fit: (tokens: number) => Fit, best: Attempt, lowest: Attempt): number {
  if (best.fit.complete) return best.tokens;
  const everything = fit(Number.MAX_SAFE_INTEGER).estimate;
  const estimated = best.fit.estimate - lowest.fit.estimate;
  const scale = estimated > 0 ? (best.tokens - lowest.tokens) / estimated : 1;
  return Math.max(best.tokens, Math.round(lowest.tokens + (everything - lowest.fit.estimate) * scale));
}

/** The largest share of any bound. */
function usedShare(
  { tokens, promptTokens, lines }: Attempt,
  relevant: number,
  { tokens: budget, maxLines }: Budget,
): number {
  const relevantInPrompt = relevant + promptTokens - tokens;
  return Math.max(
    tokens / Math.min(budget, relevant),
    promptTokens / Math.min(budget, relevantInPrompt),
    maxLines === null ? 0 : lines / maxLines,
  );
}
