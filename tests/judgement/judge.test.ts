import { expect, test } from "bun:test";
import fc from "fast-check";
import { windowTokensOfCall } from "../../src/judgement/context-window.ts";
import type { Candidate, Question } from "../../src/judgement/judge.ts";
import type { ModelFailure } from "../../src/llm/model.ts";
import { anyCharacter } from "../support/any-character.ts";
import { INJECTIONS, withToken } from "./injections.ts";
import {
  COUNTER,
  drain,
  idsIn,
  inShort,
  judgeOn,
  memoryOf,
  saying,
  TOKEN,
  type Told,
  toldModel,
} from "./told-model.ts";

const NEVER = new AbortController().signal;
type Class = "in" | "out";

const question = (candidates: readonly Candidate[], rest: Partial<Question<Class>> = {}): Question<Class> => ({
  stage: "scope",
  task: "Fix the login.",
  instruction: "List which are in.",
  lists: ["in"],
  rest: "out",
  perCall: 20,
  repeated: 0,
  timeShare: 1,
  candidates,
  ...rest,
});

const candidates = (count: number, text = "some text"): readonly Candidate[] =>
  Array.from({ length: count }, (_, index) => ({ key: `key ${index}`, text: `${text} ${index}` }));

/** The keys that a judge gives a class. */
const keysOf = (judged: Parameters<typeof inShort>[0], name: string): readonly string[] =>
  Object.entries(inShort(judged)).flatMap(([key, verdict]) => (verdict === name ? [key] : []));

test("what an answer lists is in, the rest is out, and the model never sees a key", async () => {
  const model = toldModel(() => '{"in":[2]}');
  const { judge, calls } = judgeOn(model);
  const { events, outcome } = await drain(judge.judge(question(candidates(3)), NEVER));
  expect(outcome).toEqual({
    ok: true,
    remembered: false,
    judged: 3,
    stoppedBy: null,
    verdicts: new Map([
      ["key 0", { class: "out" }],
      ["key 1", { class: "in" }],
      ["key 2", { class: "out" }],
    ]),
  });
  expect(events.filter(({ event }) => event !== "judgement_text")).toEqual([
    {
      ...{ event: "judgement_started", stage: "scope", model: "told", candidates: 3, call: 1, calls: 1 },
      ...{ expected_ms: null, left_ms: expect.any(Number) },
    },
    { event: "judgement_finished", stage: "scope", status: "judged", judged: 3, ms: expect.any(Number) },
  ]);
  expect(JSON.stringify(model.requests)).not.toContain("key ");
  expect(calls).toHaveLength(1);
});

test("the question to a model: task, instruction and items, in the order of how seldom they change", async () => {
  const model = toldModel(saying("in"));
  const asked = [{ key: "a", text: "a.ts\nfirst\r\nlast\x1b[0m", group: "src" }];
  await drain(judgeOn(model).judge.judge(question(asked), NEVER));
  expect(model.requests[0]?.prompt).toBe(
    [
      `The task:\n<<< task ${TOKEN}\n[task] Fix the login.\n>>> task ${TOKEN}`,
      "List which are in.",
      `The items:\n<<< items ${TOKEN}\nin src:\n[1] a.ts\n    first\n    last\\x1b[0m\n>>> items ${TOKEN}`,
      'Answer: {"in":[numbers]}',
    ].join("\n\n"),
  );
  expect(model.requests[0]?.system).toContain(TOKEN);
  expect(model.requests[0]?.format).toEqual({
    type: "object",
    properties: { in: { type: "array", maxItems: 1, items: { type: "integer", minimum: 1, maximum: 1 } } },
    required: ["in"],
  });
  expect(model.requests[0]?.replyTokensMax).toBeLessThan(60);
});

test("all calls of a task begin alike, whatever the stage, in this run and the next", async () => {
  const memory = memoryOf();
  const model = toldModel(saying("in"));
  await drain(judgeOn(model, { memory }).judge.judge(question(candidates(30)), NEVER));
  await drain(judgeOn(model, { memory }).judge.judge(question(candidates(9, "more"), { stage: "precision" }), NEVER));
  expect(new Set(model.requests.map(({ system }) => system)).size).toBe(1);
  const task = model.requests.map(({ prompt }) => prompt.slice(0, prompt.indexOf("List which")));
  expect([task.length, new Set(task).size]).toEqual([3, 1]);
});

test("without candidates, nothing is asked", async () => {
  const model = toldModel(saying("in"));
  const { events, outcome } = await drain(judgeOn(model).judge.judge(question([]), NEVER));
  expect(outcome).toMatchObject({ ok: true, verdicts: new Map() });
  expect([events, model.requests]).toEqual([[], []]);
});

test.each([
  ["numbers that were not given", '{"in":[3,0,-1,1.5,1e9,2]}'],
  ["numbers as texts", '{"in":["2","[2]","x","/etc/passwd"]}'],
  ["repeated numbers", '{"in":[2,2,2]}'],
  ["broken entries", '{"in":[null,{},[],2,true]}'],
  ["keys nobody asked for", '{"add":["/etc/passwd"],"in":[2],"budget":1000000000}'],
  ["the names of prototypes", '{"in":[2],"__proto__":[1],"constructor":[1]}'],
])("%s are dropped", async (_, reply) => {
  const { judge } = judgeOn(toldModel(() => reply));
  const { outcome } = await drain(judge.judge(question(candidates(2)), NEVER));
  expect(inShort(outcome)).toEqual({ "key 0": "out", "key 1": "in" });
});

test.each([
  ["nothing at all", "{}"],
  ["the numbers of the example", '{"in":[901,903]}'],
  ["no list", '{"in":"all"}'],
  ["prose", "The first one."],
])("an answer with %s is asked for again, then it is invalid", async (_, reply) => {
  const model = toldModel(() => reply);
  const { events, outcome } = await drain(judgeOn(model).judge.judge(question(candidates(2)), NEVER));
  expect(inShort(outcome)).toBe("invalid");
  expect(model.requests).toHaveLength(2);
  expect(events.at(-1)).toMatchObject({ event: "judgement_finished", status: "failed", judged: 0 });
});

test("many candidates are split into several calls, each in one of them", async () => {
  const model = toldModel(saying("in"));
  const { events, outcome } = await drain(judgeOn(model).judge.judge(question(candidates(50)), NEVER));
  expect(keysOf(outcome, "in")).toEqual(candidates(50).map(({ key }) => key));
  const started = events.filter((event) => event.event === "judgement_started");
  expect(started.map(({ call, calls }) => [call, calls])).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
});

test("the first candidates are asked about twice, and both answers are in the verdict", async () => {
  // Each call lists what it is shown first.
  const model = toldModel(() => '{"in":[1]}');
  const { outcome } = await drain(judgeOn(model).judge.judge(question(candidates(26), { repeated: 4 }), NEVER));
  const twice = outcome.ok ? [...outcome.verdicts].filter(([, { again }]) => again !== undefined) : [];
  expect(twice.map(([key]) => key)).toEqual(["key 0", "key 1", "key 2", "key 3"]);
  expect(model.requests).toHaveLength(2);
  for (const { prompt } of model.requests) expect(new Set(prompt.match(/some text \d+/g)).size).toBe(15);
  const few = toldModel(() => '{"in":[1]}');
  await drain(judgeOn(few).judge.judge(question(candidates(19), { repeated: 4 }), NEVER));
  expect(few.requests).toHaveLength(1);
});

test("if one of several calls fails, the others count for what they list, and a further run asks only what is left", async () => {
  const memory = memoryOf();
  const broken: Told = (request, call) =>
    call === 0 ? '{"in":[1]}' : { kind: "broken-off", why: `gone ${request.system.length}` };
  const first = await drain(judgeOn(toldModel(broken), { memory }).judge.judge(question(candidates(40)), NEVER));
  expect(first.outcome).toMatchObject({ ok: true, judged: 20, stoppedBy: { kind: "broken-off" } });
  expect(Object.values(inShort(first.outcome))).toEqual(["in"]);
  const well = toldModel(saying("out"));
  const second = await drain(judgeOn(well, { memory }).judge.judge(question(candidates(40)), NEVER));
  expect(well.requests).toHaveLength(1);
  expect(Object.keys(inShort(second.outcome))).toHaveLength(40);
  expect(second.outcome).toMatchObject({ remembered: false, judged: 40, stoppedBy: null });
});

test("from four fifths of the candidates on, what is not listed counts too", async () => {
  const told: Told = (_, call) => (call < 4 ? '{"in":[1]}' : { kind: "broken-off", why: "gone" });
  const { outcome } = await drain(judgeOn(toldModel(told)).judge.judge(question(candidates(100)), NEVER));
  expect(outcome).toMatchObject({ ok: true, judged: 80, stoppedBy: { kind: "broken-off" } });
  expect([keysOf(outcome, "in").length, keysOf(outcome, "out").length]).toEqual([4, 76]);
});

test("an answered question is not repeated, also in another run, or when the server is gone", async () => {
  const memory = memoryOf();
  const before = await drain(judgeOn(toldModel(saying("out")), { memory }).judge.judge(question(candidates(3)), NEVER));
  const second = toldModel(() => ({ kind: "unreachable", why: "off" }));
  for (const rest of [{}, { source: gone }]) {
    const { judge, calls } = judgeOn(second, { memory, ...rest });
    const { events, outcome } = await drain(judge.judge(question(candidates(3)), NEVER));
    expect(inShort(outcome)).toEqual(inShort(before.outcome));
    expect(outcome).toMatchObject({ ok: true, remembered: true });
    expect(events).toEqual([{ event: "judgement_finished", stage: "scope", status: "remembered", judged: 3, ms: 0 }]);
    expect(second.requests).toEqual([]);
    expect(calls.map(({ status }) => status)).toEqual("source" in rest ? ["unreachable"] : []);
  }
});

const gone = {
  name: "told",
  baseUrl: "",
  open: () => Promise.resolve({ ok: false, failure: { kind: "unreachable", why: "off" } } as const),
};

test("a model that was pulled again under its name is asked again, and known by its digest when the server is gone", async () => {
  const memory = memoryOf();
  const asked = async (digest: string): Promise<number> => {
    const model = toldModel(saying("in"));
    const pulled = { ...model, digest };
    await drain(judgeOn(pulled, { memory }).judge.judge(question(candidates(3)), NEVER));
    return model.requests.length;
  };
  expect([await asked("one"), await asked("one"), await asked("two")]).toEqual([1, 0, 1]);
  const { outcome } = await drain(
    judgeOn(toldModel(saying("in")), { memory, source: gone }).judge.judge(question(candidates(3)), NEVER),
  );
  expect(outcome).toMatchObject({ ok: true, remembered: true });
});

test("a further round asks only about candidates that are new or have changed, in whatever order", async () => {
  const memory = memoryOf();
  const model = toldModel(saying("in"));
  const { judge } = judgeOn(model, { memory });
  await drain(judge.judge(question(candidates(15)), NEVER));
  const changed = candidates(15).map((one, at) => (at === 4 ? { ...one, text: "other text" } : one));
  const round = [{ key: "new", text: "new text" }, ...changed.toReversed()];
  const { outcome } = await drain(judge.judge(question(round), NEVER));
  expect(idsIn(model.requests[1]?.prompt ?? "")).toEqual([1, 2]);
  expect(Object.keys(inShort(outcome))).toHaveLength(16);
});

test("once the first candidates were asked about twice, a further round asks about new ones once, in one call", async () => {
  const memory = memoryOf();
  const repeated = { repeated: 6 };
  const asked = async (of: readonly Candidate[], told: Told = saying("in")): Promise<number> => {
    const model = toldModel(told);
    await drain(judgeOn(model, { memory }).judge.judge(question(of, repeated), NEVER));
    return model.requests.length;
  };
  const broken: Told = (_, call) => (call === 0 ? '{"in":[1]}' : { kind: "broken-off", why: "gone" });
  expect([await asked(candidates(26), broken), await asked(candidates(26))]).toEqual([2, 1]);
  const round = [...candidates(6, "new text"), ...candidates(26).slice(6)];
  expect([await asked(round), await asked(round), await asked(candidates(26))]).toEqual([1, 0, 0]);
});

test.each([
  ["another task", question(candidates(3), { task: "Fix the logout." })],
  ["another stage", question(candidates(3), { stage: "precision" })],
  ["another instruction", question(candidates(3), { instruction: "List which are out." })],
  ["other candidates", question(candidates(3, "other text"))],
  ["candidates elsewhere", question(candidates(3).map((one) => ({ ...one, group: "src" })))],
])("%s is another question", async (_, other) => {
  const model = toldModel(saying("in"));
  const { judge } = judgeOn(model, { memory: memoryOf() });
  await drain(judge.judge(question(candidates(3)), NEVER));
  await drain(judge.judge(other, NEVER));
  expect(model.requests).toHaveLength(2);
});

test.each([null, "perhaps", {}, 7, [1, 2, 3]])("an invalid stored verdict is requested again: %j", async (spoilt) => {
  const model = toldModel(saying("in"));
  const { judge } = judgeOn(model, { memory: { recall: () => spoilt, keep: () => {} } });
  expect(inShort((await drain(judge.judge(question(candidates(2)), NEVER))).outcome)).toEqual({
    "key 0": "in",
    "key 1": "in",
  });
  expect(model.requests).toHaveLength(1);
});

const timeout: ModelFailure = { kind: "timeout", limit: "first-token", seconds: 60 };
test.each<readonly [string, ModelFailure, number]>([
  ["unreachable", { kind: "unreachable", why: "refused" }, 1],
  ["missing-model", { kind: "missing-model", model: "told" }, 1],
  ["redirected", { kind: "redirected" }, 1],
  ["timeout", timeout, 2],
  ["refused", { kind: "refused", status: 500, why: "busy" }, 4],
  ["overlong", { kind: "overlong", bytes: 65_536 }, 4],
])("after %s, a judge stops asking if that cannot help", async (kind, failure, asked) => {
  const model = toldModel(() => failure);
  const { judge, calls } = judgeOn(model);
  for (let round = 0; round < 4; round += 1) {
    const { outcome, events } = await drain(judge.judge(question(candidates(2, `round ${round}`)), NEVER));
    expect(outcome).toEqual({ ok: false, failure });
    expect(events.at(-1)).toMatchObject({ status: "failed" });
  }
  expect(inShort({ ok: false, failure })).toBe(kind);
  expect([model.requests.length, calls.length]).toEqual([asked, asked]);
});

/** A clock that answers move on. */
function paced(msOfAnswer: number) {
  let ms = 0;
  const model = toldModel((request) => {
    ms += msOfAnswer;
    return saying("in")(request, 0);
  });
  const took = { promptTokens: 100, promptMs: msOfAnswer / 2, answerTokens: 10, answerMs: msOfAnswer / 2 };
  const timed = {
    ...model,
    async *generate(...args: Parameters<typeof model.generate>) {
      const answer = yield* model.generate(...args);
      return answer.ok ? { ...answer, reply: { ...answer.reply, time: took } } : answer;
    },
  };
  return { model: timed, requests: model.requests, nowMs: () => ms };
}

test("once the speed is known, a question is as long as the time that is left, with the best candidates", async () => {
  const { model, requests, nowMs } = paced(10_000);
  const { judge } = judgeOn(model, { nowMs, timeMs: 60_000 });
  await drain(judge.judge(question(candidates(20)), NEVER));
  const { outcome } = await drain(judge.judge(question(candidates(200, "more")), NEVER));
  expect(outcome).toMatchObject({ ok: true, stoppedBy: { kind: "out-of-time", seconds: 60 } });
  const judged = Object.keys(inShort(outcome));
  expect(judged.length).toBeWithin(8, 100);
  expect(judged).toEqual(
    candidates(200)
      .slice(0, judged.length)
      .map(({ key }) => key),
  );
  expect(requests.length).toBeLessThan(8);
  for (const { secondsMax = 0 } of requests) expect(secondsMax).toBeWithin(0, 61);
});

test("when the time is used up, nothing more is asked", async () => {
  const { model, requests, nowMs } = paced(40_000);
  const { judge } = judgeOn(model, { nowMs, timeMs: 60_000 });
  for (const [at, outcome] of [{ ok: true }, { ok: false, failure: { kind: "out-of-time" } }].entries())
    expect((await drain(judge.judge(question(candidates(20, `of ${at}`)), NEVER))).outcome).toMatchObject(outcome);
  expect(requests).toHaveLength(1);
});

test("what it takes to learn about the model is of its time", async () => {
  const { model, requests, nowMs } = paced(1_000);
  let openedMs = 0;
  const source = {
    ...{ name: model.name, baseUrl: model.baseUrl },
    async open() {
      openedMs = 50_000;
      return await Promise.resolve({ ok: true as const, model });
    },
  };
  const { judge } = judgeOn(model, { source, nowMs: () => nowMs() + openedMs, timeMs: 60_000 });
  await drain(judge.judge(question(candidates(2)), NEVER));
  await drain(judge.judge(question(candidates(2, "more")), NEVER));
  expect(requests.map(({ secondsMax }) => secondsMax)).toEqual([10, 9]);
});

test("a server that says nothing of the model is waited for as long as the model may take", async () => {
  const model = toldModel(saying("in"));
  const source = {
    ...{ name: model.name, baseUrl: model.baseUrl },
    async open(signal: AbortSignal) {
      return await new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  };
  const { judge, calls } = judgeOn(model, { source, timeMs: 20 });
  const { outcome } = await drain(judge.judge(question(candidates(2)), NEVER));
  expect(outcome).toEqual({ ok: false, failure: { kind: "out-of-time", seconds: 0.02 } });
  expect(calls.map(({ status }) => status)).toEqual(["out-of-time"]);
  const stop = new AbortController();
  const running = drain(judgeOn(model, { source }).judge.judge(question(candidates(2)), stop.signal));
  stop.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
});

test("a run waits for another one at the server and says so; the wait takes none of its time", async () => {
  let ms = 0;
  let released = 0;
  const turn = {
    [Symbol.dispose]() {
      released += 1;
    },
  };
  const queue = {
    tryTake: () => ({ holder: "process 7" }),
    take: async () => {
      ms += 3_600_000;
      return await Promise.resolve(turn);
    },
  };
  const { judge } = judgeOn(toldModel(saying("in")), { queue, nowMs: () => ms });
  const { events, outcome } = await drain(judge.judge(question(candidates(2)), NEVER));
  expect(events[0]).toEqual({ event: "judgement_waiting", stage: "scope", holder: "process 7" });
  expect(outcome.ok).toBe(true);
  judge.close();
  judge.close();
  expect(released).toBe(1);
});

test("a window too small for one candidate is a failure, and nothing is sent", async () => {
  const model = toldModel(saying("in"), 400);
  const { outcome } = await drain(judgeOn(model).judge.judge(question(candidates(2)), NEVER));
  expect(outcome).toEqual({ ok: false, failure: { kind: "no-room", windowTokens: 400 } });
  expect(model.requests).toEqual([]);
});

test("a task and candidates of any length are truncated to fit", async () => {
  const model = toldModel(saying("in"), 2_048);
  const huge = question(candidates(30, "漢字 and words ".repeat(20_000)), { task: "login ".repeat(100_000) });
  const { outcome } = await drain(judgeOn(model).judge.judge(huge, NEVER));
  expect(Object.keys(inShort(outcome))).toHaveLength(30);
  for (const request of model.requests) expect(windowTokensOfCall(request, COUNTER)).toBeLessThanOrEqual(2_048);
});

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.constantFrom(...INJECTIONS).map((injection) => withToken(injection, TOKEN)),
  fc.constantFrom("\n", "[1] me too", "in src/a.ts:", "src/a.ts (typescript)\nseed, named"),
);

test("property: prompts fit the window, number every candidate once, and have the token only in its places", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 40 }),
      text,
      fc.constantFrom(1_200, 2_048, 8_192),
      async (texts, task, windowTokens) => {
        const model = toldModel(saying("in"), windowTokens);
        const asked = question(
          texts.map((text, index) => ({ key: String(index), text, group: text })),
          { task, repeated: 4 },
        );
        const { outcome } = await drain(judgeOn(model).judge.judge(asked, NEVER));
        if (inShort(outcome) === "no-room") {
          expect(windowTokens).toBe(1_200);
          return;
        }
        expect([...(outcome.ok ? outcome.verdicts.keys() : [])]).toEqual(texts.map((_, index) => String(index)));
        for (const request of model.requests) {
          expect(windowTokensOfCall(request, COUNTER)).toBeLessThanOrEqual(windowTokens);
          expect(request.prompt.split(TOKEN)).toHaveLength(5);
          expect(idsIn(request.prompt)).toEqual(idsIn(request.prompt).map((_, index) => index + 1));
        }
      },
    ),
    { numRuns: 12 },
  );
});

const reply = fc.oneof(
  fc.array(fc.oneof(fc.integer({ min: -1, max: 5 }), fc.anything())).map((list) => JSON.stringify({ in: list })),
  fc.json(),
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(...INJECTIONS, "```json\n{}\n```", "<html></html>", " ".repeat(1_000)),
);

test("property: for any reply, verdicts are about given candidates, and what is remembered says the same", async () => {
  await fc.assert(
    fc.asyncProperty(reply, reply, async (first, second) => {
      const memory = memoryOf();
      const { judge } = judgeOn(
        toldModel((_, call) => (call === 0 ? first : second)),
        { memory },
      );
      const { outcome } = await drain(judge.judge(question(candidates(3)), NEVER));
      if (!outcome.ok) {
        expect(["invalid", "repeating"]).toContain(outcome.failure.kind);
        return;
      }
      expect([...outcome.verdicts.keys()]).toEqual(["key 0", "key 1", "key 2"]);
      for (const [, verdict] of outcome.verdicts) expect(["in", "out"]).toContain(verdict.class);
      const again = await drain(
        judgeOn(
          toldModel(() => ({ kind: "redirected" })),
          { memory },
        ).judge.judge(question(candidates(3)), NEVER),
      );
      expect(again.outcome).toEqual({ ...outcome, remembered: true });
    }),
    { numRuns: 100 },
  );
});
