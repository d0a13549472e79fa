import { expect, test } from "bun:test";
import fc from "fast-check";
import { clampRanges, type LineRange, mergeRanges, padRanges } from "../../src/text/ranges.ts";

const ranges = (...pairs: readonly (readonly [number, number])[]): readonly LineRange[] =>
  pairs.map(([startLine, endLine]) => ({ startLine, endLine }));

test("overlapping and neighbouring ranges become one", () => {
  expect(mergeRanges(ranges([7, 9], [1, 3], [4, 5], [8, 12]))).toEqual(ranges([1, 5], [7, 12]));
  expect(mergeRanges(ranges([1, 10], [2, 3]))).toEqual(ranges([1, 10]));
  expect(mergeRanges(ranges([3, 2]))).toEqual([]);
});

test("padding stays in the file", () => {
  expect(padRanges(ranges([3, 3], [12, 12], [50, 60]), 5, 20)).toEqual(ranges([1, 17]));
  expect(padRanges(ranges([10, 9]), 5, 20)).toEqual([]);
  expect(clampRanges(ranges([0, 2], [19, 25], [30, 40]), 20)).toEqual(ranges([1, 2], [19, 20]));
  expect(clampRanges(ranges([1, 1]), 0)).toEqual([]);
});

test("property: the merged ranges cover exactly the same lines, sorted and apart", () => {
  const some = fc.array(
    fc
      .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 6 }))
      .map(([start, more]) => ({ startLine: start, endLine: start + more })),
  );
  const linesOf = (list: readonly LineRange[]): readonly number[] =>
    list.flatMap((range) =>
      Array.from({ length: range.endLine - range.startLine + 1 }, (_, at) => range.startLine + at),
    );
  fc.assert(
    fc.property(some, (list) => {
      const merged = mergeRanges(list);
      expect(linesOf(merged)).toEqual([...new Set(linesOf(list))].toSorted((a, b) => a - b));
      expect(linesOf(merged).length).toBe(new Set(linesOf(list)).size);
      expect(merged.every((range, at) => at === 0 || range.startLine > (merged[at - 1]?.endLine ?? 0) + 1)).toBe(true);
    }),
  );
});
