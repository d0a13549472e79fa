import { expect, test } from "bun:test";
import fc from "fast-check";
import { compare, signTest } from "../../src/evaluation/compare.ts";
import type { CaseResult } from "../../src/evaluation/model.ts";
import { aResult } from "./results.ts";

test("only common cases are compared, each metric where both have it", () => {
  const before = [aResult("a", { mrr: 0.5 }), aResult("b", { mrr: 1, "acc@1": 1 }), aResult("gone", { mrr: 1 })];
  const after = [aResult("new", { mrr: 0 }), aResult("b", { mrr: 1 }), aResult("a", { mrr: 1, "acc@1": 1 })];
  expect(compare(after, before)).toEqual({
    common: 2,
    added: 1,
    missing: 1,
    metrics: [{ name: "mrr", n: 2, before: 0.75, after: 1, wins: 1, losses: 0, ties: 1, p: 1 }],
    amounts: [],
    curve: null,
    exactness: null,
  });
});

const withTokens = (id: string, tokens: number | undefined, level: number | null = null): CaseResult => {
  const result = aResult(id, { symbol_recall: 1, "any@1": 1 });
  return {
    ...result,
    exactness: level === null ? null : { group: "get", level },
    metrics: { ...result.metrics, amounts: tokens === undefined ? {} : { tokens } },
  };
};

test("tokens are compared where both have them, by mean and median", () => {
  const before = [withTokens("a", 10), withTokens("b", 20), withTokens("c", 90), withTokens("d", undefined)];
  const after = [withTokens("a", 4), withTokens("b", 6), withTokens("c", 5), withTokens("d", 7)];
  expect(compare(after, before).amounts).toEqual([
    { name: "tokens", before: { mean: 40, median: 20, n: 3 }, after: { mean: 5, median: 5, n: 3 } },
  ]);
});

test("groups of exactness are compared by the levels of this run", () => {
  const before = [withTokens("a", 10), withTokens("b", 20), withTokens("gone", 1)];
  const after = [withTokens("a", 10, 1), withTokens("b", 8, 2), withTokens("new", 99, 3)];
  const { exactness } = compare(after, before);
  expect(exactness?.before).toMatchObject({ groups: 1, shares: { not_growing: { mean: 0, n: 1 } } });
  expect(exactness?.after).toMatchObject({ groups: 1, shares: { not_growing: { mean: 1, n: 1 } } });
});

test("a rounding difference is not a win", () => {
  const [metric] = compare([aResult("a", { mrr: 0.1 + 0.2 })], [aResult("a", { mrr: 0.3 })]).metrics;
  expect(metric).toMatchObject({ wins: 0, losses: 0, ties: 1 });
});

// Twice the tail of the binomial distribution: C(10, 0..1) ÷ 2^10 × 2 = 22 ÷ 1024 for 9 and 1.
for (const [wins, losses, p] of [
  [0, 0, 1],
  [1, 0, 1],
  [5, 0, 0.0625],
  [9, 1, 22 / 1024],
  [15, 6, 164_320 / 2_097_152],
  [121, 59, 0.0000044342],
] as const)
  test(`${wins} wins and ${losses} losses`, () => expect(signTest(wins, losses)).toBeCloseTo(p, 9));

test("the test is symmetric, and the same as with whole numbers", () => {
  const exact = (wins: number, losses: number): number => {
    let choose = 1n;
    let tail = 0n;
    for (let at = 0; at <= Math.min(wins, losses); at++) {
      tail += choose;
      choose = (choose * BigInt(wins + losses - at)) / BigInt(at + 1);
    }
    const scaled = (2n * tail * 10n ** 15n) / 2n ** BigInt(wins + losses);
    return Math.min(1, Number(scaled) / 1e15);
  };
  fc.assert(
    fc.property(fc.nat(80), fc.nat(80), (wins, losses) => {
      expect(signTest(wins, losses)).toBeCloseTo(exact(wins, losses), 10);
      expect(signTest(losses, wins)).toBe(signTest(wins, losses));
    }),
  );
});

test("thousands of pairs neither underflow nor pass 1", () => {
  expect(signTest(5000, 5000)).toBe(1);
  expect(signTest(5000, 4800)).toBeGreaterThan(0.04);
  expect(signTest(5000, 4800)).toBeLessThan(0.05);
});

test("a baseline compared with itself has only ties, and reversing swaps wins and losses", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const set = fc.array(fc.record({ mrr: share, "acc@1": fc.constantFrom(0, 1) }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(set, set, (one, other) => {
      const [a, b] = [one, other].map((all) => all.map((scores, at) => aResult(`case ${at}`, scores)));
      if (a === undefined || b === undefined) throw new Error("both are there");
      for (const { wins, losses, p } of compare(a, a).metrics) expect([wins, losses, p]).toEqual([0, 0, 1]);
      const back = compare(a, b);
      for (const [at, metric] of compare(b, a).metrics.entries()) {
        expect(back.metrics[at]).toMatchObject({ wins: metric.losses, losses: metric.wins, p: metric.p });
      }
    }),
  );
});
