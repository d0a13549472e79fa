/**
 * An embedding model on a server that does all that a server can do, on real connections: vectors are what they should
 * be or there is a failure, within its limit, and the connection is closed afterwards.
 */
import { expect, test } from "bun:test";
import { createServer, type RequestListener } from "node:http";
import { readBaseUrl } from "../../src/llm/base-url.ts";
import type { EmbedAnswer } from "../../src/llm/embedder.ts";
import { MODEL_LIMITS, type ModelLimits } from "../../src/llm/limits.ts";
import type { ModelFailure } from "../../src/llm/model.ts";
import { modelFailureSentence } from "../../src/llm/model-failure.ts";
import { ollamaEmbedder, openOllamaEmbedder } from "../../src/llm/ollama-embed.ts";
import { shared } from "../support/shared.ts";
import { vectorOf } from "../support/stand-in-embed.ts";
import { closedPort, type EmbedReply, STAND_IN_MODEL, startOllama } from "../support/stand-in-ollama.ts";

const server = shared(await startOllama({ reply: () => "{}" }));

const GIVING: EmbedReply = (_, texts) => texts.map((text) => vectorOf(text, 8));
const FAR: ModelLimits = {
  ...MODEL_LIMITS,
  connectSeconds: 300,
  firstTokenSeconds: 300,
  idleSeconds: 300,
  totalSeconds: 300,
};

function embedderAt(url: string, limits: Partial<ModelLimits> = {}, name = STAND_IN_MODEL) {
  const reading = readBaseUrl(url);
  if (!reading.ok) throw new Error(reading.why);
  return openOllamaEmbedder({ name, baseUrl: reading.baseUrl, limits: { ...FAR, ...limits } });
}

const never = (): AbortSignal => new AbortController().signal;

async function failureWith(embed: EmbedReply, limits: Partial<ModelLimits> = {}): Promise<ModelFailure> {
  server.embedWith(embed);
  const answer = await embedderAt(server.url, limits).embed(["one", "two"], never());
  expect(await server.allClosed()).toBe(true);
  return failureIn(answer);
}

function failureIn(answer: EmbedAnswer): ModelFailure {
  if (answer.ok) throw new Error(`it gave ${answer.vectors.length} vectors`);
  return answer.failure;
}

test("each text gets a vector, in order, by Ollama's protocol", async () => {
  server.embedWith(GIVING);
  const answer = await embedderAt(`${server.url}/behind/a/gateway/`).embed(["the cat", "a dog"], never());
  if (!answer.ok) throw new Error(answer.failure.kind);
  expect(answer.vectors.map((vector) => [...vector])).toEqual(
    ["the cat", "a dog"].map((text) => [...Float32Array.from(vectorOf(text, 8))]),
  );
  const request = server.embeddings().at(-1);
  expect(request?.path).toBe("/behind/a/gateway/api/embed");
  expect(request?.method).toBe("POST");
  expect(request?.headers["user-agent"]).toBe("cra");
  expect(request?.body).toEqual({ model: STAND_IN_MODEL, input: ["the cat", "a dog"], truncate: true });
  expect(await server.allClosed()).toBe(true);
});

test("many and long texts are sent in bounded calls, and no text sends nothing", async () => {
  server.embedWith(GIVING);
  const before = server.embeddings().length;
  const texts = Array.from({ length: 70 }, (_, at) => `${at} ${"x".repeat(at % 10 === 0 ? 50_000 : 10)}\ud800`);
  const answer = await embedderAt(server.url).embed(texts, never());
  expect(answer.ok && answer.vectors.length).toBe(70);
  const asked = server
    .embeddings()
    .slice(before)
    .map(({ body }) => JSON.stringify(body));
  expect(asked.length).toBe(3);
  for (const body of asked) expect(body.length).toBeLessThan(140_000);
  expect(asked.join("")).not.toContain("\\ud800");
  expect(await embedderAt(server.url).embed([], never())).toEqual({ ok: true, vectors: [] });
  expect(server.embeddings().length).toBe(before + 3);
});

test("a blank text is sent as a placeholder", async () => {
  server.embedWith((_, texts) => texts.map((text) => (text.trim() === "" ? [0, 0] : [1, 0])));
  expect((await embedderAt(server.url).embed([" \n"], never())).ok).toBe(true);
});

const REFUSED: readonly (readonly [string, EmbedReply, RegExp])[] = [
  ["too few", () => [[1, 2]], /2 texts were given and 1 vectors came/],
  ["too many", () => [[1], [2], [3]], /2 texts were given and 3 vectors came/],
  ["none", () => [], /2 texts were given and 0 vectors came/],
  ["of several lengths", () => [[1, 2], [1]], /vectors of 2 and of 1 numbers/],
  ["empty", () => [[], []], /embeddings\.0/],
  [
    "with a hole, as NaN is written in JSON",
    () => [
      [1, null],
      [1, 2],
    ],
    /embeddings\.0\.1/,
  ],
  [
    "all zeros",
    () => [
      [0, 0],
      [1, 2],
    ],
    /all zeros/,
  ],
  [
    "larger than a float",
    () => [
      [1e39, 0],
      [1, 2],
    ],
    /finite/,
  ],
  ["too long", () => [new Array<number>(8_193).fill(1), new Array<number>(8_193).fill(1)], /embeddings\.0/],
  ["infinite", () => ({ kind: "body", body: '{"embeddings": [[1e999, 0], [1, 2]]}' }), /embeddings\.0\.0|finite/],
  ["not numbers", () => ({ kind: "body", body: '{"embeddings": [["a"], ["b"]]}' }), /embeddings\.0\.0/],
  ["under another name", () => ({ kind: "body", body: '{"embedding": [1, 2]}' }), /embeddings/],
  ["no JSON", () => ({ kind: "body", body: "<html>\u001b[2J" }), /it is not JSON: <html>\\x1b/],
  ["nothing", () => ({ kind: "body", body: "" }), /it is not JSON/],
  [
    "in lists without end",
    () => ({ kind: "body", body: `{"embeddings": [[1, 2], [1, 2]], "more": ${"[".repeat(200)}${"]".repeat(200)}}` }),
    /it is nested more than 100 levels deep/,
  ],
];
for (const [what, embed, said] of REFUSED)
  test(`vectors that are ${what} are a failure`, async () => {
    const failure = await failureWith(embed);
    expect(failure).toMatchObject({ kind: "invalid", why: expect.stringMatching(said) });
  });

test("a server that refuses, redirects, breaks off or is missing is a failure", async () => {
  expect(
    await failureWith(() => ({ kind: "error", status: 400, error: "this model does not support embeddings" })),
  ).toEqual({ kind: "refused", status: 400, why: "this model does not support embeddings" });
  expect(await failureWith(() => ({ kind: "redirect", to: "http://127.0.0.1:1/" }))).toEqual({ kind: "redirected" });
  expect((await failureWith(() => ({ kind: "reset", text: "" }))).kind).toBe("broken-off");
  expect((await failureWith(() => ({ kind: "bytes", bytes: "no http\r\n\r\n" }))).kind).toBe("broken-off");
  server.embedWith(GIVING);
  const missing = await embedderAt(server.url, {}, "other:1b").embed(["a"], never());
  expect(failureIn(missing)).toEqual({ kind: "missing-model", model: "other:1b" });
  const absent = await embedderAt(`http://127.0.0.1:${await closedPort()}`).embed(["a"], never());
  expect(failureIn(absent)).toEqual({ kind: "unreachable", why: "connection refused" });
});

test("time and bytes are bounded", async () => {
  expect(await failureWith(() => ({ kind: "hang-before-headers" }), { firstTokenSeconds: 0.05 })).toEqual({
    kind: "timeout",
    limit: "first-token",
    seconds: 0.05,
  });
  expect(await failureWith(() => ({ kind: "hang-after", text: "x" }), { idleSeconds: 0.05 })).toEqual({
    kind: "timeout",
    limit: "idle",
    seconds: 0.05,
  });
  const endless = await failureWith(() => ({ kind: "body", body: "[".repeat(65_536), endless: true }));
  expect(endless.kind).toBe("overlong");
});

test("a signal ends a call, before and in the middle", async () => {
  server.embedWith(() => ({ kind: "hang-before-headers" }));
  const stop = new AbortController();
  const asked = embedderAt(server.url).embed(["a"], stop.signal);
  setTimeout(() => stop.abort(new Error("enough")), 30);
  await expect(asked).rejects.toThrow("enough");
  expect(await server.allClosed()).toBe(true);
  const before = server.embeddings().length;
  await expect(embedderAt(server.url).embed(["a"], AbortSignal.abort(new Error("never")))).rejects.toThrow("never");
  expect(server.embeddings().length).toBe(before);
});

test("the message of a failure names the option that selects another model", () => {
  const asked = { name: "m", baseUrl: "http://127.0.0.1:11434", flag: "--embedding-model" } as const;
  expect(modelFailureSentence({ kind: "invalid", why: "w" }, asked)).toEndWith("try another --embedding-model");
  expect(modelFailureSentence({ kind: "invalid", why: "w" }, { ...asked, name: "n" })).toContain("reply of n");
});

test("its vectors are stored under the weights that the server has, and under its name where it does not say", async () => {
  const stored = async (name: string, url: string) => (await sourceAt(url, name).open(never())).storedAs;
  await using tagged = await startOllama({ reply: () => "{}", models: ["nomic:latest"] });
  expect(await stored(STAND_IN_MODEL, server.url)).toBe(`${STAND_IN_MODEL}@baf6a787fdffd633`);
  expect(await stored("nomic", tagged.url)).toBe("nomic@baf6a787fdffd633");
  expect(await stored("unlisted", server.url)).toBe("unlisted");
  await using bare = await serverOf(({ url }, answer) => answer.writeHead(404).end(url));
  expect(await stored(STAND_IN_MODEL, bare.url)).toBe(STAND_IN_MODEL);
});

test("a server that does not say which weights it has, as it does not answer, is not asked for vectors", async () => {
  const answer = async (url: string, limits: Partial<ModelLimits> = {}) =>
    failureIn(await (await sourceAt(url, "m", limits).open(never())).embed(["one"], never())).kind;
  expect(await answer(`http://127.0.0.1:${await closedPort()}`)).toBe("unreachable");
  const asked: unknown[] = [];
  await using silent = await serverOf(({ url }) => void asked.push(url));
  expect(await answer(silent.url, { firstTokenSeconds: 0.2 })).toBe("timeout");
  expect(asked).toEqual(["/api/tags"]);
});

function sourceAt(url: string, name: string, limits: Partial<ModelLimits> = {}) {
  const reading = readBaseUrl(url);
  if (!reading.ok) throw new Error(reading.why);
  return ollamaEmbedder({ name, baseUrl: reading.baseUrl, limits: { ...FAR, ...limits } });
}

/** A server on a free port. */
async function serverOf(answer: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const listening = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resume) => listening.once("listening", resume));
  const address = listening.address();
  if (address === null || typeof address === "string") throw new Error("it listens on no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      listening.closeAllConnections();
      await new Promise((resume) => listening.close(resume));
    },
  };
}
