import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Appearance, planBatches } from "../../src/judgement/batches.ts";
import { windowTokensOf } from "../../src/judgement/context-window.ts";
import { asItem, listed } from "../../src/judgement/prompt.ts";
import { anyCharacter } from "../support/any-character.ts";
import { INJECTIONS } from "./injections.ts";
import { COUNTER } from "./told-model.ts";

const replyTokensOf = (count: number): number => 30 + 3 * count;
const plan = (items: readonly Appearance[], windowTokens: number, perCall = 20) =>
  planBatches(items, { perCall, windowTokens, replyTokensOf }, COUNTER);
const itemsOf = (texts: readonly string[], repeated = 0): readonly Appearance[] => {
  const first = texts.map((text, at) => ({ key: String(at), text: asItem(text), appearance: 0 as const }));
  return [...first, ...first.slice(0, repeated).map((one) => ({ ...one, appearance: 1 as const }))];
};
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `src/file_${at}.ts`);

test("without items or without room, there are no batches", () => {
  expect(plan([], 0)).toEqual([]);
  expect(plan(itemsOf(["a"]), 0)).toBeNull();
  expect(plan(itemsOf(["a"]), replyTokensOf(1) + 10)).toBeNull();
});

test("every call has candidates of every rank, in an order that says nothing of it", () => {
  const batches = plan(itemsOf(many(40)), 8_192) ?? [];
  expect(batches.map(({ length }) => length)).toEqual([20, 20]);
  for (const [at, batch] of batches.entries()) {
    const ranks = batch.map(({ key }) => Number(key));
    expect([Math.min(...ranks) < 2, Math.max(...ranks) > 37]).toEqual([true, true]);
    const sorted = batch.map(({ text }) => text).toSorted();
    expect(batch.map(({ text }) => text)).toEqual(at % 2 === 0 ? sorted : sorted.toReversed());
    expect(ranks).not.toEqual(ranks.toSorted((a, b) => a - b));
  }
});

test("a candidate that is asked about twice is in two calls, even if one would hold all", () => {
  for (const count of [3, 14, 40]) {
    const batches = plan(itemsOf(many(count), 3), 8_192, 30) ?? [];
    expect(batches.length).toBeGreaterThan(1);
    for (const batch of batches) expect(new Set(batch.map(({ key }) => key)).size).toBe(batch.length);
  }
});

test("a model that always lists the first numbers names other candidates the second time", () => {
  const batches = plan(itemsOf(many(26), 22), 8_192, 24) ?? [];
  const named = batches.map((batch) => batch.slice(0, 3).map(({ key }) => key));
  expect(batches.length).toBe(2);
  for (const key of named[0] ?? []) expect(named[1]).not.toContain(key);
});

test("candidates of a group are neighbours", () => {
  const items = ["b", "a", "b", "a"].map(
    (group, at): Appearance => ({ key: String(at), text: `f${at}`, group, appearance: 0 }),
  );
  expect(plan(items, 8_192)?.[0]?.map(({ group }) => group)).toEqual(["a", "a", "b", "b"]);
});

test("an item that does not fit is truncated in the middle", () => {
  const batches = plan(itemsOf([`first ${"word ".repeat(5_000)}last`]), 400);
  expect(batches?.[0]?.[0]?.text).toMatch(/^first word .* … .*word last$/);
});

test("property: no item is lost or repeated, and each call fits with its reply", () => {
  const text = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.constantFrom(...INJECTIONS), fc.lorem());
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 60 }),
      fc.integer({ min: 0, max: 9_000 }),
      fc.nat(8),
      (texts, room, repeated) => {
        const items = itemsOf(texts, repeated);
        const batches = plan(items, room);
        if (batches === null) {
          expect(room).toBeLessThan(200);
          return;
        }
        const names = (all: readonly Appearance[]) =>
          all.map(({ key, appearance }) => `${key} ${appearance}`).toSorted();
        expect(names(batches.flat())).toEqual(names(items));
        for (const batch of batches) {
          expect(batch.length).toBeWithin(1, 21);
          expect(windowTokensOf(listed(batch), COUNTER) + replyTokensOf(batch.length)).toBeLessThanOrEqual(room);
        }
      },
    ),
    { numRuns: 40 },
  );
});
