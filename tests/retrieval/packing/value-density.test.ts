import { expect, test } from "bun:test";
import { byValueDensity } from "../../../src/retrieval/packing/value-density.ts";

type Packed = {
  id: string;
  floor: boolean;
  inPassing?: true;
  evidence?: number;
  score: number;
  rank: number;
  bodyTokens: number;
  lines: number;
};

const packed = (id: string, of: Partial<Packed>): Packed => ({
  id,
  floor: false,
  score: 0.5,
  rank: 1,
  bodyTokens: 100,
  lines: 100,
  ...of,
});

const order = (...items: readonly Packed[]): string =>
  byValueDensity(
    items,
    ({ lines }) => lines,
    (a, b) => (a.id < b.id ? -1 : 1),
  )
    .map(({ id }) => id)
    .join(" ");

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
  ).toBeGreaterThan(9);
});

test("tiny definitions cost as much as their heading, and ties are broken by position", () => {
  expect(order(packed("b", { bodyTokens: 1 }), packed("a", { bodyTokens: 30 }))).toBe("a b");
});
