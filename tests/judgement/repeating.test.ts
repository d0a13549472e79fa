import { expect, test } from "bun:test";
import fc from "fast-check";
import { isRepeating } from "../../src/judgement/repeating.ts";

const numbers = Array.from({ length: 40 }, (_, at) => at + 1).join(",");

test.each<readonly [string, boolean]>([
  ["", false],
  ["3,".repeat(40), true],
  ["3,".repeat(5), false],
  [`{"relevant":[${numbers}]}`, false],
  ['{"relevant":[],"supporting":[],"type_context":[]}', false],
  [`{"words":[${'"cache", '.repeat(12)}`, true],
  [`I will sort the items. ${"The first item is a file. ".repeat(6)}`, true],
  ['{"purpose":"Parses URLs. Parses queries. Parses paths."}', false],
])("%#: %.40s", (text, expected) => {
  expect(isRepeating(text)).toBe(expected);
});

test("property: a text that ends with many copies of a short one repeats itself", () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1, maxLength: 100 }), (before, copied) => {
      expect(isRepeating(before + copied.repeat(60))).toBe(true);
    }),
  );
});
