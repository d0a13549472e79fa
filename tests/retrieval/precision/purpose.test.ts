/** The shape that the purpose of a package gives it. */
import { expect, test } from "bun:test";
import type { PlacedSymbol } from "../../../src/retrieval/model/selection.ts";
import { likelyTargets, shapedFor } from "../../../src/retrieval/precision/purpose.ts";
import { symbolRow } from "../../support/symbol-row.ts";

/** Symbols of equal score by rank of their files, which were stored in the opposite order. */
const placed = [6, 5, 4, 3, 2, 1].map(
  (id): PlacedSymbol => ({
    ...{ symbol: symbolRow(id, id, `name_${id}`), tier: "primary", floor: false, score: 1, why: "", usedBy: [] },
    testOrder: 0,
  }),
);
const idsOf = (some: readonly PlacedSymbol[]): readonly number[] => some.map(({ symbol }) => symbol.id);

test("of equal symbols, those of the best files come first, whichever file was stored first", () => {
  expect(idsOf(shapedFor(placed, "plan").filter(({ requested }) => requested === undefined))).toEqual([6, 5, 4]);
  expect(idsOf(shapedFor(placed, "fix").filter(({ isCaller }) => isCaller))).toEqual([6, 5, 4, 3]);
  expect([...likelyTargets(placed, new Set())]).toEqual([6, 5, 4]);
});
