import { expect, test } from "bun:test";
import fc from "fast-check";
import { bestFiles, type Column, combine, combineClassic, roundScore } from "../../../src/retrieval/ranking/score.ts";

const FILES = [
  { id: 7, path: "a.ts" },
  { id: 3, path: "b.ts" },
  { id: 5, path: "c.ts" },
];
const column = (signal: string, weight: number, ...values: readonly number[]): Column => ({
  signal,
  weight,
  values: Float64Array.from(values),
});
const KEEP_ALL = Float64Array.of(1, 1, 1);

test("the total is the sum of its terms, best first, ties by path, nothing without a score", () => {
  const columns = [column("one", 1, 0.5, 0.5, 0), column("two", 2, 0.25, 0.25, 0)];
  const { files: scores } = combine(FILES, columns, KEEP_ALL, 10);
  // .5 × 1 + .25 × 2
  expect(scores.map(({ path, total }) => [path, total])).toEqual([
    ["a.ts", 1],
    ["b.ts", 1],
  ]);
  expect(scores[0]?.terms).toEqual([
    { signal: "one", value: 0.5, weight: 1 },
    { signal: "two", value: 0.25, weight: 2 },
  ]);
});

test("the path penalty is its own term", () => {
  const { files: scores } = combine(FILES, [column("one", 1.5, 0.4, 0.6, 0)], Float64Array.of(1, 0.4, 1), 10);
  expect(scores).toEqual([
    // .4 × 1.5
    { fileId: 7, path: "a.ts", total: 0.6, terms: [{ signal: "one", value: 0.4, weight: 1.5 }] },
    {
      fileId: 3,
      path: "b.ts",
      // .6 × 1.5 - .6 × .9
      total: 0.36,
      terms: [
        { signal: "one", value: 0.6, weight: 1.5 },
        { signal: "path_penalty", value: -0.6, weight: 0.9 },
      ],
    },
  ]);
});

test("classic: weights of absent signals go to the others, and seeds score 1", () => {
  const columns = [
    column("one", 0.2, 0.5, 0, 0.5),
    { signal: "absent", weight: 0.5, values: null },
    column("silent", 0.1, 0, 0, 0),
    column("two", 0.3, 1, 0, 0),
  ];
  expect(combineClassic(FILES, columns, new Set([5])).files).toEqual([
    { fileId: 5, path: "c.ts", total: 1, terms: [{ signal: "seed", value: 1, weight: 1 }] },
    {
      fileId: 7,
      path: "a.ts",
      // .5 × .2 / .5 + 1 × .3 / .5
      total: 0.8,
      terms: [
        { signal: "one", value: 0.5, weight: 0.4 },
        { signal: "two", value: 1, weight: 0.6 },
      ],
    },
  ]);
  expect(combineClassic(FILES, [], new Set()).files).toEqual([]);
});

test("a total always equals its shown terms, and order does not depend on the input's", () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true });
  const row = fc.record({ one: unit, two: unit, factor: fc.constantFrom(1, 0.4, 0.25) });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
      const files = rows.map((values, index) => ({ id: 100 - index, path: `f${index % 7}/${index}.ts`, ...values }));
      const run = (list: typeof files) =>
        combine(
          list,
          [column("one", 1, ...list.map(({ one }) => one)), column("two", 1.5, ...list.map(({ two }) => two))],
          Float64Array.from(list, ({ factor }) => factor),
          list.length,
        ).files;
      const scores = run(files);
      for (const { total, terms } of scores)
        expect(total).toBe(roundScore(terms.reduce((sum, { value, weight }) => sum + value * weight, 0)));
      expect(run(files.toReversed())).toEqual(scores);
    }),
  );
});

test("the best files are in the order of all, and every file has a total and its terms", () => {
  const value = fc.constantFrom(0, 0.1, 0.25, 0.333_333_3, 1);
  const row = fc.record({ one: value, two: value, factor: fc.constantFrom(1, 0.4, 0.25) });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), fc.nat(13), (rows, count) => {
      const files = rows.map((values, index) => ({ id: index, path: `f${index % 5}/${index}.ts`, ...values }));
      const columns = [
        column("one", 1, ...rows.map(({ one }) => one)),
        { signal: "absent", weight: 1, values: null },
        column("two", 1.5, ...rows.map(({ two }) => two)),
      ];
      const factors = Float64Array.from(rows, ({ factor }) => factor);
      const { files: all, totals, scoreAt } = combine(files, columns, factors, files.length);
      expect(combine(files, columns, factors, count).files).toEqual(all.slice(0, count));
      const best = bestFiles(files, columns, factors, count).map(({ id }) => id);
      expect(best).toEqual(all.slice(0, count).map(({ fileId }) => fileId));
      for (const [position, { id }] of files.entries()) {
        const score = scoreAt(position);
        expect(score).toEqual(all.find(({ fileId }) => fileId === id) ?? null);
        expect(totals[position]).toBe(score?.total ?? 0);
      }
    }),
  );
});
