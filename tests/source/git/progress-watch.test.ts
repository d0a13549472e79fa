/** When a program counts as stuck: by looks without progress, never by the time on the clock. */
import { expect, test } from "bun:test";
import { type Patience, watchProgress } from "../../../src/source/git/progress-watch.ts";

const PATIENCE: Patience = { lookMs: 1, looksMax: 5, blindLooksMax: 50, processorMsMax: 1e9 };

/** How often the output was asked for until the watch ended, when it grows for so many looks. */
async function looksUntilEnd(
  pid: number | null,
  growing: number,
): Promise<{ readonly looks: number; readonly why: string }> {
  let looks = 0;
  const ended = Promise.withResolvers<string>();
  // Each look asks twice: to compare, and to remember.
  watchProgress({ pid, bytes: () => Math.min(growing, ++looks) }, PATIENCE, ended.resolve);
  return { why: await ended.promise, looks };
}

test("output is progress, however long it takes", async () => {
  const short = await looksUntilEnd(null, 0);
  const long = await looksUntilEnd(null, 200);
  expect(short.why).toBe("it made no progress for 0.005 seconds");
  expect(long.looks - short.looks).toBeGreaterThanOrEqual(200);
});

test("where nothing but output is known, more looks are allowed", async () => {
  // No process has this number, as on a system that tells nothing.
  const blind = await looksUntilEnd(2 ** 31 - 1, 0);
  expect(blind.why).toBe("it made no progress for 0.05 seconds");
});

test("a watch that was stopped ends nothing", async () => {
  let ended = 0;
  const stop = watchProgress({ pid: null, bytes: () => 0 }, PATIENCE, () => {
    ended += 1;
  });
  stop();
  await looksUntilEnd(null, 20);
  expect(ended).toBe(0);
});
