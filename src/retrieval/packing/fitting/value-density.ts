/**
 * Orders definitions by value density: how likely each is to be needed, relative to its cost.
 *
 * The likelihood falls with the position in the ranking, and hardly depends on the size, so the shorter of two neighbours
 * comes first. The definitions of a long file share the value of the file.
 */
import { posix } from "node:path";
import type { Item } from "../items/items.ts";

const { dirname } = posix;

/**
 * The exponents are round numbers in the middle of the best of some hundred combinations tried on the development cases. Alone they
 * serve tasks that change several files (1.5 and 2.1 points of gold symbols at 8,000 tokens for two and for more) and cost 1.1 of
 * all; with `name-feedback.ts` and the factors below all gain 1.7, in both halves of the repositories.
 */
const FILE_RANK = -0.45;
const FILE_LINES = -0.3;
const TOKENS = -0.55;
/** A small budget has room for little but the best: there the steeper exponent of positions gains 2 points. */
const POSITION = { small: -1, large: -0.65 } as const;
const SMALL_TOKENS = 4_000;
/**
 * How much more an item is worth that the task mentions in passing. When such items came before all others, they took room
 * that others earned: with the exponent of tokens, that cost 1.5 points of gold symbols at 4,000 and 1.3 at 8,000 tokens,
 * 1.7 of tasks that change three files and more.
 */
const IN_PASSING = 6;
/** Variables, members and types that match are changed along with the functions that use them: .9 points. */
const DATA_KINDS: ReadonlySet<string> = new Set(["interface", "type_alias", "enum", "variable", "property"]);
const DATA = 1.6;
/** What else is in the folders of the best files shares their words without being needed: .5 points. */
const BEST_FILES = 3;
const IN_BEST_FOLDERS = 0.65;
/** A shorter definition costs this much with its heading. */
const TOKENS_MIN = 30;

type Packable = Pick<
  Item,
  "floor" | "inPassing" | "ofChangedFile" | "evidence" | "score" | "rank" | "bodyTokens" | "path" | "symbol"
>;

/** What is known beside the items: the budget, the length of an item's file in lines, and how much more an item is worth (`name-feedback.ts`). */
type DensityInput<T> = {
  readonly budget: number;
  readonly linesOf: (item: T) => number;
  readonly gainOf: (item: T) => number;
  readonly byPlace: (a: T, b: T) => number;
};

/** What the task is about: the floor, but for what it only mentions. */
export const isMeant = ({ floor, inPassing }: Pick<Item, "floor" | "inPassing">): boolean =>
  floor && inPassing !== true;

/** What the task is about comes first, and of a review the definitions that were changed before lines of changed files. */
const precedence = (item: Packable): number => (isMeant(item) ? (item.ofChangedFile === true ? 1 : 2) : 0);

/** The items in the order to try them: what the task is about, then by value density. Ties end on `byPlace`. */
export function byValueDensity<T extends Packable>(items: readonly T[], input: DensityInput<T>): readonly T[] {
  const { linesOf, gainOf, byPlace } = input;
  const exponent = positionExponent(input.budget);
  const folders = new Set(items.filter(({ rank }) => rank <= BEST_FILES).map(({ path }) => dirname(path)));
  const densities = new Map(
    items
      .toSorted((a, b) => b.score - a.score || byPlace(a, b))
      .map((item, index) => [
        item,
        (index + 2) ** exponent *
          (item.rank + 1) ** FILE_RANK *
          (linesOf(item) + 1) ** FILE_LINES *
          Math.max(TOKENS_MIN, item.bodyTokens) ** TOKENS *
          (item.evidence ?? 1) *
          (item.inPassing === true ? IN_PASSING : 1) *
          (DATA_KINDS.has(item.symbol?.kind ?? "") ? DATA : 1) *
          (folders.has(dirname(item.path)) ? IN_BEST_FOLDERS : 1) *
          gainOf(item),
      ]),
  );
  return items.toSorted(
    (a, b) => precedence(b) - precedence(a) || (densities.get(b) ?? 0) - (densities.get(a) ?? 0) || byPlace(a, b),
  );
}

/** From the small budget to twice that, evenly on a logarithmic scale. */
function positionExponent(budget: number): number {
  const doublings = Math.min(1, Math.max(0, Math.log2(budget / SMALL_TOKENS)));
  return POSITION.small + (POSITION.large - POSITION.small) * doublings;
}
