/** A limited number of calls runs at once, in order, and one that gives up leaves its place to the next. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { callQueue } from "../../src/concurrency/call-queue.ts";

const busy = () => new Error("busy");
const never = new AbortController().signal;

test("runs at most the allowed number at once, in order, with any failures and cancellations", async () => {
  const piece = fc.record({ steps: fc.nat(4), fails: fc.boolean(), givesUp: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), fc.integer({ min: 1, max: 4 }), async (pieces, atOnce) => {
      const queue = callQueue(atOnce, 100, busy);
      const begun: number[] = [];
      let running = 0;
      const all = pieces.map(async ({ steps, fails, givesUp }, at) => {
        const stop = new AbortController();
        const done = queue(stop.signal, async () => {
          begun.push(at);
          running += 1;
          expect(running).toBeLessThanOrEqual(atOnce);
          for (let step = 0; step < steps; step++) await null;
          running -= 1;
          if (fails) throw new Error("failed");
        });
        if (givesUp) stop.abort(new Error("enough"));
        await done;
      });
      await Promise.allSettled(all);
      expect(running).toBe(0);
      expect(begun).toEqual(begun.toSorted((a, b) => a - b));
      for (const [at, { givesUp }] of pieces.entries()) if (!givesUp) expect(begun).toContain(at);
      // All places have been given back.
      const gate = Promise.withResolvers<void>();
      let inside = 0;
      const last = Array.from({ length: atOnce }, () =>
        queue(never, async () => {
          inside += 1;
          await gate.promise;
        }),
      );
      await null;
      await null;
      expect(inside).toBe(atOnce);
      gate.resolve();
      await Promise.all(last);
    }),
  );
});

test("calls above the limit are refused, and a cancelled waiting call never starts", async () => {
  const queue = callQueue(1, 1, busy);
  const gate = Promise.withResolvers<void>();
  const first = queue(never, () => gate.promise);
  const stop = new AbortController();
  let hasBegun = false;
  const second = queue(stop.signal, async () => {
    hasBegun = true;
  });
  await expect(queue(never, async () => {})).rejects.toThrow("busy");
  stop.abort(new Error("enough"));
  await expect(second).rejects.toThrow("enough");
  await expect(queue(AbortSignal.abort(new Error("before")), async () => {})).rejects.toThrow("before");
  gate.resolve();
  await first;
  expect(await queue(never, async () => 7)).toBe(7);
  expect(hasBegun).toBe(false);
});
