import { expect, test } from "bun:test";
import { fitPoisson, predict, type Rows } from "../../scripts/bench/poisson-regression.ts";
import { randomFrom } from "../../scripts/bench/random-task.ts";

const TRUTH = { constant: 5, weights: [0.8, -0.5, 0] };

/** Amounts drawn at random around what the truth expects of random features, one of which is far from zero. */
function simulated(seed: number, count: number): Rows {
  const random = randomFrom(seed);
  const rows = Array.from({ length: count }, () => [random() * 2 - 1, 10 + 4 * random(), random() < 0.1 ? 1 : 0]);
  const features = Float64Array.from(rows.flat());
  const expected = predict(TRUTH, { features, targets: new Float64Array(count) }, 100);
  const drawn = (mean: number): number => {
    let amount = -1;
    for (let left = 1; left > Math.exp(-mean); amount += 1) left *= random();
    return amount;
  };
  return { features, targets: expected.map(drawn) };
}

test("known weights are found again from simulated amounts", () => {
  const { constant, weights } = fitPoisson([simulated(1, 20_000), simulated(2, 20_000)], 3, 1);
  for (const [at, weight] of weights.entries()) expect(weight).toBeCloseTo(TRUTH.weights[at] ?? Number.NaN, 1);
  expect(Math.abs(constant - TRUTH.constant)).toBeLessThan(0.5);
});

test("amounts that follow the truth exactly give it back exactly", () => {
  const { features } = simulated(3, 500);
  const targets = predict(TRUTH, { features, targets: new Float64Array(500) }, 1e9);
  const { constant, weights } = fitPoisson([{ features, targets }], 3, 0);
  for (const [at, number] of [constant, ...weights].entries())
    expect(number).toBeCloseTo([TRUTH.constant, ...TRUTH.weights][at] ?? Number.NaN, 6);
});

test("the same rows give the same bits, and rows of no amount and features that never vary are no trouble", () => {
  const rows = simulated(4, 1_000);
  expect(fitPoisson([rows], 3, 1)).toEqual(fitPoisson([rows], 3, 1));
  const empty = fitPoisson([{ features: new Float64Array(6).fill(2), targets: new Float64Array(2) }], 3, 1);
  expect([empty.constant, ...empty.weights].every(Number.isFinite)).toBe(true);
});

test("a penalty makes weights smaller", () => {
  const rows = simulated(5, 500);
  const size = (penalty: number): number => Math.abs(fitPoisson([rows], 3, penalty).weights[0] ?? 0);
  expect(size(100)).toBeLessThan(size(1));
});

test("a prediction is bounded", () => {
  const one = { features: Float64Array.of(10), targets: new Float64Array(1) };
  expect([...predict({ constant: 0, weights: [1] }, one, 1)]).toEqual([1]);
});
