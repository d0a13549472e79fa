import { expect, test } from "bun:test";
import fc from "fast-check";
import { divideByBest, geometricSum, idf, lengthNorm, saturate } from "../../../src/retrieval/lexical/bm25.ts";

test("idf grows with rarity and is never negative", () => {
  expect(idf(10, 1)).toBeCloseTo(Math.log(1 + 9.5 / 1.5), 12);
  expect(idf(10, 10)).toBeGreaterThan(0);
  fc.assert(fc.property(fc.nat(1000), fc.nat(1000), (a, b) => idf(a + b + 1, a) > idf(a + b + 1, a + 1)));
});

test("repeats saturate", () => {
  expect(saturate(0, 0.8)).toBe(0);
  expect(saturate(1, 0.8)).toBeCloseTo(1, 12);
  expect(saturate(1_000, 0.8)).toBeLessThan(1.8);
});

test("a document of average length is not normalized", () => {
  expect(lengthNorm(50, 50, 0.75)).toBe(1);
  expect(lengthNorm(100, 50, 0.5)).toBe(1.5);
});

test("the geometric sum takes the largest first", () => {
  // 3 + 2 × .6 + 1 × .36
  expect(geometricSum(Float64Array.of(1, 3, 2, 9), 3, 0.6)).toBeCloseTo(4.56, 12);
  expect(geometricSum(new Float64Array(0), 0, 0.6)).toBe(0);
});

test("dividing by the best keeps zeros, and a damped value sets the scale by its damped size", () => {
  const whole = Float64Array.of(1, 1, 1);
  expect([...divideByBest(Float64Array.of(1, 4, 0), whole)]).toEqual([0.25, 1, 0]);
  expect([...divideByBest(new Float64Array(2), whole)]).toEqual([0, 0]);
  expect([...divideByBest(Float64Array.of(1, 4, 0), Float64Array.of(1, 0.125, 1))]).toEqual([1, 4, 0]);
  expect([...divideByBest(Float64Array.of(1, 4, 0), Float64Array.of(1, 0.5, 1))]).toEqual([0.5, 2, 0]);
});
