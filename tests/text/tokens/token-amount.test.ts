import { expect, test } from "bun:test";
import fc from "fast-check";
import { readTokens } from "../../../src/text/tokens/token-amount.ts";

test.each([
  ["8000", 8_000],
  ["8k", 8_000],
  ["8K", 8_000],
  ["1.5M", 1_500_000],
  ["0.5k", 500],
  ["128k", 128_000],
  ["8.0", null],
  ["1.2345k", null],
  ["8kb", null],
  ["-8k", null],
  ["k", null],
  ["", null],
  ["8 k", null],
])("%p is %p", (text, tokens) => expect(readTokens(text)).toBe(tokens));

test("law: a whole number is read as written, with k a thousand times", () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), (number) => {
      expect([readTokens(`${number}`), readTokens(`${number}k`)]).toEqual([number, number * 1_000]);
    }),
  );
});
