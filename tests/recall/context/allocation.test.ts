import { expect, test } from "bun:test";
import fc from "fast-check";
import { allocateTokens, WEIGHTS } from "../../../src/recall/context/allocation.ts";

test("the weights are 3, 2, 2, 1 and 1, and shares follow them if all demands are larger", () => {
  expect(WEIGHTS).toEqual({ experiences: 3, code: 2, commits: 2, values: 1, memories: 1 });
  const wishes = Object.values(WEIGHTS).map((weight) => ({ weight, demand: 10_000 }));
  expect(allocateTokens(1_800, wishes)).toEqual([600, 400, 400, 200, 200]);
});

test("unused tokens go to the others by weight", () => {
  expect(
    allocateTokens(900, [
      { weight: 3, demand: 0 },
      { weight: 2, demand: 5_000 },
      { weight: 1, demand: 5_000 },
    ]),
  ).toEqual([900, 600, 300]);
});

test("if all demands are met, each can take what the others leave", () => {
  expect(
    allocateTokens(1_000, [
      { weight: 3, demand: 100 },
      { weight: 1, demand: 300 },
    ]),
  ).toEqual([700, 900]);
});

test("no share exceeds the total", () => {
  expect(
    allocateTokens(623, [
      { weight: 1, demand: 313 },
      { weight: 2, demand: 311 },
    ]),
  ).toEqual([312, 623]);
});

test("shares add up to the total or to all demands, and none is short while another has too much", () => {
  const wish = fc.record({ weight: fc.integer({ min: 1, max: 5 }), demand: fc.integer({ min: 0, max: 3_000 }) });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 5_000 }),
      fc.array(wish, { minLength: 1, maxLength: 6 }),
      (tokens, wishes) => {
        const budgets = allocateTokens(tokens, wishes);
        for (const budget of budgets) expect(budget).toBeLessThanOrEqual(tokens);
        const used = budgets.map((budget, at) => Math.min(budget, wishes[at]?.demand ?? 0));
        const wanted = wishes.reduce((sum, { demand }) => sum + demand, 0);
        expect(used.reduce((sum, one) => sum + one, 0)).toBeCloseTo(Math.min(tokens, wanted), 6);
        const short = wishes.flatMap(({ weight, demand }, at) =>
          (budgets[at] ?? 0) < demand - 1e-6 ? [(budgets[at] ?? 0) / weight] : [],
        );
        for (const level of short)
          for (const [at, { weight }] of wishes.entries())
            expect((used[at] ?? 0) / weight).toBeLessThanOrEqual(level + 1e-6);
      },
    ),
  );
});
