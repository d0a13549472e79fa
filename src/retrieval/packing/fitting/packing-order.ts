/**
 * The order in which a package is packed, as a list of phases. The last phases are evicted first.
 *
 * To change the order, edit `PACKING_ORDER`. Gains in the comments are points of gold symbols on the
 * development cases, for each half of them.
 */

import { isContainerKind } from "../../../syntax/facts/facts.ts";
import type { PricedText } from "../../lexical/snippets.ts";
import type { Budget } from "../../model/budget.ts";
import type { ItemTier } from "../../model/tiers.ts";
import { TEST_FILES_MAX } from "../../precision/likely-tests.ts";
import { byPlace, byScore, likelihoodPlace, testsInOrder } from "../items/item-order.ts";
import type { Item } from "../items/items.ts";
import type { Knapsack } from "./knapsack.ts";
import { nameFeedback } from "./name-feedback.ts";
import { byValueDensity, isMeant } from "./value-density.ts";

/**
 * One line for each of the best files is worth more than another body: this share gains 6 points of gold files at 8,000
 * tokens and costs half a point of gold symbols at 4,000. Shares kept for other tiers (tests, callees, types) cost up to 2.7.
 */
const FILE_SIGNATURES_SHARE = 0.05;
const FILE_SIGNATURES_MAX = 12;
/** The best file goes in whole up to this share of the budget. Against .3 it gains .3 points at 4,000 tokens and .6 at 8,000. */
const BEST_FILE_SHARE_MAX = 0.1;
const EVIDENCE_MIN = 0.5;
/** What the likeliest tests may take before all bodies have been tried; in a task about tests, before any. */
const TESTS_SHARE = 0.01;
export const TEST_TASK_SHARE = 0.4;
/** One body may take this share of the remaining tokens until all others have been tried. */
const BODY_SHARE_MAX = 0.8;
/**
 * Of this many first bodies, those that do not fit are demoted at once: .2 points at 4,000 tokens, 0 at 8,000. Of twelve it costs
 * .4 and 0, of all .7 and .2.
 */
const DEMOTED_MAX = 5;
/** One caller of what changes may take this share of the remaining tokens; of a longer one the signature says who it is. */
const CALLER_SHARE_MAX = 0.3;
/**
 * All tests that the task names may take this share of the remaining tokens before other bodies. The assertions of a test, which a
 * package lists without its body, do not say what it calls and with what.
 */
const NAMED_TESTS_SHARE_MAX = 0.3;
/**
 * What each function of a stack trace may take of the remaining tokens before other code: as a whole, or the lines that failed, for which
 * some tokens are always there. On 42 development cases with a trace it changes no recall. At 4,000 tokens it costs 1.2 points of token
 * efficiency in one half, where the fix is not what failed, and gains .2 in the other; a share of .2 cost 2.4 points and a test of the fix.
 */
const TRACED_SHARE = 0.05;
const TRACED_TOKENS_MIN = 160;
/** All companions together take at most this share of the budget. */
export const COMPANIONS_SHARE_MAX = 0.02;
/** Smaller excerpts are shown only in the last phase. */
const EXCERPT_TOKENS_MIN = 120;
/** An item of the floor that has no signature shows its first line, up to this length. */
const FLOOR_LINE_TOKENS_MAX = 60;
/** May stay unused: this share of the budget, or one line of up to a tenth of the budget where that is more. */
const UNUSED_SHARE_MAX = 0.03;
const UNUSED_LINE_TOKENS = 24;
const UNUSED_LINE_SHARE_MAX = 0.1;

/** A longer task is cut in the middle. */
export const TASK_TOKENS_MAX = 384;
/** The text shows dependency edges up to this share of the budget, and one from this budget on. The JSON has all of them. */
export const EDGE_SHARE = 0.005;
export const ONE_EDGE_TOKENS_MIN = 1_000;

/** One step of packing. After an item that does not fit, smaller ones are still tried. */
type Phase = (queues: Queues, sack: Knapsack) => void;

export const PACKING_ORDER: readonly Phase[] = [
  floor,
  requestedBodies,
  testBodies,
  keepingBack(TESTS_SHARE, [
    keepingBack(FILE_SIGNATURES_SHARE, [
      tracedLines,
      namedBodies,
      callers,
      namedTests,
      keptItems,
      smallBestFile,
      bodies(BODY_SHARE_MAX),
    ]),
    fileSignatures,
  ]),
  firstTests,
  bodies(1),
  signatures,
  excerpts,
  tier("tests"),
  tier("supporting"),
  tier("type_context"),
  tier("rationale"),
  rest,
];

/** At any budget, shows at least the signature of what the task names, or of the best item if it names nothing. */
function floor(queues: Queues, sack: Knapsack): void {
  for (const item of queues.floor) sack.showLeast(item, FLOOR_LINE_TOKENS_MAX);
}

function requestedBodies(queues: Queues, sack: Knapsack): void {
  bodiesElseExcerpts(queues.requested, sack, 1);
}

/**
 * Of each of the deepest functions of a stack trace, the line that failed: in the whole function if it is short, else in an
 * excerpt around it. Later phases show more of it.
 */
function tracedLines({ traced }: Queues, sack: Knapsack): void {
  for (const item of traced) {
    const max = sack.left * TRACED_SHARE;
    if (!sack.showsBody(item) && !sack.showBody(item, max))
      sack.showExcerpt(item, { max: Math.max(max, TRACED_TOKENS_MIN), min: 1, failed: true });
  }
}

/** In a task about tests, the tests that are like those to write come first. */
function testBodies({ tests, isAboutTests }: Queues, sack: Knapsack): void {
  if (!isAboutTests) return;
  const tokens = sack.left * TEST_TASK_SHARE;
  const before = sack.left;
  for (const item of tests) if (before - sack.left + item.bodyTokens <= tokens) sack.showBody(item, tokens);
}

/** The best test of each of the likeliest test files: in full if it is short, else its signature, else its best lines. */
function firstTests({ tests }: Queues, sack: Knapsack): void {
  const share = (sack.tokens * TESTS_SHARE) / TEST_FILES_MAX;
  for (const item of tests)
    if (likelihoodPlace(item) < TEST_FILES_MAX && !sack.showsFile(item.fileId))
      if (!sack.showBody(item, share) && !sack.showSignature(item)) sack.showExcerpt(item, { max: share, min: 1 });
}

/** Bodies of what the task is about. */
function namedBodies(queues: Queues, sack: Knapsack): void {
  const named = queues.primary.filter((item) => isMeant(item) && !sack.showsBody(item));
  bodiesElseExcerpts(named, sack, BODY_SHARE_MAX);
}

/** Callers of what a review changes or an exact task names, sources before tests: what a change can break. */
function callers({ primary, tests }: Queues, sack: Knapsack): void {
  for (const item of [...primary, ...tests])
    if (item.isCaller && !sack.showsBody(item) && !sack.showBody(item, sack.left * CALLER_SHARE_MAX))
      sack.showSignature(item);
}

/**
 * The tests that the task names, in full where they are short: they say what the code has to do. A task about tests has shown them,
 * and a review shows what of them changed.
 */
function namedTests({ tests, isAboutTests }: Queues, sack: Knapsack): void {
  if (isAboutTests) return;
  const leftMin = sack.left * (1 - NAMED_TESTS_SHARE_MAX);
  for (const item of tests)
    if (isMeant(item) && item.isReviewed !== true && !sack.showsBody(item)) sack.showBody(item, sack.left - leftMin);
}

/** What the round before showed, in as much detail while there is room; a further round adds to it. So does a map. */
function keptItems({ kept }: Queues, sack: Knapsack): void {
  for (const item of kept) {
    if (item.kept === "body" && !sack.showsBody(item)) sack.showBody(item, sack.left);
    sack.showSignature(item);
  }
  for (const item of kept)
    if (item.kept === "excerpt" && !sack.showsBody(item)) sack.showExcerpt(item, { max: sack.left / 2, min: 1 });
}

/** Shows each item as a whole if it fits, else gives it an equal part of a share of the remaining tokens. */
function bodiesElseExcerpts(items: readonly Item[], sack: Knapsack, share: number): void {
  for (const [index, item] of items.entries())
    if (!sack.showBody(item, sack.left))
      sack.showExcerpt(item, { max: (sack.left * share) / (items.length - index), min: EXCERPT_TOKENS_MIN });
}

/** All matches in the best file, if they are small, but for what a model judged against. */
function smallBestFile({ primary }: Queues, sack: Knapsack): void {
  const matches = primary.filter(({ rank, evidence }) => rank === 1 && (evidence ?? 1) >= EVIDENCE_MIN);
  // The lines of a short class are those of its methods.
  const counted = matches.filter(({ symbol }) => symbol === null || !isContainerKind(symbol.kind));
  const cost = counted.reduce((sum, { bodyTokens }) => sum + bodyTokens, 0);
  if (cost > sack.tokens * BEST_FILE_SHARE_MAX) return;
  for (const item of matches) if (!sack.showsBody(item)) sack.showBody(item, sack.left);
}

/**
 * Bodies by value density, each of at most a share of the tokens that remain before this phase. The first that do not fit are
 * shown as signatures before weaker bodies go in.
 */
function bodies(share: number): Phase {
  return ({ primary }, sack) => {
    const bodyMax = Math.max(0, sack.left) * share;
    for (const [at, item] of primary.entries())
      if (!sack.showsBody(item) && !sack.showBody(item, bodyMax) && at < DEMOTED_MAX) sack.showSignature(item);
  };
}

/** The best definition of each of the best files that show nothing yet. */
function fileSignatures({ bestOfFiles }: Queues, sack: Knapsack): void {
  for (const item of bestOfFiles) if (!sack.showsFile(item.fileId)) sack.showSignature(item);
}

/** Signatures of the definitions whose bodies do not fit. */
function signatures({ primary }: Queues, sack: Knapsack): void {
  for (const item of primary) sack.showSignature(item);
}

/** Parts of those bodies, each with half of the remaining tokens. */
function excerpts({ primary }: Queues, sack: Knapsack): void {
  for (const item of primary)
    if (!sack.showsBody(item))
      sack.showExcerpt(item, { max: Math.max(EXCERPT_TOKENS_MIN, sack.left / 2), min: EXCERPT_TOKENS_MIN });
}

/** The other tiers: in full, else as a signature. A reason whose line is already shown is free. */
function tier(name: Exclude<ItemTier, "primary">): Phase {
  return (queues, sack) => {
    for (const item of queues[name]) {
      if (sack.showsBody(item) || !sack.showsNeeded(item)) continue;
      const isFree = name === "rationale" && sack.showCovered(item);
      if (!isFree && !sack.showBody(item, sack.left)) sack.showSignature(item);
    }
  };
}

/** Excerpts of any size, until almost nothing is left. */
function rest({ primary, tests, type_context }: Queues, sack: Knapsack): void {
  const line = Math.min(UNUSED_LINE_TOKENS, sack.tokens * UNUSED_LINE_SHARE_MAX);
  const unusedMax = Math.floor(Math.max(sack.tokens * UNUSED_SHARE_MAX, line));
  for (const item of [...primary, ...tests, ...type_context]) {
    if (sack.left <= unusedMax) break;
    if (!sack.showsWhole(item) && sack.showsNeeded(item)) sack.showExcerpt(item, { max: sack.left, min: 1, unusedMax });
  }
}

/** Reserves a share of the remaining tokens for the phases after these. */
function keepingBack(share: number, phases: readonly Phase[]): Phase {
  return (queues, sack) => {
    sack.setAside(Math.floor(Math.max(0, sack.left) * share));
    for (const phase of phases) phase(queues, sack);
    sack.returnSetAside();
  };
}

/** Items in the orders in which the phases try them. `requested` are bodies that a refinement requests, `kept` what the round before showed. */
type Queues = Readonly<
  Record<ItemTier | "floor" | "requested" | "traced" | "kept" | "bestOfFiles", readonly Item[]>
> & {
  readonly isAboutTests: boolean;
};

/** What decides the queues. `sources` are the texts of the items' files. */
type QueueInput = {
  readonly items: readonly Item[];
  readonly sources: ReadonlyMap<number, PricedText>;
  readonly isAboutTests: boolean;
  readonly budget: Pick<Budget, "tokens">;
};

/** The queues of a run's items. */
export function queuesOf({ items: all, sources, isAboutTests, budget }: QueueInput): Queues {
  const items = all.filter(({ isEnclosing }) => isEnclosing !== true);
  const ofTier = (name: ItemTier): readonly Item[] => items.filter((item) => item.tier === name);
  const gains = nameFeedback(items, sources);
  const dense = (list: readonly Item[]): readonly Item[] =>
    byValueDensity(list, {
      budget: budget.tokens,
      linesOf: ({ fileId }) => sources.get(fileId)?.lines.length ?? 0,
      gainOf: ({ key }) => gains.get(key) ?? 1,
      byPlace,
    });
  const primary = dense(ofTier("primary"));
  const named = items.filter((item) => item.floor);
  const best = new Map<number, Item>();
  for (const item of primary.toSorted(byScore))
    if (item.rank <= FILE_SIGNATURES_MAX && !best.has(item.rank)) best.set(item.rank, item);
  return {
    floor: named.length > 0 ? named : (primary.length > 0 ? primary : items).toSorted(byScore).slice(0, 1),
    requested: dense(items.filter(({ bodyRequested }) => bodyRequested === true)),
    traced: items
      .filter(({ traced }) => traced !== undefined)
      .toSorted((a, b) => (a.traced?.depth ?? 0) - (b.traced?.depth ?? 0)),
    kept: dense(items.filter(({ kept }) => kept !== undefined)),
    bestOfFiles: [...best].sort(([a], [b]) => a - b).map(([, item]) => item),
    primary,
    tests: testsInOrder(ofTier("tests")),
    isAboutTests,
    supporting: ofTier("supporting").toSorted(byScore),
    type_context: ofTier("type_context").toSorted(byScore),
    rationale: ofTier("rationale").toSorted(byScore),
  };
}
