/** Two processes of one user that ask the same model server. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { serverQueue } from "../../../src/app/workspace/server-queue.ts";
import type { JudgementEvent, Question } from "../../../src/judgement/judge.ts";
import { judgeOn, saying, toldModel } from "../../judgement/told-model.ts";
import { tempFolder } from "../../support/folder.ts";

const SERVER = "http://127.0.0.1:11434";
const HOLDER = { pid: process.pid, host: "here", startedAt: "2024-01-01T00:00:00Z" };
const QUESTION: Question<"in" | "out"> = {
  stage: "scope",
  task: "Fix the login.",
  instruction: "List which are in.",
  lists: ["in"],
  rest: "out",
  perCall: 20,
  repeated: 0,
  timeShare: 1,
  candidates: [{ key: "a", text: "a" }],
};

/** Another process whose turn it is; `end` lets it give the turn back. */
async function otherRun(state: string, server = SERVER) {
  const path = join(import.meta.dir, "..", "..", "support", "hold-server.ts");
  const child = Bun.spawn([process.execPath, path, server], {
    env: { ...process.env, XDG_STATE_HOME: state },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe("asking\n");
  return {
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await child.exited;
    },
    end: () => child.stdin.end(),
  };
}

/** A run of this process with its model, whose clock is at an hour once it has waited. */
function thisRun(state: string) {
  const model = toldModel(saying("in"));
  let nowMs = 0;
  const queue = serverQueue(SERVER, { XDG_STATE_HOME: state }, HOLDER);
  const { judge } = judgeOn(model, { queue, timeMs: 1_000, nowMs: () => nowMs });
  return {
    model,
    judge,
    passHour: () => {
      nowMs += 3_600_000;
    },
  };
}

test("a run waits while another process asks, says for whom, and the wait counts against no limit", async () => {
  using state = tempFolder();
  await using other = await otherRun(state.path);
  const { judge, model, passHour } = thisRun(state.path);
  const events: JudgementEvent[] = [];
  const asking = judge.judge(QUESTION, new AbortController().signal);
  let step = await asking.next();
  while (!step.done) {
    events.push(step.value);
    if (step.value.event === "judgement_waiting") {
      expect(model.requests).toEqual([]);
      passHour();
      other.end();
    }
    step = await asking.next();
  }
  judge.close();
  expect(events[0]).toMatchObject({
    event: "judgement_waiting",
    holder: expect.stringContaining(`process ${other.pid} on other`),
  });
  expect(events.find(({ event }) => event === "judgement_started")).toMatchObject({ left_ms: 1_000 });
  expect(step.value).toMatchObject({ ok: true, judged: 1, stoppedBy: null });
});

test("a waiting run can be cancelled, and then asks nothing", async () => {
  using state = tempFolder();
  await using _other = await otherRun(state.path);
  const { judge, model } = thisRun(state.path);
  const stop = new AbortController();
  const asking = judge.judge(QUESTION, stop.signal);
  expect((await asking.next()).value).toMatchObject({ event: "judgement_waiting" });
  const next = asking.next();
  stop.abort(new Error("enough"));
  expect(next).rejects.toThrow("enough");
  await next.catch(() => undefined);
  expect(model.requests).toEqual([]);
});

test("runs at different servers do not wait for each other", async () => {
  using state = tempFolder();
  await using _other = await otherRun(state.path, "http://127.0.0.1:8080");
  const { judge } = thisRun(state.path);
  expect((await judge.judge(QUESTION, new AbortController().signal).next()).value).toMatchObject({
    event: "judgement_started",
  });
  judge.close();
});
