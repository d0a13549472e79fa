/**
 * What a little less room would take out of a package first, and what a little more would bring in.
 *
 * By the estimates that packing chooses by, so close to what happens but no promise. Pure.
 */

import type { LineScorer, PricedText } from "../lexical/snippets.ts";
import type { Detail } from "../model/tiers.ts";
import type { Item } from "./items.ts";
import type { Shown } from "./knapsack.ts";
import { type Fit, fitter } from "./packer.ts";

/** A part of a file, how much of it is shown and how much would be then, with what it takes whole, in tokens. */
export type InLine = {
  readonly path: string;
  readonly item: string;
  readonly detail: Detail;
  readonly then: Detail;
  readonly tokens: number;
};

/** A packed run: its items, and what of them is shown. */
export type InLineRun = {
  readonly items: readonly Item[];
  readonly sources: ReadonlyMap<number, PricedText>;
  readonly scorer: LineScorer;
  readonly packed: { readonly fit: Fit };
};

/** The first step, as a part of the room, and how many there are, each twice as long as the one before. */
const STEP_SHARE = 0.01;
const STEPS = 6;
/** Halvings of the step in which something changed. */
const HALVINGS = 4;

/** The next one in either direction; null where no step changes anything, or everything is shown whole. */
export function nextInLine({ items, sources, scorer, packed }: InLineRun): {
  readonly out: InLine | null;
  readonly in: InLine | null;
} {
  const { fit } = packed;
  const room = fit.complete ? fit.estimate : fit.target;
  const fitInto = fitter({ items, sources, scorer });
  const from = fit.complete ? fit : fitInto(room);
  const first = (direction: 1 | -1): InLine | null => {
    const moved = (share: number): InLine | null =>
      firstMoved(items, from, fitInto(Math.max(0, Math.round(room * (1 + direction * share)))), direction);
    let still = 0;
    for (let step = 0; step < STEPS; step += 1) {
      let share = STEP_SHARE * 2 ** step;
      let found = moved(share);
      if (found === null) {
        still = share;
        continue;
      }
      for (let half = 0; half < HALVINGS; half += 1) {
        const middle = (still + share) / 2;
        const nearer = moved(middle);
        if (nearer === null) still = middle;
        else [share, found] = [middle, nearer];
      }
      return found;
    }
    return null;
  };
  return { out: first(-1), in: fit.complete ? null : first(1) };
}

const DETAILS = ["none", "signature", "excerpt", "body"] as const satisfies readonly Detail[];

/** The least worthy that loses, or the worthiest that gains; items that are there alone come before shorter forms. */
function firstMoved(items: readonly Item[], before: Fit, after: Fit, direction: 1 | -1): InLine | null {
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
  const tokens = item.ranges.length === 0 ? (item.signatureTokens ?? item.bodyTokens) : item.bodyTokens;
  return { path: item.path, item: item.label, detail, then, tokens };
}

const detailsOf = (shown: readonly Shown[]): ReadonlyMap<string, Detail> =>
  new Map(shown.map(({ item, detail }) => [item.key, detail]));
