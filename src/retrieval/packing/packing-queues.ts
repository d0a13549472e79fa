/**
 * The orders in which items are tried for a package.
 *
 * They hang on no number of tokens. Pure. Not here: which of the items fit (`packer.ts`), what they are worth
 * (`value-density.ts`).
 */

import { OVERVIEW_FILES_MAX } from "../model/budget.ts";
import type { ItemTier } from "../model/tiers.ts";
import type { Item, SourceText } from "./items.ts";
import { inPackingOrder } from "./value-density.ts";

/** Items in the orders in which they are tried. */
export type Queues = {
  readonly floor: readonly Item[];
  readonly inFull: readonly Item[];
  readonly byTier: ReadonlyMap<ItemTier, readonly Item[]>;
  readonly overview: readonly Item[];
  readonly byKey: ReadonlyMap<string, Item>;
  /** What is shown beside a symbol, by its id. */
  readonly companions: ReadonlyMap<number, readonly Item[]>;
};

/** The queues of some items; `sources` are the texts of their files. */
export function queuesOf(all: readonly Item[], sources: ReadonlyMap<number, SourceText>): Queues {
  const items = all.filter(({ standsAround }) => standsAround !== true);
  const inOrder = (list: readonly Item[]): readonly Item[] =>
    inPackingOrder(list, (item) => sources.get(item.fileId)?.lines.length ?? 0, byPlace);
  const byTier = new Map<ItemTier, readonly Item[]>(
    [...Map.groupBy(items, (item) => item.tier)].map(([tier, list]) => [
      tier,
      tier === "primary" ? inOrder(list) : list.toSorted(byScore),
    ]),
  );
  const inFull = inOrder(items.filter((item) => item.inFull === true));
  const byKey = new Map(all.map((item) => [item.key, item]));
  return {
    floor: floorOf(items),
    inFull,
    byTier,
    overview: overviewOf(byTier.get("primary") ?? []),
    byKey,
    companions: byUser(items),
  };
}

/** Items by the symbols that they are shown beside, in the order of their places. */
function byUser(items: readonly Item[]): Queues["companions"] {
  const found = new Map<number, Item[]>();
  for (const item of items.toSorted(byPlace))
    for (const id of item.beside ?? []) {
      const known = found.get(id);
      if (known === undefined) found.set(id, [item]);
      else known.push(item);
    }
  return found;
}

/** What is shown however little fits: what the task names, or where it names nothing, the best there is. */
function floorOf(items: readonly Item[]): readonly Item[] {
  const named = items.filter(({ floor }) => floor);
  if (named.length > 0) return named;
  const primaries = items.filter(({ tier }) => tier === "primary");
  return (primaries.length > 0 ? primaries : items).toSorted(byScore).slice(0, 1);
}

/** The best definition of each of the best files. */
function overviewOf(primaries: readonly Item[]): readonly Item[] {
  const best = new Map<number, Item>();
  for (const item of primaries.toSorted(byScore))
    if (item.rank <= OVERVIEW_FILES_MAX && !best.has(item.rank)) best.set(item.rank, item);
  return [...best].sort(([a], [b]) => a - b).map(([, item]) => item);
}

const lineOf = ({ symbol, ranges }: Item): number => symbol?.startLine ?? ranges[0]?.startLine ?? 0;
/** Not by key: it holds a row id, which is another one when the index is rebuilt. */
const byPlace = (a: Item, b: Item): number =>
  a.rank - b.rank || lineOf(a) - lineOf(b) || (a.label < b.label ? -1 : a.label > b.label ? 1 : 0);
const byScore = (a: Item, b: Item): number => Number(b.floor) - Number(a.floor) || b.score - a.score || byPlace(a, b);
