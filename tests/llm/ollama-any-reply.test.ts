/** Whatever a server sends, a call ends with a reply or a failure: it never throws, and never says more than its bounds. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { readBaseUrl } from "../../src/llm/base-url.ts";
import { MODEL_LIMITS } from "../../src/llm/limits.ts";
import type { ModelAnswer } from "../../src/llm/model.ts";
import { modelFailureSentence } from "../../src/llm/model-failure.ts";
import { openOllama } from "../../src/llm/ollama.ts";
import { display } from "../../src/text/display.ts";
import { anyCharacter } from "../support/any-character.ts";
import { shared } from "../support/shared.ts";
import type { Behaviour } from "../support/stand-in-behaviour.ts";
import { STAND_IN_MODEL, startOllama } from "../support/stand-in-ollama.ts";

const server = shared(await startOllama({ reply: () => "{}" }));

const LIMITS = { ...MODEL_LIMITS, replyBytesMax: 200 };

async function answerTo(behaviour: Behaviour): Promise<{ readonly answer: ModelAnswer; readonly said: string }> {
  server.answerWith(() => behaviour);
  const reading = readBaseUrl(server.url);
  if (!reading.ok) throw new Error(reading.why);
  const model = openOllama({
    name: STAND_IN_MODEL,
    baseUrl: reading.baseUrl,
    windowTokens: 1024,
    think: null,
    digest: null,
    limits: LIMITS,
    nowMs: () => performance.now(),
    apiKey: null,
  });
  const request = { system: "", prompt: "", format: {}, replyTokensMax: 9 };
  const talk = model.generate(request, new AbortController().signal);
  let said = "";
  for (;;) {
    const next = await talk.next();
    if (next.done === true) return { answer: next.value, said };
    said += next.value;
  }
}

const bytes = fc.uint8Array({ maxLength: 300 });
const line = fc
  .oneof(
    fc
      .record({ message: fc.record({ content: fc.string({ unit: anyCharacter }) }), done: fc.boolean() })
      .map((of) => JSON.stringify(of)),
    fc
      .record(
        { message: fc.jsonValue(), done: fc.jsonValue(), error: fc.jsonValue(), eval_count: fc.jsonValue() },
        { requiredKeys: [] },
      )
      .map((of) => JSON.stringify(of)),
    fc.json(),
    fc.string({ unit: anyCharacter }),
  )
  .map((text) => `${text}\n`);
const body = fc.oneof(
  bytes,
  fc.array(line, { maxLength: 12 }).map((lines) => lines.join("")),
);
const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("body" as const),
      body,
      status: fc.constantFrom(200, 200, 201, 400, 404, 500),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("bytes" as const), bytes }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("bytes" as const),
      bytes: body.map((of) =>
        Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), Buffer.from(of)]),
      ),
    }),
  },
);

test("any reply ends with a result or a printable failure", async () => {
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(behaviour, async (of) => {
      const { answer, said } = await answerTo(of);
      const text = answer.ok ? answer.reply.text : answer.partial;
      kinds.add(answer.ok ? "reply" : answer.failure.kind);
      expect(text.startsWith(said.toWellFormed())).toBe(true);
      expect(Buffer.byteLength(said)).toBeLessThanOrEqual(LIMITS.replyBytesMax);
      if (answer.ok) expect(text).toBe(said.toWellFormed());
      else {
        const sentence = modelFailureSentence(answer.failure, { name: STAND_IN_MODEL, baseUrl: server.url });
        expect(String(display(sentence))).toBe(sentence);
      }
    }),
    { numRuns: 120, examples: [[{ kind: "text", text: "{}" }]] },
  );
  expect([...kinds].sort()).toEqual(expect.arrayContaining(["broken-off", "refused", "reply"]));
  expect(await server.allClosed()).toBe(true);
});
