/** Which time limit of a call runs when. The limits here are either at once or never. */
import { expect, test } from "bun:test";
import { callTimers, type Limit } from "../../src/llm/call-timers.ts";
import { MODEL_LIMITS, type ModelLimits } from "../../src/llm/limits.ts";

const NEVER: ModelLimits = {
  ...MODEL_LIMITS,
  connectSeconds: 9,
  firstTokenSeconds: 9,
  idleSeconds: 9,
  totalSeconds: 9,
};
const MS = 0.001;

async function fired(limits: Partial<ModelLimits>, use: (timers: ReturnType<typeof callTimers>) => void) {
  const seen: [Limit, number][] = [];
  using timers = callTimers({ ...NEVER, ...limits }, (limit, seconds) => seen.push([limit, seconds]));
  use(timers);
  await Bun.sleep(20);
  return seen;
}

test("each phase has its own limit", async () => {
  expect(await fired({ connectSeconds: MS }, (timers) => timers.enter("connect"))).toEqual([["connect", MS]]);
  expect(await fired({ firstTokenSeconds: MS }, (timers) => timers.enter("first-token"))).toEqual([
    ["first-token", MS],
  ]);
  expect(await fired({ idleSeconds: MS }, (timers) => timers.enter("idle"))).toEqual([["idle", MS]]);
});

test("the whole is limited in any phase and between them", async () => {
  expect(await fired({ totalSeconds: MS }, (timers) => timers.rest())).toEqual([["total", MS]]);
});

test("a phase ends with the next", async () => {
  const seen = await fired({ connectSeconds: MS, firstTokenSeconds: 9 }, (timers) => {
    timers.enter("connect");
    timers.enter("first-token");
  });
  expect(seen).toEqual([]);
});

test("nothing runs out after the end", async () => {
  const seen = await fired({ connectSeconds: MS, totalSeconds: MS }, (timers) => {
    timers.enter("connect");
    timers[Symbol.dispose]();
  });
  expect(seen).toEqual([]);
});
