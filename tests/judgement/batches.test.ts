import { expect, test } from "bun:test";
import fc from "fast-check";
import { ITEMS_MAX, planBatches, replyTokensFor } from "../../src/judgement/batches.ts";
import { windowTokensOf } from "../../src/judgement/context-window.ts";
import { asItem, entry, idOf } from "../../src/judgement/prompt.ts";
import { INJECTIONS } from "./injections.ts";
import { COUNTER } from "./told-model.ts";

const itemsOf = (texts: readonly string[]) => texts.map((text, index) => ({ key: String(index), text: asItem(text) }));

test("without items or without room, there are no batches", () => {
  expect(planBatches([], 0, COUNTER)).toEqual([]);
  expect(planBatches(itemsOf(["a"]), 0, COUNTER)).toBeNull();
  expect(planBatches(itemsOf(["a"]), replyTokensFor(1) + 10, COUNTER)).toBeNull();
});

test("items that fit share a batch, up to what a model answers in time", () => {
  const sizes = (items: number, room: number) =>
    planBatches(itemsOf(Array.from({ length: items }, () => "src/a.ts")), room, COUNTER)?.map(({ length }) => length);
  expect(sizes(60, 8_192)).toEqual([60]);
  expect(sizes(200, 1_000_000)).toEqual([64, 64, 64, 8]);
});

test("an item that does not fit is truncated in the middle", () => {
  const batches = planBatches(itemsOf([`first ${"word ".repeat(5_000)}last`]), 400, COUNTER);
  expect(batches?.[0]?.[0]?.text).toMatch(/^first word .* … .*word last$/);
});

test("property: no item is lost or repeated, the order stays, and each batch fits with its reply", () => {
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.constantFrom(...INJECTIONS), fc.lorem());
  fc.assert(
    fc.property(fc.array(text, { maxLength: 120 }), fc.integer({ min: 0, max: 9_000 }), (texts, room) => {
      const items = itemsOf(texts);
      const batches = planBatches(items, room, COUNTER);
      if (batches === null) {
        expect(room).toBeLessThan(200);
        return;
      }
      expect(batches.flat().map(({ key }) => key)).toEqual(items.map(({ key }) => key));
      for (const batch of batches) {
        expect(batch.length).toBeWithin(1, ITEMS_MAX + 1);
        const listed = batch.map((item, index) => entry(idOf(index), item.text)).join("\n");
        expect(windowTokensOf(listed, COUNTER) + replyTokensFor(batch.length)).toBeLessThanOrEqual(room);
      }
    }),
    { numRuns: 60 },
  );
});
