import { expect, test } from "bun:test";
import { expectedMs, NOT_MEASURED, withCall } from "../../src/judgement/throughput.ts";

test("nothing is expected before the first answer", () => {
  expect(expectedMs(NOT_MEASURED, 1_000)).toBeNull();
});

test("a call takes as long as its prompt at the measured speed, and an answer like those before", () => {
  const one = withCall(NOT_MEASURED, { promptTokens: 1_000, promptMs: 5_000, answerTokens: 30, answerMs: 2_000 });
  expect(expectedMs(one, 2_000)).toBe(12_000);
  const two = withCall(one, { promptTokens: 1_000, promptMs: 5_000, answerTokens: 90, answerMs: 6_000 });
  expect(expectedMs(two, 2_000)).toBe(14_000);
});

test("a server that gives no counts is measured by its answers alone", () => {
  const one = withCall(NOT_MEASURED, { promptTokens: 0, promptMs: 900, answerTokens: 0, answerMs: 400 });
  expect(expectedMs(one, 5_000)).toBe(400);
});
