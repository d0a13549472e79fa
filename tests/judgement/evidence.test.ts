import { expect, test } from "bun:test";
import fc from "fast-check";
import { answersOf, factorsOf, type Judgeable, weigh } from "../../src/judgement/evidence.ts";

/** Forty candidates as likely as those of a ranking. */
const PRIORS = Array.from({ length: 40 }, (_, at) => 0.55 * (at + 1) ** -1.4);
const judged = (isListed: (rank: number) => boolean, twice = 8): readonly Judgeable[] =>
  PRIORS.map((prior, at) => ({
    prior,
    answers: at < twice ? [isListed(at + 1), isListed(at + 1)] : [isListed(at + 1)],
  }));
const best = (items: readonly Judgeable[]): number => {
  const { posteriors } = weigh(items);
  return 1 + posteriors.indexOf(Math.max(...posteriors));
};

test("a judge that lists one likely candidate, twice, is believed", () => {
  for (const right of [1, 2, 3, 5, 7]) {
    const items = judged((rank) => rank === right);
    expect(best(items)).toBe(right);
    expect(weigh(items).trust).toBeGreaterThan(0.5);
  }
});

test.each<readonly [string, readonly Judgeable[]]>([
  ["lists nothing", judged(() => false)],
  ["lists everything", judged(() => true)],
  ["lists every second", judged((rank) => rank % 2 === 0)],
  ["lists what is unlikely", judged((rank) => rank > 20)],
  ["lists all but the likeliest", judged((rank) => rank > 3)],
  ["lists one unlikely candidate", judged((rank) => rank === 33)],
])("a judge that %s leaves the order of the best", (_, items) => {
  const { posteriors } = weigh(items);
  const order = [...posteriors.keys()].sort((a, b) => (posteriors[b] ?? 0) - (posteriors[a] ?? 0) || a - b);
  expect(order.slice(0, 3)).toEqual([0, 1, 2]);
});

test("a candidate that nobody judged keeps its probability", () => {
  const items = judged((rank) => rank === 1).map((item, at) => (at % 2 === 0 ? item : { ...item, answers: [] }));
  const { posteriors } = weigh(items);
  for (const [at, { prior, answers }] of items.entries())
    if (answers.length === 0) expect(posteriors[at]).toBeCloseTo(Math.max(0.001, prior), 10);
});

/** The factors after a judge whose trust is set by hand. */
const factorsAt = (trust: number, items: readonly Judgeable[], max = 10): readonly number[] =>
  factorsOf(
    { ...weigh(items), trust },
    items.map(({ prior }) => prior),
    { max, changesFrom: 0.5, takesFrom: 0.8 },
  );

test("a judge that hardly knows anything changes no definition, a doubtful one only adds, a trusted one also takes", () => {
  const items = judged((rank) => rank === 2, 22);
  expect(new Set(factorsAt(0.49, items))).toEqual(new Set([1]));
  const doubtful = factorsAt(0.79, items);
  expect([doubtful[0], (doubtful[1] ?? 0) > 1, Math.min(...doubtful)]).toEqual([1, true, 1]);
  const trusted = factorsAt(0.81, items);
  expect([(trusted[0] ?? 1) < 1, trusted[1]]).toEqual([true, doubtful[1]]);
});

test("what nobody judged keeps its worth, however unlikely it is", () => {
  const items = [...judged((rank) => rank === 2, 22), { prior: 1e-5, answers: [] }];
  expect(factorsAt(0.9, items).at(-1)).toBe(1);
});

test("no factor passes its bound", () => {
  const items = [...judged((rank) => rank === 2, 22), { prior: 0.002, answers: [true, true] }];
  const factors = factorsAt(0.9, items, 4);
  expect([Math.max(...factors), Math.min(...factors) >= 1 / 4]).toEqual([4, true]);
});

test("what a question tells of a judge counts for its next", () => {
  const next = judged((rank) => rank === 4, 0);
  const knowing = weigh(judged((rank) => rank === 1, 22));
  const guessing = weigh(
    PRIORS.map((prior, at) => ({ prior, answers: at < 22 ? [at % 6 === 1, at % 6 === 4] : [at % 6 === 1] })),
  );
  const [after, alone, late] = [weigh(next, knowing.shares), weigh(next), weigh(next, guessing.shares)];
  expect(after.trust).toBeGreaterThan(alone.trust);
  expect(late.trust).toBeLessThan(alone.trust);
  expect(after.posteriors[3]).toBeGreaterThan(alone.posteriors[3] ?? 1);
});

test("a judge that lists a third of what is wrong is not taken for one that errs in three of ten", () => {
  const wrong = judged((rank) => rank > 1 && rank % 3 === 0, 22);
  expect(weigh(wrong).trust).toBeLessThan(0.1);
});

test("answers are about one list; a second answer counts as one more, and other lists may say nothing", () => {
  expect(answersOf(undefined, "in")).toEqual([]);
  expect(answersOf<"in" | "out">({ class: "in" }, "in")).toEqual([true]);
  expect(answersOf<"in" | "out">({ class: "in", again: "out" }, "in")).toEqual([true, false]);
  expect(answersOf<"in" | "out" | "by">({ class: "by", again: "out" }, "in", ["by"])).toEqual([false]);
});

test("property: for any verdicts, probabilities stay between 0 and 1, and listing a candidate never makes it less likely", () => {
  const item = fc.record({
    prior: fc.double({ min: 0, max: 1, noNaN: true }),
    answers: fc.array(fc.boolean(), { maxLength: 2 }),
  });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 60 }), (items) => {
      const { trust, posteriors } = weigh(items);
      expect(trust >= 0 && trust <= 1 + 1e-9).toBe(true);
      for (const [at, posterior] of posteriors.entries()) {
        expect(posterior > 0 && posterior < 1).toBe(true);
        const { prior = 0, answers = [] } = items[at] ?? {};
        const bounded = Math.min(0.98, Math.max(0.001, prior));
        if (answers.every((isListed) => isListed)) expect(posterior).toBeGreaterThanOrEqual(bounded - 1e-9);
        if (answers.every((isListed) => !isListed)) expect(posterior).toBeLessThanOrEqual(bounded + 1e-9);
      }
    }),
  );
});
