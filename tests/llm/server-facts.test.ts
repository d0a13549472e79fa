/** What servers say of themselves, version by version, and how a model is asked because of it. */
import { expect, jest, test } from "bun:test";
import { readBaseUrl } from "../../src/llm/base-url.ts";
import { MODEL_LIMITS } from "../../src/llm/limits.ts";
import { modelSource } from "../../src/llm/open-model.ts";
import { serverFacts } from "../../src/llm/server-facts.ts";
import { closedPort, type ServerSays, STAND_IN_MODEL, startOllama } from "../support/stand-in-ollama.ts";
import { LLAMA_SHOWN, LLAMA_UNKNOWN, saying, startOpenAi } from "../support/stand-in-openai.ts";

const NEVER = new AbortController().signal;
const REQUEST = { system: "s", prompt: "p", format: { type: "object" }, replyTokensMax: 50 };

function sourceAt(url: string, name = STAND_IN_MODEL) {
  const reading = readBaseUrl(url);
  if (!reading.ok) throw new Error(reading.why);
  return modelSource({
    ...{ name, baseUrl: reading.baseUrl, windowTokens: 8_192, limits: MODEL_LIMITS, apiKey: null },
    nowMs: () => performance.now(),
  });
}

/** What the server is asked for the first time, and after an unusable answer. */
async function askedOf(says: ServerSays) {
  await using server = await startOllama({ reply: () => "{}", says });
  const opened = await sourceAt(server.url).open(NEVER);
  if (!opened.ok) return opened.failure;
  for (const isRetry of [false, true]) {
    const talk = opened.model.generate({ ...REQUEST, ...(isRetry ? { isRetry } : {}) }, NEVER);
    while (!(await talk.next()).done);
  }
  const [first, second] = server.generations().map(({ body, options }) => {
    const { think } = Object.fromEntries(Object.entries(body ?? {}));
    return [think, options.num_predict];
  });
  const { windowTokens, digest } = opened.model;
  return { windowTokens, digest, first, second, num_ctx: server.generations()[0]?.options.num_ctx };
}

const info = (tokens: number) => ({ model_info: { "general.architecture": "qwen3", "qwen3.context_length": tokens } });

test.each<readonly [string, ServerSays, unknown]>([
  [
    "a plain model is not told about thinking",
    { show: { capabilities: ["completion"] }, digest: "sha256:one" },
    { windowTokens: 8_192, digest: "sha256:one", first: [undefined, 50], second: [undefined, 50], num_ctx: 8_192 },
  ],
  [
    "a model that thinks is told not to, and let think in a retry: old servers forget the format",
    { show: { capabilities: ["completion", "thinking"] }, version: "0.24.0" },
    expect.objectContaining({ first: [false, 50], second: [undefined, 562] }),
  ],
  [
    "gpt-oss cannot be kept from thinking, so it is told to be brief and gets room",
    { show: { capabilities: ["completion", "thinking"], details: { family: "gptoss" } } },
    expect.objectContaining({ first: ["low", 562], second: ["low", 562] }),
  ],
  [
    "a server that does not know capabilities",
    { show: { capabilities: undefined, model_info: undefined, details: undefined }, version: "0.5.1" },
    expect.objectContaining({ windowTokens: 8_192, first: [false, 50], second: [undefined, 562] }),
  ],
  [
    "a window smaller than the setting counts",
    { show: { ...info(2_048), capabilities: ["completion"] } },
    expect.objectContaining({ windowTokens: 2_048, num_ctx: 2_048 }),
  ],
  ["an embedding model is no judge", { show: { capabilities: ["embedding"] } }, { kind: "embeds-only" }],
  [
    "a server that is too busy to describe the model",
    { showFailure: { status: 503, error: "server busy, please try again" }, digest: "sha256:one" },
    { windowTokens: 8_192, digest: "sha256:one", first: [false, 50], second: [undefined, 562], num_ctx: 8_192 },
  ],
  [
    "a description that fails",
    { showFailure: { status: 500, error: "open manifest: input/output error" } },
    expect.objectContaining({ first: [false, 50], num_ctx: 8_192 }),
  ],
  [
    "nonsense",
    { show: { capabilities: "all", details: 7, model_info: [1] }, version: "x", digest: "" },
    expect.objectContaining({ windowTokens: 8_192 }),
  ],
])("%s", async (_, says, expected) => {
  expect<unknown>(await askedOf(says)).toEqual(expected);
});

test("llama.cpp's server says its build and the model's size, and nobody else is asked for them", async () => {
  const meta = { n_ctx: 4_096, n_ctx_train: 8_192, n_params: 134_515_008 };
  const found = async (owned_by: string, path: string) => {
    await using server = await startOpenAi(() => [], [{ id: "m", owned_by, meta }], {
      unknown: LLAMA_UNKNOWN,
      build: "b10488-1f3a",
    });
    const reading = readBaseUrl(`${server.url}${path}`);
    if (!reading.ok) throw new Error(reading.why);
    const facts = await serverFacts({ name: "m", baseUrl: reading.baseUrl, limits: MODEL_LIMITS }, NEVER);
    return [facts.ok ? facts.facts : facts.failure, server.paths.includes("/props")];
  };
  const llama = { kind: "openai", version: "llama.cpp b10488-1f3a", windowTokens: 4_096, parameters: "135M" };
  for (const path of ["", "/v1"]) expect(await found("llamacpp", path)).toMatchObject([llama, true]);
  expect(await found("vllm", "/v1")).toMatchObject([{ kind: "openai", version: null, parameters: "135M" }, false]);
});

test("a server of OpenAI's form that describes its model as Ollama does is asked in its own form", async () => {
  const models = [{ id: "m", owned_by: "llamacpp", meta: { n_ctx: 4_096 } }];
  await using server = await startOpenAi(() => saying("{}"), models, { unknown: LLAMA_UNKNOWN, shown: LLAMA_SHOWN });
  const opened = await sourceAt(server.url, "m").open(NEVER);
  const talk = opened.ok ? opened.model.generate(REQUEST, NEVER) : null;
  let step = await talk?.next();
  while (step?.done === false) step = await talk?.next();
  expect(step?.value).toMatchObject({ ok: true, reply: { text: "{}" } });
  expect(opened).toMatchObject({ model: { windowTokens: 4_096 } });
});

/**
 * What a paused server of llama.cpp's kind is taken for, and what it answers once it goes on. Time passes only while it is
 * paused.
 */
async function pausedAt(isPaused: (path: string) => boolean) {
  jest.useFakeTimers();
  using _ = { [Symbol.dispose]: () => void jest.useRealTimers() };
  let goesOn = false;
  const models = [{ id: "m" }, { id: "n" }];
  await using server = startOpenAi(() => saying("{}"), models, {
    unknown: LLAMA_UNKNOWN,
    paused(path) {
      if (goesOn || !isPaused(path)) return false;
      jest.advanceTimersByTime(5_000);
      return true;
    },
  });
  const opened = await sourceAt(server.url, "m").open(NEVER);
  if (!opened.ok) return opened.failure;
  goesOn = true;
  const talk = opened.model.generate(REQUEST, NEVER);
  for (;;) {
    const { done, value } = await talk.next();
    if (done) return value.ok ? value.reply.text : value.failure;
  }
}

test("a server that stops answering is not said to lack the model", async () => {
  expect(await pausedAt((path) => path !== "/api/show")).toMatchObject({ kind: "timeout" });
  expect(await pausedAt((path) => path === "/v1/models")).toMatchObject({ kind: "timeout" });
});

test("a server that was paused at the first question is known by the next, or refuses what it does not know", async () => {
  expect(await pausedAt((path) => path === "/api/show")).toBe("{}");
  expect(await pausedAt(() => true)).toEqual({ kind: "refused", status: 404, why: "File Not Found" });
});

test("no server, and no such model, are failures before anything is asked", async () => {
  const gone = await sourceAt(`http://127.0.0.1:${await closedPort()}`).open(NEVER);
  expect(gone).toMatchObject({ ok: false, failure: { kind: "unreachable" } });
  await using server = await startOllama({ reply: () => "{}" });
  expect(await sourceAt(server.url, "other:7b").open(NEVER)).toEqual({
    ok: false,
    failure: { kind: "missing-model", model: "other:7b" },
  });
  expect(server.generations()).toEqual([]);
});

test("a prompt that the server refuses as too long does not fit", async () => {
  const error = "the input length exceeds the context length";
  await using server = await startOllama({ reply: () => ({ kind: "error", status: 400, error }) });
  const opened = await sourceAt(server.url).open(NEVER);
  const talk = opened.ok ? opened.model.generate(REQUEST, NEVER) : null;
  expect((await talk?.next())?.value).toMatchObject({ ok: false, failure: { kind: "no-room", windowTokens: 8_192 } });
});
