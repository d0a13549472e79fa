import { expect, test } from "bun:test";
import fc from "fast-check";
import { windowTokensOfCall } from "../../src/judgement/context-window.ts";
import { CANDIDATES_MAX, type Candidate, type Question } from "../../src/judgement/judge.ts";
import { REASON_CHARS_MAX } from "../../src/judgement/reply.ts";
import type { ModelFailure } from "../../src/llm/model.ts";
import { display } from "../../src/text/display.ts";
import { INJECTIONS, withToken } from "./injections.ts";
import { COUNTER, drain, idsIn, inShort, judgeOn, memoryOf, saying, TOKEN, toldModel } from "./told-model.ts";

const NEVER = new AbortController().signal;
type Class = "in" | "out";

const question = (candidates: readonly Candidate[], rest: Partial<Question<Class>> = {}): Question<Class> => ({
  stage: "scope",
  task: "Fix the login.",
  instruction: "Say which are in.",
  classes: ["in", "out"],
  candidates,
  ...rest,
});

const candidates = (count: number, text = "some text"): readonly Candidate[] =>
  Array.from({ length: count }, (_, index) => ({ key: `key ${index}`, text: `${text} ${index}` }));

test("verdicts come back by key, and the model never sees a key", async () => {
  const model = toldModel(
    () => '{"verdicts":[{"id":"c2","class":"out","reason":"is a\\n test"},{"id":"c1","class":"in"}]}',
  );
  const { judge, calls } = judgeOn(model);
  const { events, outcome } = await drain(judge.judge(question(candidates(3)), NEVER));
  expect(outcome).toEqual({
    ok: true,
    remembered: false,
    verdicts: new Map([
      ["key 1", { class: "out", reason: "is a test" }],
      ["key 0", { class: "in", reason: "" }],
    ]),
  });
  expect(events.filter(({ event }) => event !== "judgement_text")).toEqual([
    { event: "judgement_started", stage: "scope", model: "told", candidates: 3, call: 1, calls: 1 },
    { event: "judgement_finished", stage: "scope", status: "judged", judged: 2, ms: 2 },
  ]);
  expect(JSON.stringify(model.requests)).not.toContain("key ");
  expect(calls).toHaveLength(1);
});

test("the question to a model", async () => {
  const model = toldModel(saying("in"));
  await drain(judgeOn(model).judge.judge(question([{ key: "a", text: "a.ts\nfirst\r\nlast\x1b[0m" }]), NEVER));
  expect(model.requests[0]?.prompt).toBe(
    [
      "Say which are in.",
      `The task:\n<<< task ${TOKEN}\n[task] Fix the login.\n>>> task ${TOKEN}`,
      `The items, each after its id in brackets; indented lines belong to the item above them:\n<<< items ${TOKEN}\n[c1] a.ts\n    first\n    last\\x1b[0m\n>>> items ${TOKEN}`,
      "Give every id exactly one of the classes in, out, with a reason of at most eight words.",
    ].join("\n\n"),
  );
  expect(model.requests[0]?.system).toContain(TOKEN);
  expect(model.requests[0]?.format).toEqual({
    type: "object",
    properties: {
      verdicts: {
        type: "array",
        minItems: 1,
        maxItems: 1,
        items: {
          type: "object",
          properties: {
            id: { type: "string", enum: ["c1"] },
            class: { type: "string", enum: ["in", "out"] },
            reason: { type: "string", maxLength: REASON_CHARS_MAX },
          },
          required: ["id", "class"],
        },
      },
    },
    required: ["verdicts"],
  });
});

test("without candidates, nothing is asked", async () => {
  const model = toldModel(saying("in"));
  const { events, outcome } = await drain(judgeOn(model).judge.judge(question([]), NEVER));
  expect(outcome).toEqual({ ok: true, verdicts: new Map(), remembered: false });
  expect(events).toEqual([]);
  expect(model.requests).toEqual([]);
});

test.each([
  ["foreign ids", '{"verdicts":[{"id":"c3","class":"in"},{"id":"../x","class":"in"},{"id":"c1","class":"out"}]}'],
  ["foreign classes", '{"verdicts":[{"id":"c2","class":"perhaps"},{"id":"c1","class":"out"}]}'],
  ["second verdicts", '{"verdicts":[{"id":"c1","class":"out"},{"id":"c1","class":"in"}]}'],
  ["broken entries", '{"verdicts":[null,7,"c1",[],{"id":1},{"id":"c2"},{"id":"c1","class":"out","reason":{}}]}'],
  ["keys nobody asked for", '{"add":["/etc/passwd"],"verdicts":[{"id":"c1","class":"out","path":"x","budget":1e9}]}'],
  [
    "the names of prototypes",
    '{"verdicts":[{"id":"__proto__","class":"in"},{"id":"c1","class":"out","constructor":1}]}',
  ],
])("%s are dropped", async (_, reply) => {
  const { judge } = judgeOn(toldModel(() => reply));
  expect(inShort((await drain(judge.judge(question(candidates(2)), NEVER))).outcome)).toEqual({ "key 0": "out" });
});

test("a reason of any length is truncated", async () => {
  const reply = JSON.stringify({ verdicts: [{ id: "c1", class: "in", reason: "because ".repeat(5_000) }] });
  const { outcome } = await drain(judgeOn(toldModel(() => reply)).judge.judge(question(candidates(1)), NEVER));
  expect(outcome.ok && outcome.verdicts.get("key 0")?.reason).toMatch(/^because [a-z ]{100,}…$/);
});

test("after a reply without a usable verdict, the question is repeated once, then the reply is invalid", async () => {
  const model = toldModel(() => '{"verdicts":[{"id":"c9","class":"in"}]}');
  const { events, outcome } = await drain(judgeOn(model).judge.judge(question(candidates(2)), NEVER));
  expect(inShort(outcome)).toBe("invalid");
  expect(model.requests).toHaveLength(2);
  expect(events.at(-1)).toMatchObject({ event: "judgement_finished", status: "failed", judged: 0 });
});

test("many candidates are split into several calls, each in one of them", async () => {
  const model = toldModel(saying("in"), 2_048);
  const { events, outcome } = await drain(judgeOn(model).judge.judge(question(candidates(50)), NEVER));
  expect(Object.keys(inShort(outcome))).toEqual(candidates(50).map(({ key }) => key));
  const started = events.filter((event) => event.event === "judgement_started");
  expect(started.length).toBeGreaterThan(1);
  expect(started.map(({ call, calls }) => [call, calls])).toEqual(started.map((_, at) => [at + 1, started.length]));
  expect(started.reduce((sum, event) => sum + event.candidates, 0)).toBe(50);
});

test("the best 200 are judged", async () => {
  const { outcome } = await drain(judgeOn(toldModel(saying("out"))).judge.judge(question(candidates(250)), NEVER));
  expect(Object.keys(inShort(outcome))).toEqual(candidates(CANDIDATES_MAX).map(({ key }) => key));
});

test("if one of several calls fails, there are no verdicts, but the other answers are stored", async () => {
  const memory = memoryOf();
  const broken = toldModel(
    (request, call) => (call < 2 ? saying("in")(request, call) : { kind: "broken-off", why: "gone" }),
    2_048,
  );
  const first = await drain(judgeOn(broken, { memory }).judge.judge(question(candidates(80)), NEVER));
  expect(inShort(first.outcome)).toBe("broken-off");
  expect(broken.requests).toHaveLength(3);
  const well = toldModel(saying("in"), 2_048);
  const other = { memory, fenceToken: "another-token-of-another-run" };
  const second = await drain(judgeOn(well, other).judge.judge(question(candidates(80)), NEVER));
  const calls = second.events.find((event) => event.event === "judgement_started")?.calls ?? 0;
  expect(Object.keys(inShort(second.outcome))).toHaveLength(80);
  expect(well.requests).toHaveLength(calls - 2);
});

test("an answered question is not repeated, also in another run", async () => {
  const memory = memoryOf();
  const first = toldModel(saying("out"));
  const before = await drain(judgeOn(first, { memory }).judge.judge(question(candidates(3)), NEVER));
  const second = toldModel(() => ({ kind: "unreachable", why: "off" }));
  const { judge, calls } = judgeOn(second, { memory, fenceToken: "another-token-of-another-run" });
  const { events, outcome } = await drain(judge.judge(question(candidates(3)), NEVER));
  expect(inShort(outcome)).toEqual(inShort(before.outcome));
  expect(outcome).toMatchObject({ ok: true, remembered: true });
  expect(events).toEqual([{ event: "judgement_finished", stage: "scope", status: "remembered", judged: 3, ms: 0 }]);
  expect([second.requests, calls]).toEqual([[], []]);
});

test.each([
  ["another task", question(candidates(3), { task: "Fix the logout." })],
  ["another stage", question(candidates(3), { stage: "precision" })],
  ["another instruction", question(candidates(3), { instruction: "Say which are out." })],
  ["other classes", question(candidates(3), { classes: ["out", "in"] })],
  ["fewer candidates", question(candidates(2))],
  ["other candidates", question(candidates(3, "other text"))],
  ["another order", question(candidates(3).toReversed())],
])("%s is another question", async (_, other) => {
  const memory = memoryOf();
  const model = toldModel(saying("in"));
  const { judge } = judgeOn(model, { memory });
  await drain(judge.judge(question(candidates(3)), NEVER));
  await drain(judge.judge(other, NEVER));
  expect(model.requests).toHaveLength(2);
});

test.each([
  ["null", null],
  ["text", "in"],
  ["no verdicts", {}],
  ["of other ids", { verdicts: [{ id: "c7", class: "in" }] }],
  ["a list", [1, 2, 3]],
])("an invalid stored answer is requested again: %s", async (_, spoilt) => {
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
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.constantFrom(...INJECTIONS).map((injection) => withToken(injection, TOKEN)),
  fc.constantFrom("\n", "[c1] me too", "src/a.ts (typescript)\nseed, named"),
);

test("property: prompts fit the window, name every candidate once, in order, and have the token only in its places", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 60 }),
      text,
      fc.constantFrom(1_200, 2_048, 8_192),
      async (texts, task, windowTokens) => {
        const model = toldModel(saying("in"), windowTokens);
        const asked = question(
          texts.map((text, index) => ({ key: String(index), text })),
          { task },
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
          expect(idsIn(request.prompt)).toEqual(idsIn(request.prompt).map((_, index) => `c${index + 1}`));
        }
      },
    ),
    { numRuns: 30 },
  );
});

const entry = fc.record(
  {
    id: fc.oneof(fc.constantFrom("c1", "c2", "c3", "c4", "c0", "C1", "__proto__", "src/a.ts"), fc.anything()),
    class: fc.oneof(fc.constantFrom("in", "out", "IN", "maybe", "constructor"), fc.anything()),
    reason: fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(...INJECTIONS),
      fc.constant("x".repeat(1_000)),
      fc.anything(),
    ),
  },
  { requiredKeys: [] },
);
const reply = fc.oneof(
  fc.array(entry).map((verdicts) => JSON.stringify({ verdicts })),
  fc
    .array(entry, { minLength: 1 })
    .map((verdicts) => JSON.stringify({ verdicts: [...verdicts, { id: "c2", class: "out" }], more: verdicts })),
  fc.json(),
  fc.string({ unit: "binary" }),
  fc.constantFrom(...INJECTIONS, "```json\n{}\n```", "<html></html>", " ".repeat(1_000)),
);

test("property: for any reply, verdicts are about given candidates, and reasons are short safe lines", async () => {
  await fc.assert(
    fc.asyncProperty(reply, reply, async (first, second) => {
      const memory = memoryOf();
      const { judge } = judgeOn(
        toldModel((_, call) => (call === 0 ? first : second)),
        { memory },
      );
      const { outcome } = await drain(judge.judge(question(candidates(3)), NEVER));
      if (!outcome.ok) {
        expect(outcome.failure.kind).toBe("invalid");
        expect(memory.kept.size).toBe(0);
        return;
      }
      expect(outcome.verdicts.size).toBeGreaterThan(0);
      for (const [key, { class: verdict, reason }] of outcome.verdicts) {
        expect(["key 0", "key 1", "key 2"]).toContain(key);
        expect(["in", "out"]).toContain(verdict);
        expect(reason.length).toBeLessThanOrEqual(REASON_CHARS_MAX);
        expect<string>(display(reason)).toBe(reason);
      }
      // what is remembered says the same
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
