/** Iterables follow one another, and nothing of one that has ended stays in memory. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { inTurn } from "../../../src/indexing/links/in-turn.ts";

test("the items of all iterables, in order", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer())), (parts) => {
      expect([...inTurn(parts.map((part) => () => part))]).toEqual(parts.flat());
    }),
  );
});

test("a part begins when those before it have ended, and ends early with the iteration", () => {
  const seen: string[] = [];
  const part = (name: string) =>
    function* () {
      seen.push(`${name} begins`);
      try {
        yield `${name}1`;
        yield `${name}2`;
      } finally {
        seen.push(`${name} ends`);
      }
    };
  for (const item of inTurn([part("a"), part("b"), part("c")])) {
    seen.push(item);
    if (item === "b1") break;
  }
  expect(seen).toEqual(["a begins", "a1", "a2", "a ends", "b begins", "b1", "b ends"]);
});

test("a part that has ended is let go of, while the next one goes on", async () => {
  const freed: string[] = [];
  const registry = new FinalizationRegistry<string>((name) => freed.push(name));
  const part = (name: string) =>
    function* () {
      const large = { name };
      registry.register(large, name);
      for (let at = 0; at < 3; at += 1) yield `${large.name}${at}`;
    };
  const all = inTurn([part("a"), part("b")]);
  const taken = Array.from({ length: 4 }, () => all.next().value);
  for (let turn = 0; turn < 20 && freed.length === 0; turn += 1) {
    Bun.gc(true);
    await Bun.sleep(1);
  }
  expect([taken, freed]).toEqual([["a0", "a1", "a2", "b0"], ["a"]]);
  expect([...all]).toEqual(["b1", "b2"]);
});
