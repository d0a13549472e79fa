/** Servers of OpenAI's form: how they are found, asked and read. */
import { expect, test } from "bun:test";
import { readBaseUrl } from "../../src/llm/base-url.ts";
import { MODEL_LIMITS } from "../../src/llm/limits.ts";
import type { ModelAnswer } from "../../src/llm/model.ts";
import { modelFailureWords } from "../../src/llm/model-failure.ts";
import { modelSource } from "../../src/llm/open-model.ts";
import { type CompletionReply, delta, LLAMA_UNKNOWN, saying, startOpenAi, stop } from "../support/stand-in-openai.ts";

const NEVER = new AbortController().signal;
const MODELS = [{ id: "qwen", max_model_len: 4_096 }, { id: "other" }];
const REQUEST = { system: "You sort.", prompt: "Sort.", format: { type: "object" }, replyTokensMax: 33 };

function sourceAt(url: string, name = "qwen", limits = MODEL_LIMITS) {
  const reading = readBaseUrl(url);
  if (!reading.ok) throw new Error(reading.why);
  return modelSource({
    ...{ name, baseUrl: reading.baseUrl, windowTokens: 8_192, limits, apiKey: "secret" },
    nowMs: () => performance.now(),
  });
}

async function answered(
  reply: CompletionReply,
  path = "",
): Promise<{ readonly answer: ModelAnswer; readonly bodies: readonly unknown[] }> {
  await using server = startOpenAi(reply, MODELS);
  const opened = await sourceAt(`${server.url}${path}`).open(NEVER);
  if (!opened.ok) throw new Error(opened.failure.kind);
  const talk = opened.model.generate(REQUEST, NEVER);
  for (;;) {
    const step = await talk.next();
    if (step.done) {
      for (const { headers } of server.completions) expect(headers.authorization).toBeUndefined();
      return { answer: step.value, bodies: server.completions.map(({ body }) => body) };
    }
  }
}

test.each(["", "/v1"])("a server is found at its address, with the version in it or not: %j", async (path) => {
  const { answer, bodies } = await answered(() => saying('{"a":1}'), path);
  expect(answer).toMatchObject({
    ok: true,
    reply: { text: '{"a":1}', promptTokens: 11, responseTokens: 7, time: { promptTokens: 11, answerTokens: 7 } },
  });
  expect(bodies).toEqual([
    {
      model: "qwen",
      messages: [
        { role: "system", content: "You sort." },
        { role: "user", content: "Sort." },
      ],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      seed: 1,
      max_tokens: 33,
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", strict: true, schema: { type: "object" } },
      },
    },
  ]);
});

test("a retry has room for the thoughts of a model that thinks", async () => {
  await using server = startOpenAi(() => saying("{}"), MODELS);
  const opened = await sourceAt(server.url).open(NEVER);
  const talk = opened.ok ? opened.model.generate({ ...REQUEST, isRetry: true }, NEVER) : null;
  while ((await talk?.next())?.done === false);
  expect(server.completions.map(({ body }) => body.max_tokens)).toEqual([33 + 512]);
});

test("the window is the one that the server gives the model", async () => {
  await using server = startOpenAi(() => saying("{}"), MODELS);
  const opened = await sourceAt(server.url).open(NEVER);
  expect(opened).toMatchObject({ ok: true, model: { windowTokens: 4_096, digest: null } });
  expect(server.completions).toEqual([]);
});

test("a model that the server does not list is missing; a server of one model answers under any name", async () => {
  await using server = startOpenAi(() => saying("{}"), MODELS);
  expect(await sourceAt(server.url, "none").open(NEVER)).toMatchObject({ failure: { kind: "missing-model" } });
  await using single = startOpenAi(() => saying("{}"), [{ id: "/models/qwen.gguf", meta: { n_ctx: 2_048 } }]);
  expect(await sourceAt(single.url, "any").open(NEVER)).toMatchObject({ ok: true, model: { windowTokens: 2_048 } });
});

test("a server that knows nothing of Ollama's paths is found, and a model that it does not list is missing", async () => {
  await using server = startOpenAi(() => saying("{}"), MODELS, { unknown: LLAMA_UNKNOWN });
  expect(await sourceAt(server.url).open(NEVER)).toMatchObject({ ok: true, model: { windowTokens: 4_096 } });
  expect(await sourceAt(server.url, "missing").open(NEVER)).toMatchObject({ failure: { kind: "missing-model" } });
});

test("a model that the server does not list is answered with those that it does, and not with Ollama's command", async () => {
  await using server = startOpenAi(() => saying("{}"), MODELS);
  const opened = await sourceAt(server.url, "none").open(NEVER);
  if (opened.ok) throw new Error("it has no such model");
  expect(modelFailureWords(opened.failure, { name: "none", baseUrl: "http://h" })).toEqual({
    why: "the server at http://h has no model none",
    next: "name one of its models with --model: qwen, other",
  });
});

test.each(["", "/v1"])("a server that loads its model is waited for: %j", async (path) => {
  await using server = startOpenAi(() => saying("{}"), MODELS, { unknown: LLAMA_UNKNOWN, loading: 3 });
  expect(await sourceAt(`${server.url}${path}`).open(NEVER)).toMatchObject({
    ok: true,
    model: { windowTokens: 4_096 },
  });
});

test("a server of one model that refuses another name is answered with the name that it has", async () => {
  const error = { message: "The model `qwen3:8b` does not exist.", type: "NotFoundError", param: "model", code: 404 };
  await using server = startOpenAi(() => Response.json({ error }, { status: 404 }), [{ id: "Qwen/Qwen3-8B" }]);
  const opened = await sourceAt(server.url, "qwen3:8b").open(NEVER);
  const talk = opened.ok ? opened.model.generate(REQUEST, NEVER) : null;
  const step = await talk?.next();
  expect(step?.value).toMatchObject({
    ok: false,
    failure: { kind: "missing-model", model: "qwen3:8b", listed: ["Qwen/Qwen3-8B"] },
  });
});

test.each<readonly [string, number, string, unknown]>([
  [
    "an error that is the whole document",
    500,
    '{"object":"error","message":"CUDA out of memory","type":"InternalServerError","param":null,"code":500}',
    { kind: "refused", status: 500, why: "CUDA out of memory" },
  ],
  [
    "a prompt that is too long for the model",
    400,
    `{"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","code":400}`,
    { kind: "no-room", windowTokens: 4_096 },
  ],
  ["a missing key", 401, '{"detail":"Invalid API key"}', { kind: "refused", status: 401, why: "Invalid API key" }],
  [
    "a gateway",
    502,
    "<html></html>",
    { kind: "refused", status: 502, why: "its answer is not that of a model server" },
  ],
])("the words of a refusal are read: %s", async (_, status, body, failure) => {
  const headers = { "content-type": body.startsWith("{") ? "application/json" : "text/html" };
  const { answer } = await answered(() => new Response(body, { status, headers }));
  expect(answer).toMatchObject({ ok: false, failure });
});

test("the wait for a server that loads its model ends with the limit of a first token, and can be cancelled", async () => {
  await using server = startOpenAi(() => saying("{}"), MODELS, { loading: Number.POSITIVE_INFINITY });
  const limits = { ...MODEL_LIMITS, firstTokenSeconds: 0.3 };
  expect(await sourceAt(server.url, "qwen", limits).open(NEVER)).toMatchObject({
    failure: { kind: "refused", status: 503 },
  });
  const stop = new AbortController();
  const opening = sourceAt(server.url).open(stop.signal);
  stop.abort(new Error("enough"));
  expect(opening).rejects.toThrow("enough");
  await opening.catch(() => undefined);
});

test("an event that has no choices but counts tokens is read, also where it says null", async () => {
  const counts = '{"choices":null,"usage":{"prompt_tokens":11,"completion_tokens":7}}';
  const { answer } = await answered(() => [delta("{}"), stop(), counts, "[DONE]"]);
  expect(answer).toMatchObject({ ok: true, reply: { text: "{}", promptTokens: 11, responseTokens: 7 } });
});

test("a server without schemas is asked once more without one", async () => {
  const refusal = { error: { message: "'response_format.type' must be 'text'" } };
  const { answer, bodies } = await answered(({ body }) =>
    "response_format" in body ? Response.json(refusal, { status: 400 }) : saying('{"a":1}'),
  );
  expect(answer).toMatchObject({ ok: true });
  expect(bodies).toHaveLength(2);
});

test.each<readonly [string, CompletionReply, unknown]>([
  [
    "an error in the stream",
    () => [delta("{"), '{"error":{"message":"out of memory"}}'],
    { kind: "refused", why: "out of memory" },
  ],
  [
    "an error before it",
    () => Response.json({ error: { message: "busy" } }, { status: 503 }),
    { kind: "refused", status: 503, why: "busy" },
  ],
  [
    "a context that is too small",
    () => Response.json({ error: { message: "exceeds the available context size" } }, { status: 400 }),
    { kind: "no-room" },
  ],
  ["a stream that ends too early", () => [delta("{")], { kind: "broken-off" }],
  ["an answer cut off", () => [delta("{"), stop("length")], { kind: "overlong" }],
  ["thoughts alone until the limit", () => [stop("length")], { kind: "no-text", why: 'it ended with "length"' }],
  ["blanks without end", () => [delta("{"), ...Array(9).fill(delta(" ".repeat(50)))], { kind: "overlong", bytes: 251 }],
  ["more bytes than letters", () => Array(50).fill(delta("ä".repeat(999))), { kind: "overlong", bytes: 65_934 }],
  ["nothing", () => [stop()], { kind: "no-text" }],
  ["no event", () => new Response("<html>\n"), { kind: "broken-off" }],
  ["an event that is none", () => ["[1]"], { kind: "broken-off" }],
])("%s is a failure", async (_, reply, failure) => {
  const { answer } = await answered(reply);
  expect(answer).toMatchObject({ ok: false, failure });
});

test("comments and thoughts in the stream are no text", async () => {
  const { answer } = await answered(
    () =>
      new Response(
        `: keep-alive\n\nevent: x\ndata: {"choices":[{"delta":{"reasoning_content":"hm"}}]}\n\ndata: ${delta("{}")}\n\ndata: ${stop()}\n\ndata: [DONE]\n\n`,
      ),
  );
  expect(answer).toMatchObject({ ok: true, reply: { text: "{}", promptTokens: null } });
});

// The specification of event streams allows both, and JSON allows separators of lines in a text.
test.each(["\r\n", "\n"])("events may end in %j, and a text may hold any character of JSON", async (end) => {
  const said = `{"a":"one\u2028two"}`;
  const { answer } = await answered(
    () => new Response([...saying(said).map((data) => `data: ${data}`), ""].join(end + end)),
  );
  expect(answer).toMatchObject({ ok: true, reply: { text: said, promptTokens: 11 } });
});
