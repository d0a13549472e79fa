import { expect, test } from "bun:test";
import fc from "fast-check";
import { pairQueue } from "../../../src/text/tokens/pair-queue.ts";

test("property: lowest rank first, leftmost first among equals, whenever they are added", () => {
  const pair = fc.record({ rank: fc.nat(2 ** 21 - 1), part: fc.nat(2 ** 32 - 1) });
  const step = fc.oneof(pair, fc.record({ rank: fc.nat(3), part: fc.nat(9) }), fc.constant("next" as const));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const queue = pairQueue();
      const waiting: { rank: number; part: number }[] = [];
      for (const one of [...steps, ...steps.map(() => "next" as const)]) {
        if (one === "next") {
          waiting.sort((a, b) => a.rank - b.rank || a.part - b.part);
          expect(queue.next()).toEqual(waiting.shift());
        } else {
          queue.add(one.rank, one.part);
          waiting.push(one);
        }
      }
      expect(queue.next()).toBeUndefined();
    }),
  );
});
