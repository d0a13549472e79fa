import { expect, test } from "bun:test";
import { boostCallees } from "../../../src/retrieval/precision/callee-boost.ts";
import { callRow } from "../../support/symbol-row.ts";

const use = (caller: number, callee: number, confidence = 1) => callRow(caller, callee, confidence);

test("a callee gets a part of the caller's score, by confidence, divided among the callees", () => {
  const scores = new Map([
    [1, 1],
    [2, 0.5],
    [3, 0.4],
  ]);
  expect([...boostCallees(scores, [use(1, 2)])]).toEqual([
    [1, 1],
    [2, 0.6],
    [3, 0.4],
  ]);
  expect(boostCallees(scores, [use(1, 3, 0.5)]).get(3)).toBe(0.45);
  const four = [use(1, 2), use(1, 3), use(1, 8), use(1, 9)];
  expect(boostCallees(scores, four).get(2)).toBe(0.55);
});

test("symbols without a score get none, and no symbol boosts itself", () => {
  const scores = new Map([
    [1, 1],
    [2, 0],
  ]);
  expect([...boostCallees(scores, [use(1, 1), use(1, 2), use(1, 7)])]).toEqual([...scores]);
});

test("the caller's score before any boost counts, so the order of references does not matter", () => {
  const scores = new Map([
    [1, 1],
    [2, 0.5],
    [3, 0.1],
  ]);
  const uses = [use(1, 2), use(2, 3)];
  expect(boostCallees(scores, uses)).toEqual(boostCallees(scores, uses.toReversed()));
  expect(boostCallees(scores, uses).get(3)).toBe(0.15);
});
