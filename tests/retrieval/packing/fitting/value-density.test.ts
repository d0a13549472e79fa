import { expect, test } from "bun:test";
import { byValueDensity } from "../../../../src/retrieval/packing/fitting/value-density.ts";

type Packed = {
  id: string;
  floor: boolean;
  inPassing?: true;
  evidence?: number;
  score: number;
  rank: number;
  path: string;
  symbol: null;
  bodyTokens: number;
  lines: number;
};

const packed = (id: string, of: Partial<Packed>): Packed => ({
  id,
  floor: false,
  score: 0.5,
  rank: 1,
  path: `${id}/a.ts`,
  symbol: null,
  bodyTokens: 100,
  lines: 100,
  ...of,
});

const ordered = (items: readonly Packed[], gains: Readonly<Record<string, number>> = {}, budget = 8_000): string =>
  byValueDensity(items, {
    budget,
    linesOf: ({ lines }) => lines,
    gainOf: ({ id }) => gains[id] ?? 1,
    byPlace: (a, b) => (a.id < b.id ? -1 : 1),
  })
    .map(({ id }) => id)
    .join(" ");

const order = (...items: readonly Packed[]): string => ordered(items);

test("the order is: named by the task, then by score and what a model makes of it", () => {
  expect(
    order(
      packed("best", { score: 1 }),
      packed("judged", { score: 0.2, evidence: 20 }),
      packed("next", { score: 0.9 }),
      packed("named", { score: 0.1, floor: true }),
    ),
  ).toBe("named judged best next");
});

test("what a longer task mentions in passing is worth more, but does not come before everything", () => {
  expect(
    order(
      packed("best", { score: 1 }),
      packed("next", { score: 0.9 }),
      packed("mentioned", { score: 0.4, floor: true, inPassing: true }),
      packed("named", { score: 0.1, floor: true }),
    ),
  ).toBe("named mentioned best next");
  expect(
    order(
      packed("best", { score: 1 }),
      packed("long", { score: 0.9, floor: true, inPassing: true, rank: 20, bodyTokens: 4_000 }),
    ),
  ).toBe("best long");
});

test("of items with similar scores, the shorter comes first, and the one in a shorter or better file", () => {
  expect(order(packed("long", { score: 0.9, bodyTokens: 2_000 }), packed("short", { score: 0.8 }))).toBe("short long");
  expect(order(packed("far", { score: 0.9, rank: 20 }), packed("near", { score: 0.8 }))).toBe("near far");
  expect(order(packed("crowd", { score: 0.9, lines: 5_000 }), packed("alone", { score: 0.8 }))).toBe("alone crowd");
});

test("a small size does not put a poor match before much better ones", () => {
  const better = Array.from({ length: 20 }, (_, at) =>
    packed(`b${String(at).padStart(2, "0")}`, { score: 1 - at / 100 }),
  );
  expect(
    order(...better, packed("tiny", { score: 0.1, bodyTokens: 5 }))
      .split(" ")
      .indexOf("tiny"),
  ).toBeGreaterThan(5);
});

test("tiny definitions cost as much as their heading, and ties are broken by position", () => {
  expect(order(packed("b", { bodyTokens: 1 }), packed("a", { bodyTokens: 30 }))).toBe("a b");
});

test("what the best definitions name, or what names them, comes before what only matches as well", () => {
  const items = [packed("best", { score: 1 }), packed("next", { score: 0.9 }), packed("used", { score: 0.85 })];
  expect(ordered(items)).toBe("best next used");
  expect(ordered(items, { used: 1.8 })).toBe("used best next");
});

test("a small budget follows the ranking more closely", () => {
  const items = Array.from({ length: 12 }, (_, at) =>
    packed(`m${String(at).padStart(2, "0")}`, { score: 1 - at / 100, bodyTokens: at === 11 ? 30 : 200 }),
  );
  const placeAt = (budget: number): number => ordered(items, {}, budget).split(" ").indexOf("m11");
  expect(placeAt(2_000)).toBe(placeAt(4_000));
  expect(placeAt(4_000)).toBeGreaterThan(placeAt(8_000));
  expect(placeAt(8_000)).toBe(placeAt(32_000));
});

test("other folders come before more of those of the best files", () => {
  const items = [
    packed("best", { score: 1, path: "a/one.ts" }),
    packed("near", { score: 0.8, path: "a/two.ts", rank: 4 }),
    packed("away", { score: 0.79, path: "b/one.ts", rank: 4 }),
  ];
  expect(order(...items)).toBe("best away near");
});
