/**
 * What was learned before, beside a package's code: how much of it there is room for, and how it reads.
 *
 * It takes a tenth of the budget at most, and nothing that the floor needs: the smallest package that works for a task is
 * the same with it and without. Whole items, the most relevant first. Not here: finding them (`recall/`).
 */
import { createHash } from "node:crypto";
import type { TokenCounter } from "../../text/tokens/tokens.ts";
import type { Budget } from "../model/budget.ts";
import type { ContextPackage, LearnedJson } from "../model/package-schema.ts";

/** The part of a budget that it may take. */
export const LEARNED_SHARE = 0.1;

/** Hexadecimal characters of a key. */
const KEY_CHARS = 12;

/** The items as Markdown; nothing where there are none. */
export const learnedOf = ({ learned }: Pick<ContextPackage, "learned">): string =>
  (learned ?? []).map(({ content }) => content).join("\n\n");

/** Names what was learned, for the identity of a run: other memories make another package. */
export const learnedKey = (learned: readonly LearnedJson[]): string =>
  createHash("sha256")
    .update(JSON.stringify(learned.map(({ source, content }) => [source, content])))
    .digest("hex")
    .slice(0, KEY_CHARS);

/** As many of them as there is room for. `floorWith` is what the smallest package takes that shows some. */
export function learnedWithin(
  found: readonly LearnedJson[],
  { tokens, maxLines }: Pick<Budget, "tokens" | "maxLines">,
  counter: TokenCounter,
  floorWith: (learned: LearnedJson[]) => { readonly tokens: number; readonly lines: number },
): LearnedJson[] {
  const linesMax = maxLines ?? Number.POSITIVE_INFINITY;
  for (let kept = found.length; kept > 0; kept -= 1) {
    const learned = found.slice(0, kept);
    const text = learnedOf({ learned });
    if (counter.count(text) > tokens * LEARNED_SHARE || text.split("\n").length > linesMax * LEARNED_SHARE) continue;
    const floor = floorWith(learned);
    if (floor.tokens <= tokens && floor.lines <= linesMax) return learned;
  }
  return [];
}
