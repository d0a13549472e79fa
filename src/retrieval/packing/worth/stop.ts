/**
 * Where packing stops: which items are worth their tokens, before the budget is considered.
 *
 * The budget is a limit and not a goal. Of the primary items those are relevant that are expected to hold enough of what
 * matters for what they cost (`expected-worth.ts`); tests, supporting material, types and rationale get shares of the tokens
 * that these take. What is not relevant is not packed, however much of the budget is left.
 */
import type { PricedText } from "../../lexical/snippets.ts";
import type { Budget } from "../../model/budget.ts";
import type { ItemTier } from "../../model/tiers.ts";
import { DETAILS, type Detail } from "../../model/tiers.ts";
import { TEST_FILES_MAX } from "../../precision/likely-tests.ts";
import type { Exactness } from "../../scope/exact-task.ts";
import { TEST_TASK_SHARE } from "../fitting/packing-order.ts";
import { byPlace, byScore, likelihoodPlace, testsInOrder } from "../items/item-order.ts";
import { fullTokens, type Item } from "../items/items.ts";
import { expectedWorth, type TaskShape } from "./expected-worth.ts";
import { WORTH_MODEL } from "./worth-model.ts";

/** `auto` stops where 1,000 more tokens are expected to bring less than this share of what matters. */
const WORTH_MIN = 0.005;
/**
 * A file shows something only if what it shows is expected to hold this share of what matters, or is named: its heading costs
 * tokens and a reader's attention. On 82 development cases, with the rules on tests and on opened files, 6 points more of the
 * shown files belong to the fix or its tests, for .3 points of the definitions and 550 tokens less.
 */
const FILE_WORTH_MIN = 0.003;
/** The same at smaller budgets, in proportion: there the budget ends a package anyway, and tasks of many files need many. */
const FILE_WORTH_TOKENS = 32_768;
/** The same in an exact task, which needs little that only shares words with it. */
const EXACT_FILE_WORTH_MIN = 0.02;
/** An item that is named, or worth this much, opens further files: for its companions and for what it uses. */
const OPENING_WORTH_MIN = 0.07;
/** The definitions that change are almost half of what matters; the rest is what has to be read with them. */
export const DEFINITIONS_SHARE = 0.45;
/** An item's marker, and its part of its file's heading. */
export const ITEM_TOKENS = 8;

/**
 * What the other tiers may take, as a share of the tokens of the relevant primary items. Supporting material and types have the
 * shares of the first design (primary 60, supporting 15, types 10). Tests and rationale have less than its 10 and 5: with 1/10 and
 * 1/12 packages are 520 tokens longer, for 2 points more of the changed test files.
 */
const TIER_SHARES: Readonly<Record<Exclude<ItemTier, "primary">, number>> = {
  tests: 1 / 20,
  supporting: 1 / 4,
  type_context: 1 / 6,
  rationale: 1 / 24,
};
/** What each tier may take at least. */
const TIER_TOKENS_MIN = 200;
/** The same in a task about tests, which are what such a task changes. */
const TEST_TASK_TOKENS_MIN = 1_500;

/**
 * What an exact task shows that only shares words with it, in tokens. The more exactly it names its target, the less it
 * needs besides: of 100 targets in five projects, 91 get no larger package from a more exact task, the others mostly 1 % more.
 */
const SEARCHED_TOKENS: Readonly<Record<Exactness, number>> = { symbol: 2_400, file: 1_200, path: 600 };

/** What the members of a class that an exact task names take besides, in tokens; the same for all such tasks. */
const MEMBERS_TOKENS = 2_400;

/** An item with the share of what matters that it is expected to hold. */
type WorthyItem = { readonly item: Item; readonly worth: number };

/** A primary item. `coverage` is the least share, in hundredths, at which it is relevant. */
type WeighedItem = WorthyItem & { readonly coverage: number };

/** `primary` are the primary items, those that are worth most for their tokens first. */
export type Stop = {
  readonly relevant: readonly Item[];
  readonly primary: readonly WeighedItem[];
};

type StopInput = {
  readonly items: readonly Item[];
  readonly sources: ReadonlyMap<number, PricedText>;
  readonly task: TaskShape;
  /** How exactly the task names what it is about; null for most tasks. */
  readonly exactness: Exactness | null;
  readonly isAboutTests: boolean;
};

type StopBudget = Pick<Budget, "coverage" | "tokens">;

/** Weighs the items once, and returns where packing stops at any coverage and budget in tokens. */
export function openStop(input: StopInput): (budget: StopBudget) => Stop {
  const { items, sources, task } = input;
  const weighed = weigh(items, sources, task);
  const dense = weighed.toSorted((a, b) => density(b) - density(a) || byPlace(a.item, b.item));
  const primary = withCoverages(dense);
  return (budget) => ({
    relevant: budget.coverage === 1 ? items : relevantAt(budget, { ...input, weighed, dense }),
    primary,
  });
}

type Weighed = Pick<StopInput, "items" | "exactness" | "isAboutTests"> & {
  readonly weighed: readonly WorthyItem[];
  readonly dense: readonly WorthyItem[];
};

function relevantAt(budget: StopBudget, weighing: Weighed): readonly Item[] {
  const { items, weighed, isAboutTests } = weighing;
  const worthy = worthyAt(budget, weighing);
  const chosen = new Map(worthy.map(({ item }) => [item.key, item]));
  for (const { item } of weighed) if (isKept(item) && !chosen.has(item.key)) chosen.set(item.key, asMentioned(item));
  const beside = openedBeside(weighed.filter(({ item }) => chosen.has(item.key)));
  for (const { item } of weighed)
    if (item.companionOf !== undefined && beside(item, item.companionOf)) chosen.set(item.key, item);
  const tokens = [...chosen.values()].reduce((sum, item) => sum + fullTokens(item), 0);
  for (const tier of OTHER_TIERS) {
    const share =
      tier === "tests" && isAboutTests
        ? Math.max(TEST_TASK_TOKENS_MIN, (tokens * TEST_TASK_SHARE) / (1 - TEST_TASK_SHARE))
        : Math.max(TIER_TOKENS_MIN, tokens * TIER_SHARES[tier]);
    for (const item of withinShare(besideOf(tier, items, beside), share)) chosen.set(item.key, item);
  }
  const enclosing = new Set([...chosen.values()].flatMap(({ enclosedBy }) => enclosedBy ?? []));
  for (const item of items) if (enclosing.has(item.key)) chosen.set(item.key, item);
  return items.flatMap((item) => chosen.get(item.key) ?? []);
}

function worthyAt(
  { coverage, tokens }: StopBudget,
  { dense, exactness }: Pick<Weighed, "dense" | "exactness">,
): readonly WorthyItem[] {
  if (coverage !== "auto") return coveringShare(dense, coverage);
  // Files that are only named, since no stage chose what of them to show. Worth is that of definitions and says nothing of these.
  if (dense.every(({ item }) => fullTokens(item) === 0)) return dense;
  return exactness === null
    ? worthTheirTokens(dense, FILE_WORTH_MIN * Math.min(1, tokens / FILE_WORTH_TOKENS))
    : exactlyNamed(dense, SEARCHED_TOKENS[exactness]);
}

/** Whether an item belongs to what is shown: it is of one of these symbols, and they open its file, or something else does. */
type Beside = (item: Item, of: readonly number[]) => boolean;

function openedBeside(shown: readonly WorthyItem[]): Beside {
  const idsOf = (list: readonly WorthyItem[]): ReadonlySet<number> =>
    new Set(list.flatMap(({ item: { symbol } }) => (symbol === null ? [] : [symbol.id])));
  const ids = idsOf(shown);
  const opening = idsOf(shown.filter(({ item, worth }) => isNamed(item) || worth >= OPENING_WORTH_MIN));
  const files = new Set(shown.map(({ item }) => item.fileId));
  return ({ fileId }, of) => of.some((id) => (files.has(fileId) ? ids : opening).has(id));
}

const OTHER_TIERS = ["tests", "supporting", "type_context", "rationale"] as const;

/** What the task names or a request asks for. */
const isNamed = ({ floor, bodyRequested, isCaller }: Item): boolean =>
  floor || isCaller === true || bodyRequested === true;

/** Whether an item is always relevant, if only by its signature: it is named, or the round before showed it in at least this detail. */
const isKept = (item: Item, least: Detail = "signature"): boolean =>
  isNamed(item) || DETAILS.indexOf(item.kept ?? "none") >= DETAILS.indexOf(least);

/**
 * What a longer task only mentions is shown by its signature unless its body is worth its tokens: on the development cases, 330
 * tokens less show as much of what a fix changes.
 */
const asMentioned = (item: Item): Item =>
  item.inPassing &&
  item.traced === undefined &&
  item.kept === undefined &&
  !item.isCaller &&
  (item.signatureTokens ?? 0) > 0
    ? { ...item, ranges: [], bodyTokens: 0, kept: "signature" }
    : item;

const costOf = (item: Item): number => fullTokens(item) + ITEM_TOKENS;
const density = ({ item, worth }: WorthyItem): number => worth / costOf(item);

/**
 * The items that are worth their tokens, in files that are worth opening. A definition around such items only has to be worth the
 * tokens that it adds to theirs.
 */
function worthTheirTokens(weighed: readonly WorthyItem[], fileWorthMin: number): readonly WorthyItem[] {
  const isEnough = (worth: number, tokens: number): boolean =>
    (worth / tokens) * 1_000 * DEFINITIONS_SHARE >= WORTH_MIN;
  const worthy = weighed.filter(({ item, worth }) => isEnough(worth, costOf(item)));
  const chosen = new Set(worthy);
  const inside = new Map<number, number>();
  for (const { item } of worthy) {
    const parent = item.symbol?.parentId ?? null;
    if (parent !== null) inside.set(parent, (inside.get(parent) ?? 0) + fullTokens(item));
  }
  return worthTheirFiles(
    weighed.filter((one) => {
      const { item, worth } = one;
      const shown = item.symbol === null ? 0 : (inside.get(item.symbol.id) ?? 0);
      return chosen.has(one) || (shown > 0 && isEnough(worth, Math.max(ITEM_TOKENS, costOf(item) - shown)));
    }),
    fileWorthMin,
  );
}

/** Those of files that are worth a reader's attention. */
function worthTheirFiles(worthy: readonly WorthyItem[], worthMin: number): readonly WorthyItem[] {
  const files = Map.groupBy(worthy, ({ item }) => item.fileId);
  return worthy.filter(({ item: { fileId } }) => {
    const own = files.get(fileId) ?? [];
    return own.some(({ item }) => isNamed(item)) || own.reduce((sum, { worth }) => sum + worth, 0) >= worthMin;
  });
}

/** What an exact task is about: members of what it names, worth their tokens or not, and what is tied to that. */
function exactlyNamed(dense: readonly WorthyItem[], tokens: number): readonly WorthyItem[] {
  let left = MEMBERS_TOKENS;
  const members = dense.filter(({ item }) => {
    if (item.isMember !== true || fullTokens(item) > left) return false;
    left -= fullTokens(item);
    return true;
  });
  const known = new Set(members);
  const others = dense.filter((one) => !known.has(one));
  return [...members, ...tiedToNamed(worthTheirTokens(others, EXACT_FILE_WORTH_MIN), tokens)];
}

/**
 * What the task names and its callers, and the densest of the others within these tokens. What the round before showed counts towards
 * the tokens, so that a package does not grow from round to round.
 */
function tiedToNamed(dense: readonly WorthyItem[], tokens: number): readonly WorthyItem[] {
  let left = tokens;
  return dense.filter(({ item }) => {
    if (isNamed(item)) return true;
    if (fullTokens(item) > left && item.kept === undefined) return false;
    left -= fullTokens(item);
    return true;
  });
}

/** The densest items that together hold a share of all the worth. */
function coveringShare(dense: readonly WorthyItem[], share: number): readonly WorthyItem[] {
  const enough = share * dense.reduce((sum, { worth }) => sum + worth, 0);
  let covered = 0;
  return dense.filter(({ worth }) => {
    const isNeeded = covered < enough;
    covered += worth;
    return isNeeded;
  });
}

/** No share below this one can be asked for. */
const COVERAGE_MIN = 0.05;

/** The densest items with the coverage from which on each is relevant: the share that those before it hold, rounded up. */
function withCoverages(dense: readonly WorthyItem[]): readonly WeighedItem[] {
  const total = dense.reduce((sum, { worth }) => sum + worth, 0);
  let covered = 0;
  return dense.map((one) => {
    const coverage = Math.min(1, Math.max(COVERAGE_MIN, (Math.floor((covered / total) * 100) + 1) / 100));
    covered += one.worth;
    return { ...one, coverage };
  });
}

/** The primary items with their worth. */
function weigh(items: readonly Item[], sources: StopInput["sources"], task: TaskShape): readonly WorthyItem[] {
  return primaries(items).map((item, position) => ({
    item,
    worth: expectedWorth(WORTH_MODEL, { item, position, fileLines: sources.get(item.fileId)?.lines.length ?? 0, task }),
  }));
}

/** The primary items that compete for the budget, by score. */
export const primaries = (items: readonly Item[]): readonly Item[] =>
  items
    .filter(({ tier, isEnclosing }) => tier === "primary" && isEnclosing !== true)
    .toSorted((a, b) => b.score - a.score || byPlace(a, b));

/** The items of a tier that belong to what is shown, in the order of packing. */
function besideOf(tier: Exclude<ItemTier, "primary">, items: readonly Item[], beside: Beside): readonly Item[] {
  const own = items.filter((item) => item.tier === tier);
  if (tier === "tests")
    return testsInOrder(own).filter((item) => likelihoodPlace(item) < TEST_FILES_MAX || isKept(item));
  return own
    .filter((item) => item.needs.length === 0 || isKept(item) || beside(item, item.needs))
    .toSorted((a, b) => Number(isKept(b)) - Number(isKept(a)) || byScore(a, b));
}

/** Items in order while they fit into these tokens, as signatures where their bodies do not; what is kept anyway always is. */
function withinShare(items: readonly Item[], tokens: number): readonly Item[] {
  let left = tokens;
  return items.flatMap((item) => {
    const fits = isKept(item, "excerpt") || item.traced !== undefined || fullTokens(item) <= left;
    const least = fits ? fullTokens(item) : item.signatureTokens;
    if (least === null || (least > left && !isKept(item))) return [];
    left -= least;
    return fits ? [item] : [{ ...item, ranges: [], bodyTokens: 0 }];
  });
}
