/** Progress: it only grows, few notifications are sent, and a long run lets others be heard. */
import { expect, test } from "bun:test";
import { following } from "../../src/mcp/progress.ts";
import type { PipelineEvent } from "../../src/retrieval/model/events.ts";

const considered = (path: string): PipelineEvent => ({
  event: "file_considered",
  stage: "scope",
  path,
  tier: "seed",
  score: 1,
  tokens: 1,
  reason: "x",
});

/** Nothing was measured yet. */
const UNTIMED = { expected_ms: null, left_ms: 90_000 };

test("indexing steps and run events are reported, each new kind at once and the rest occasionally", async () => {
  let now = 0;
  const told: { readonly progress: number; readonly message: string }[] = [];
  const follow = following(
    () => now,
    (step) => told.push(step),
  );
  for (let done = 0; done < 100; done++) follow.onProgress({ phase: "walk", done, total: null });
  follow.onProgress({ phase: "wait", done: 0, total: null });
  follow.onProgress({ phase: "api: history", done: 1, total: 1 });
  follow.onProgress({ phase: "other", done: 1, total: 2 });
  follow.onProgress({ phase: "parse", done: 1024, total: 2048, unit: "bytes" });
  follow.say("waiting");
  follow.say("waiting");
  async function* run(): AsyncGenerator<PipelineEvent, string> {
    yield { event: "stage_started", stage: "scope" };
    for (let at = 0; at < 10; at++) {
      now += 60;
      yield considered(`${at}`);
    }
    yield { event: "judgement_started", stage: "scope", model: "m", candidates: 1, call: 1, calls: 2, ...UNTIMED };
    return "done";
  }
  expect(await follow.run(run())).toBe("done");
  expect(told.map(({ message }) => message)).toEqual([
    "walk 0 files",
    "wait",
    "api: history 1 of 1 commit",
    "other 1 of 2",
    "parse 1.0 of 2.0 KiB",
    "waiting",
    "scope",
    "scope 4 files",
    "scope 8 files",
    "scope: asking m, call 1 of 2",
  ]);
  expect(told.map(({ progress }) => progress)).toEqual(told.map((_, at) => at + 1));
});

test("other messages are handled between two steps of a long run, also without a progress listener", async () => {
  let now = 0;
  let isStopped = false;
  setImmediate(() => {
    isStopped = true;
  });
  async function* run(): AsyncGenerator<PipelineEvent, number> {
    for (let at = 0; at < 1_000; at++) {
      if (isStopped) return at;
      now += 5;
      yield considered("a");
    }
    return 1_000;
  }
  expect(await following(() => now, null).run(run())).toBeLessThan(20);
});

test("a failing run rejects", async () => {
  async function* run(): AsyncGenerator<PipelineEvent, number> {
    yield considered("a");
    throw new Error("enough");
  }
  await expect(following(() => 0, null).run(run())).rejects.toThrow("enough");
});
