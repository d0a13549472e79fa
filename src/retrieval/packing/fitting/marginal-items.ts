/**
 * The items at the margin of a package: the first that a smaller budget drops or shortens, and the first that a larger one
 * adds. Both are found with the packer's estimates, so a real run can differ.
 */

import { DETAILS, type Detail } from "../../model/tiers.ts";
import { fullTokens, type Item } from "../items/items.ts";
import type { Shown } from "./knapsack.ts";
import { type Fit, type FitInput, fitter } from "./packer.ts";

/** `detail` is how much is shown now, `then` how much would be shown; `tokens` is the item's cost in full. */
export type MarginalItem = {
  readonly path: string;
  readonly item: string;
  readonly detail: Detail;
  readonly then: Detail;
  readonly tokens: number;
};

type PackedRun = Omit<FitInput, "items"> & {
  readonly stop: { readonly relevant: readonly Item[] };
  readonly packed: { readonly fit: Fit };
};

/** The first step as a share of the budget, and the number of steps; each is twice the one before. */
const STEP_SHARE = 0.01;
const STEPS = 6;
/** How often the first step that changes something is halved. */
const HALVINGS = 4;

/** Null where no step changes anything, and for `in` when everything is shown in full. */
export function marginalItems({ stop, packed, ...run }: PackedRun): {
  readonly out: MarginalItem | null;
  readonly in: MarginalItem | null;
} {
  const { fit } = packed;
  const items = stop.relevant;
  const room = fit.complete ? fit.estimate : fit.target;
  const fitInto = fitter({ ...run, items });
  const from = fit.complete ? fit : fitInto(room);
  const first = (direction: 1 | -1): MarginalItem | null => {
    const moved = (share: number): MarginalItem | null =>
      firstMoved(items, from, fitInto(Math.max(0, Math.round(room * (1 + direction * share)))), direction);
    let unchanged = 0;
    for (let step = 0; step < STEPS; step += 1) {
      let share = STEP_SHARE * 2 ** step;
      let item = moved(share);
      if (item === null) {
        unchanged = share;
        continue;
      }
      for (let half = 0; half < HALVINGS; half += 1) {
        const middle = (unchanged + share) / 2;
        const nearer = moved(middle);
        if (nearer === null) unchanged = middle;
        else [share, item] = [middle, nearer];
      }
      return item;
    }
    return null;
  };
  return { out: first(-1), in: fit.complete ? null : first(1) };
}

/** The lowest-scored item that loses detail, or the highest-scored that gains. Dropped and added items come before the rest. */
function firstMoved(items: readonly Item[], before: Fit, after: Fit, direction: 1 | -1): MarginalItem | null {
  const [was, is] = [detailsOf(before.shown), detailsOf(after.shown)];
  const moved = items
    .flatMap((item) => {
      if (item.reason !== null) return [];
      const [detail, then] = [was.get(item.key) ?? "none", is.get(item.key) ?? "none"];
      const by = direction * (DETAILS.indexOf(then) - DETAILS.indexOf(detail));
      return by > 0 ? [{ item, detail, then }] : [];
    })
    .sort((a, b) => direction * (b.item.score - a.item.score));
  const found = moved.find(({ detail, then }) => detail === "none" || then === "none") ?? moved[0];
  if (found === undefined) return null;
  const { item, detail, then } = found;
  return { path: item.path, item: item.label, detail, then, tokens: fullTokens(item) };
}

const detailsOf = (shown: readonly Shown[]): ReadonlyMap<string, Detail> =>
  new Map(shown.map(({ item, detail }) => [item.key, detail]));
