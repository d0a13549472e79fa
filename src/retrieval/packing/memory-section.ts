/**
 * Packs memories into the package's memory section.
 *
 * The section takes at most a tenth of the budget and nothing that the floor needs: the smallest budget that works is the same
 * with and without it.
 */
import type { TokenCounter } from "../../text/tokens/tokens.ts";
import type { Budget } from "../model/budget.ts";
import type { ContextPackage, LearnedJson } from "../model/package-schema.ts";
import { learnedText } from "../render/markdown.ts";
import { type Packed, type PackInput, pack, smallest } from "./fitting/fit-rendering.ts";

export const LEARNED_SHARE = 0.1;

/** `found` are memories, most relevant first; undefined adds no section. Throws as `pack` does. */
export function packWithMemory(input: PackInput, found: ContextPackage["learned"]): Packed {
  if (found === undefined) return pack(input);
  const including = (learned: LearnedJson[]): PackInput => ({
    ...input,
    assemble: (fit, reasonTokens) => ({ ...input.assemble(fit, reasonTokens), learned }),
  });
  const learned = learnedWithin(found, input.budget, input.counter, (some) => smallest(including(some)));
  const packed = pack(including(learned));
  return learned.length === 0 ? packed : { ...packed, floor: smallest(input).tokens };
}

/** As many whole memories as fit. `floorWith` is the size of the smallest package with some of them. */
function learnedWithin(
  found: readonly LearnedJson[],
  { tokens, maxLines }: Pick<Budget, "tokens" | "maxLines">,
  counter: TokenCounter,
  floorWith: (learned: LearnedJson[]) => { readonly tokens: number; readonly lines: number },
): LearnedJson[] {
  const linesMax = maxLines ?? Number.POSITIVE_INFINITY;
  for (let count = found.length; count > 0; count -= 1) {
    const learned = found.slice(0, count);
    const text = learnedText({ learned });
    if (counter.count(text) > tokens * LEARNED_SHARE || text.split("\n").length > linesMax * LEARNED_SHARE) continue;
    const floor = floorWith(learned);
    if (floor.tokens <= tokens && floor.lines <= linesMax) return learned;
  }
  return [];
}
