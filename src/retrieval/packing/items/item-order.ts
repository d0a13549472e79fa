/** Orders of items that depend on content alone. */
import { inOrder } from "../../../text/order.ts";
import type { Item } from "./items.ts";

const lineOf = ({ symbol, ranges }: Item): number => symbol?.startLine ?? ranges[0]?.startLine ?? 0;

/** By the rank of the file, then the line. Never compares keys: they contain row ids, which change when the index is rebuilt. */
export const byPlace = (a: Item, b: Item): number =>
  a.rank - b.rank || lineOf(a) - lineOf(b) || inOrder(a.label, b.label);

/** The floor first, then the higher score. */
export const byScore = (a: Item, b: Item): number =>
  Number(b.floor) - Number(a.floor) || b.score - a.score || byPlace(a, b);

/** The place of a test's file among the likely ones; a file that is none of them comes after all. */
export const likelihoodPlace = ({ testOrder }: Pick<Item, "testOrder">): number => testOrder ?? Number.MAX_SAFE_INTEGER;

/** The best test of each file, the likeliest file first, then the second of each, and so on. */
export function testsInOrder(tests: readonly Item[]): readonly Item[] {
  const rounds = [...Map.groupBy(tests, ({ fileId }) => fileId).values()].flatMap((own) =>
    own.toSorted(byScore).map((item, round) => ({ item, round: item.floor ? -1 : round })),
  );
  return rounds
    .toSorted(
      (a, b) => a.round - b.round || likelihoodPlace(a.item) - likelihoodPlace(b.item) || byPlace(a.item, b.item),
    )
    .map(({ item }) => item);
}
