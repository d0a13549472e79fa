/** How many contents of a store are parsed here too, to compare. */
import { expect, test } from "bun:test";
import { sampleShare } from "../../../src/app/team/take-facts.ts";

test("the sample is 24 KiB of text on average, but 4 contents at least and 16 at most, and all of few", () => {
  for (const [contents, bytes, sampled] of [
    [1_000, 1_000 * 3_072, 8],
    [1_000, 1_000 * 100, 16],
    [1_000, 1_000 * 100_000, 4],
    [3, 300, 3],
  ] as const)
    expect(contents * sampleShare(contents, bytes)).toBeCloseTo(sampled, 6);
  expect([sampleShare(0, 0), sampleShare(1, 0)]).toEqual([1, 1]);
});
