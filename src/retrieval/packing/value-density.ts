/**
 * The order in which definitions are packed into a budget: what they are likely worth for what they cost.
 *
 * How likely a definition is to be needed falls with its place among all that match, about as one over it, and says
 * little of its size; so at equal places the shorter ones come first. A long file's definitions each get a smaller part
 * of what the file as a whole is worth. Not here: fitting (`packer.ts`), the ranking itself (`definitions.ts`).
 */
import type { Item } from "./items.ts";

/**
 * The exponents are round numbers near those of a logistic regression on the development cases. Against a score by
 * size^0.1 they gain 2.3, 1.3 and 0.3 points of gold symbols at 4,000, 8,000 and 16,000 tokens, in both halves.
 */
const PLACE = -1;
const FILE_RANK = -0.4;
const FILE_LINES = -0.3;
const TOKENS = -0.4;
/** Shorter definitions cost as much as this, with their heading. */
const TOKENS_MIN = 30;

/** What an order needs of an item. */
type Packable = Pick<Item, "floor" | "ahead" | "score" | "rank" | "bodyTokens">;

/**
 * The items in the order to try them: what the task names, what was judged to come first, then by worth. Ties and
 * equal scores end on `byPlace`; `linesOf` is the length of an item's file.
 */
export function inPackingOrder<T extends Packable>(
  items: readonly T[],
  linesOf: (item: T) => number,
  byPlace: (a: T, b: T) => number,
): readonly T[] {
  const worths = new Map(
    items
      .toSorted((a, b) => b.score - a.score || byPlace(a, b))
      .map((item, index) => [
        item,
        (index + 2) ** PLACE *
          (item.rank + 1) ** FILE_RANK *
          (linesOf(item) + 1) ** FILE_LINES *
          Math.max(TOKENS_MIN, item.bodyTokens) ** TOKENS,
      ]),
  );
  return items.toSorted(
    (a, b) =>
      Number(b.floor) - Number(a.floor) ||
      Number(b.ahead) - Number(a.ahead) ||
      (worths.get(b) ?? 0) - (worths.get(a) ?? 0) ||
      byPlace(a, b),
  );
}
