/**
 * Packs items into a number of tokens: walks the phases of `packing-order.ts` over an empty knapsack.
 *
 * Pure and deterministic. Costs are estimates; `fit-rendering.ts` counts the rendered text and calls again with a corrected target.
 */
import { isDeepStrictEqual } from "node:util";
import type { Budget } from "../../model/budget.ts";
import { byPlace } from "../items/item-order.ts";
import type { Item } from "../items/items.ts";
import { type Attached, openKnapsack, type Shown, type Texts } from "./knapsack.ts";
import { COMPANIONS_SHARE_MAX, PACKING_ORDER, queuesOf } from "./packing-order.ts";

/** `complete`: everything is shown in full. `target` is the limit and `estimate` the cost, both in estimated tokens. */
export type Fit = {
  readonly shown: readonly Shown[];
  readonly target: number;
  readonly estimate: number;
  readonly complete: boolean;
};

/** `isAboutTests`: the task asks for tests, which come first. `budget` decides how steeply the order follows the ranking. */
export type FitInput = Texts & {
  readonly items: readonly Item[];
  readonly isAboutTests: boolean;
  readonly budget: Pick<Budget, "tokens">;
};

/** Returns a function that packs the items into a number of tokens; 0 gives the floor alone. */
export function fitter({ items, isAboutTests, budget, ...texts }: FitInput): (tokens: number) => Fit {
  const queues = queuesOf({ items, sources: texts.sources, isAboutTests, budget });
  const attached = { byKey: new Map(items.map((item) => [item.key, item])), companions: companionsAmong(items) };
  return (tokens) => {
    const sack = openKnapsack(texts, attached, { tokens, besideMax: tokens * COMPANIONS_SHARE_MAX });
    for (const phase of PACKING_ORDER) phase(queues, sack);
    return {
      shown: items.flatMap((item) => sack.shown.get(item.key) ?? []).map(asBodyIfWhole),
      target: tokens,
      estimate: tokens - sack.left,
      complete: items.every((item) => sack.showsWhole(item) || (item.tier === "rationale" && sack.covers(item))),
    };
  };
}

/** A definition of one line is whole even where only its least is shown. */
const asBodyIfWhole = (entry: Shown): Shown =>
  entry.detail === "excerpt" && entry.cut === null && isDeepStrictEqual(entry.ranges, entry.item.ranges)
    ? { ...entry, detail: "body" }
    : entry;

/** Items by the symbols that they are companions of. */
function companionsAmong(items: readonly Item[]): Attached["companions"] {
  const companions = new Map<number, Item[]>();
  for (const item of items.toSorted(byPlace))
    for (const id of item.companionOf ?? []) companions.getOrInsertComputed(id, () => []).push(item);
  return companions;
}
