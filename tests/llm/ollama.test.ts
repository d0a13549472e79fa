/**
 * A model on a server that does all that a server can do, on real connections: every fault is the failure it should be,
 * within its limit, and the connection is closed afterwards.
 */
import { expect, jest, test } from "bun:test";
import { readBaseUrl } from "../../src/llm/base-url.ts";
import { MODEL_LIMITS, type ModelLimits, wireBytesMax } from "../../src/llm/limits.ts";
import type { Model, ModelAnswer, ModelFailure } from "../../src/llm/model.ts";
import { openOllama } from "../../src/llm/ollama.ts";
import { shared } from "../support/shared.ts";
import type { Behaviour } from "../support/stand-in-behaviour.ts";
import { closedPort, STAND_IN_MODEL, startOllama } from "../support/stand-in-ollama.ts";

const server = shared(await startOllama({ reply: () => "{}" }));

const NEVER = new AbortController().signal;

/** A limit that runs out at once where the server hangs; all others are far. */
const SOON = 0.05;
const FAR: ModelLimits = {
  ...MODEL_LIMITS,
  connectSeconds: 300,
  firstTokenSeconds: 300,
  idleSeconds: 300,
  totalSeconds: 300,
};

const REQUEST = {
  system: "You sort.",
  prompt: "Sort these.",
  format: { type: "object", properties: { a: { type: "number" } } },
  replyTokensMax: 77,
};

function modelAt(url: string, limits: Partial<ModelLimits> = {}, name = STAND_IN_MODEL): Model {
  const reading = readBaseUrl(url);
  if (!reading.ok) throw new Error(reading.why);
  return openOllama({
    name,
    baseUrl: reading.baseUrl,
    windowTokens: 4096,
    think: false,
    digest: null,
    limits: { ...FAR, ...limits },
    nowMs: () => performance.now(),
    apiKey: "key",
  });
}

async function ask(
  model: Model,
  signal = NEVER,
): Promise<{ readonly pieces: readonly string[]; readonly answer: ModelAnswer }> {
  const pieces: string[] = [];
  const talk = model.generate(REQUEST, signal);
  for (;;) {
    const next = await talk.next();
    if (next.done === true) return { pieces, answer: next.value };
    pieces.push(next.value);
  }
}

async function failureWith(behaviour: Behaviour, limits: Partial<ModelLimits> = {}): Promise<ModelFailure> {
  server.answerWith(() => behaviour);
  const { answer } = await ask(modelAt(server.url, limits));
  if (answer.ok) throw new Error(`it replied ${answer.reply.text}`);
  expect(await server.allClosed()).toBe(true);
  return answer.failure;
}

test("a reply arrives in pieces and complete, with the server's counts", async () => {
  server.answerWith(() => '{"a": "é\u{1f600} b"}');
  const { pieces, answer } = await ask(modelAt(server.url));
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join("")).toBe('{"a": "é\u{1f600} b"}');
  expect(answer).toMatchObject({
    ok: true,
    reply: { text: '{"a": "é\u{1f600} b"}', promptTokens: 321, responseTokens: 4 },
  });
  expect(await server.allClosed()).toBe(true);
});

test("the request is the same every time", async () => {
  server.answerWith(() => "{}");
  await ask(modelAt(`${server.url}/behind/a/gateway/`));
  const request = server.requests.at(-1);
  expect(request?.path).toBe("/behind/a/gateway/api/chat");
  expect(request?.headers["user-agent"]).toBe("cra");
  expect(request?.headers.authorization).toBeUndefined();
  expect(request?.body).toEqual({
    model: STAND_IN_MODEL,
    messages: [
      { role: "system", content: REQUEST.system },
      { role: "user", content: REQUEST.prompt },
    ],
    format: REQUEST.format,
    stream: true,
    think: false,
    truncate: false,
    shift: false,
    keep_alive: "10m",
    options: { temperature: 0, seed: 1, num_ctx: 4096, num_predict: 77 },
  });
});

test("nothing is sent until the model is asked", async () => {
  const before = server.requests.length;
  modelAt(server.url).generate(REQUEST, new AbortController().signal);
  expect(server.requests.length).toBe(before);
});

/** Stops all timers, here and in the server; time passes only by `pass`, so a busy machine changes nothing. */
function stoppedClock(): Disposable & { pass(seconds: number): void } {
  jest.useFakeTimers();
  return {
    pass: (seconds) => void jest.advanceTimersByTime(seconds * 1000),
    [Symbol.dispose]: () => void jest.useRealTimers(),
  };
}

test("loading the model is not a hang: only the first piece can take that long", async () => {
  using clock = stoppedClock();
  const loading = Promise.withResolvers<void>();
  server.answerWith(() => {
    loading.resolve();
    return { kind: "text", text: "abc", loadMs: 20_000 };
  });
  const asked = ask(modelAt(server.url, { connectSeconds: 10, idleSeconds: 0.1 }));
  await loading.promise;
  clock.pass(20);
  expect((await asked).answer).toMatchObject({ ok: true, reply: { text: "abc" } });
});

test("a slow reply is accepted while it continues", async () => {
  using clock = stoppedClock();
  server.answerWith(() => ({ kind: "text", text: "abcd", pieces: 4, everyMs: 4_000 }));
  const talk = modelAt(server.url, { idleSeconds: 5, firstTokenSeconds: 5 }).generate(REQUEST, NEVER);
  let next = await talk.next();
  for (const letter of "abcd") {
    expect(next.value).toBe(letter);
    const asked = talk.next();
    await new Promise(setImmediate); // Now the idle limit runs.
    clock.pass(4);
    next = await asked;
  }
  expect(next.value).toMatchObject({ ok: true, reply: { text: "abcd" } });
});

test("time spent by the caller does not count for the server", async () => {
  using clock = stoppedClock();
  server.answerWith(() => ({ kind: "text", text: "abcdefghijklmn", pieces: 14 }));
  const talk = modelAt(server.url, { idleSeconds: 0.3 }).generate(REQUEST, NEVER);
  expect((await talk.next()).value).toBe("a");
  expect((await talk.next()).value).toBe("b");
  clock.pass(20);
  let last = await talk.next();
  while (last.done !== true) last = await talk.next();
  expect(last.value).toMatchObject({ ok: true, reply: { text: "abcdefghijklmn" } });
});

test("no server", async () => {
  const port = await closedPort();
  const { answer } = await ask(modelAt(`http://127.0.0.1:${port}`));
  expect(answer).toMatchObject({ ok: false, failure: { kind: "unreachable", why: "connection refused" }, partial: "" });
});

test("a server that does not speak https, in words", async () => {
  const plain = { "it does not speak https": "HTTP/1.1 400 Bad Request\r\n\r\n", "the connection was closed": "" };
  for (const [why, answered] of Object.entries(plain)) {
    using answering = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end(answered) },
    });
    const { answer } = await ask(modelAt(`https://127.0.0.1:${answering.port}`));
    expect(answer).toMatchObject({ ok: false, failure: { kind: "unreachable", why }, partial: "" });
  }
});

test("unknown host", async () => {
  const { answer } = await ask(modelAt("http://no-such-host.invalid:11434", { connectSeconds: 2 }));
  // A machine without any name service may leave the question open.
  expect(answer.ok ? "" : answer.failure.kind).toMatch(/^(?:unreachable|timeout)$/);
});

test("a connection that is not established", async () => {
  // The server waits for a request where this side waits for the server's part of the encryption.
  const { answer } = await ask(modelAt(server.url.replace("http:", "https:"), { connectSeconds: SOON }));
  expect(answer).toMatchObject({ ok: false, failure: { kind: "timeout", limit: "connect", seconds: SOON } });
  expect(await server.allClosed()).toBe(true);
});

const SWITCHED = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
const OTHER_PROTOCOL: ModelFailure = { kind: "broken-off", why: "it switched to another protocol" };

const HTML = "<html><body>It works!</body></html>";

const FAULTS: readonly (readonly [string, Behaviour, ModelFailure, Partial<ModelLimits>?])[] = [
  [
    "silence before the headers",
    { kind: "hang-before-headers" },
    { kind: "timeout", limit: "first-token", seconds: SOON },
    { firstTokenSeconds: SOON },
  ],
  [
    "silence before the first token",
    { kind: "hang-before-token" },
    { kind: "timeout", limit: "first-token", seconds: SOON },
    { firstTokenSeconds: SOON },
  ],
  [
    "silence in the reply",
    { kind: "hang-after", text: "so far" },
    { kind: "timeout", limit: "idle", seconds: SOON },
    { idleSeconds: SOON },
  ],
  [
    "a drip that would take too long",
    { kind: "text", text: "a".repeat(999), pieces: 999, everyMs: 10 },
    { kind: "timeout", limit: "total", seconds: 0.2 },
    { totalSeconds: 0.2 },
  ],
  ["blanks without end", { kind: "whitespace" }, { kind: "overlong", bytes: 204 }],
  ["a reply cut by num_predict", { kind: "text", text: "cut", doneReason: "length" }, { kind: "overlong", bytes: 3 }],
  [
    "thoughts alone until num_predict",
    { kind: "text", text: "", doneReason: "length" },
    { kind: "no-text", why: 'it ended with "length"' },
  ],
  [
    "a reply that is too long",
    { kind: "text", text: "abcdef", pieces: 6 },
    { kind: "overlong", bytes: 5 },
    { replyBytesMax: 4 },
  ],
  ["a reply of nothing", { kind: "text", text: "" }, { kind: "no-text", why: 'it ended with "stop"' }],
  [
    "an error in the stream",
    { kind: "error-line", after: "so far", error: "out of memory" },
    { kind: "refused", status: 200, why: "out of memory" },
  ],
  [
    "an error before the stream",
    { kind: "error-line", error: "out of\u001b[31m memory" },
    { kind: "refused", status: 200, why: "out of\\x1b[31m memory" },
  ],
  ["500", { kind: "error", status: 500, error: "it crashed" }, { kind: "refused", status: 500, why: "it crashed" }],
  ["400", { kind: "error", status: 400, error: "no chat" }, { kind: "refused", status: 400, why: "no chat" }],
  [
    "404",
    { kind: "error", status: 404, error: "model 'x' not found" },
    { kind: "missing-model", model: STAND_IN_MODEL },
  ],
  [
    "404 of another server",
    { kind: "body", status: 404, type: "text/plain; charset=utf-8", body: "404 page\nnot found" },
    { kind: "refused", status: 404, why: "404 page not found" },
  ],
  [
    "502 of a gateway",
    { kind: "body", status: 502, type: "text/html", body: HTML },
    { kind: "refused", status: 502, why: "its answer is not that of a model server" },
  ],
  [
    "a page that goes well",
    { kind: "body", type: "text/html", body: HTML },
    { kind: "broken-off", why: `a line of it is not valid for Ollama: ${HTML}` },
  ],
  ["no JSON", { kind: "body", body: "{]\n" }, { kind: "broken-off", why: "a line of it is not valid for Ollama: {]" }],
  ["no body", { kind: "body", body: "" }, { kind: "broken-off", why: "it ended before the model was done" }],
  [
    "an early end",
    { kind: "end-early", text: "so far" },
    { kind: "broken-off", why: "it ended before the model was done" },
  ],
  ["a connection closed", { kind: "close", text: "so far" }, { kind: "broken-off", why: "the connection was closed" }],
  ["a connection reset", { kind: "reset", text: "so far" }, { kind: "broken-off", why: "the connection was closed" }],
  ["a change of protocol", { kind: "bytes", bytes: `${SWITCHED}lines` }, OTHER_PROTOCOL],
  ["a change of protocol that stays open", { kind: "bytes", bytes: SWITCHED, open: true }, OTHER_PROTOCOL],
  [
    "an end before the head is whole",
    { kind: "bytes", bytes: "HTTP/1.1 200 OK\r\nConte" },
    { kind: "broken-off", why: "the connection was closed" },
  ],
  [
    "nothing but a go-ahead",
    { kind: "bytes", bytes: "HTTP/1.1 100 Continue\r\n\r\n" },
    { kind: "broken-off", why: "the connection was closed" },
  ],
  ["a reset before any token", { kind: "reset", text: "" }, { kind: "broken-off", why: "the connection was closed" }],
  [
    "hints without end that an answer will come",
    { kind: "bytes", bytes: "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1_000), open: true },
    { kind: "broken-off", why: "it sent only hints that an answer will come" },
    { firstTokenSeconds: 5 },
  ],
  ["no answer", { kind: "bytes", bytes: "" }, { kind: "broken-off", why: "the connection was closed" }],
  ["no HTTP", { kind: "bytes", bytes: "SSH-2.0-OpenSSH\r\n" }, { kind: "broken-off", why: "its answer is not HTTP" }],
];

for (const [name, behaviour, failure, limits] of FAULTS) {
  test(name, async () => expect(await failureWith(behaviour, limits)).toEqual(failure));
}

test("a model that the server does not have", async () => {
  server.answerWith(() => "{}");
  const { answer } = await ask(modelAt(server.url, {}, "other:7b"));
  expect(answer).toMatchObject({ ok: false, failure: { kind: "missing-model", model: "other:7b" } });
});

test("the partial reply is kept", async () => {
  const read = Promise.withResolvers<void>();
  server.answerWith(() => ({ kind: "reset", text: "so far", when: read.promise }));
  const talk = modelAt(server.url).generate(REQUEST, NEVER);
  expect((await talk.next()).value).toBe("so far");
  read.resolve();
  expect((await talk.next()).value).toMatchObject({ ok: false, partial: "so far" });
});

test.each([301, 302, 303, 307, 308])("a redirect with %p is not followed", async (status) => {
  await using target = await startOllama({ reply: () => "{}" });
  const failure = await failureWith({ kind: "redirect", to: `${target.url}/api/chat`, status });
  expect(failure).toEqual({ kind: "redirected" });
  expect(target.requests).toEqual([]);
});

test.each(["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])("%s does not see the prompt", async (name) => {
  await using proxy = await startOllama({ reply: () => "{}" });
  server.answerWith(() => "{}");
  const before = process.env[name];
  process.env[name] = proxy.url;
  try {
    // The global fetch does go there, so that this test can fail.
    await (await fetch(`${server.url}/api/version`)).text();
    expect(proxy.requests).toHaveLength(1);
    const { answer } = await ask(modelAt(server.url));
    expect(answer.ok).toBe(true);
    expect(proxy.requests).toHaveLength(1);
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
});

const HUGE = 100 * 1024 * 1024;
/** What systems hold back between two sockets, both sides. */
const IN_FLIGHT_MAX = 16 * 1024 * 1024;

test.each([
  ["a reply", { kind: "flood", bytes: HUGE }],
  ["a line", { kind: "flood", bytes: HUGE, oneLine: true }],
  ["an error", { kind: "body", status: 500, type: "text/plain", body: "x".repeat(65_536), endless: true }],
  ["a body of line ends", { kind: "body", body: "\n".repeat(65_536), endless: true }],
] satisfies readonly (readonly [string, Behaviour])[])("%s of any length is read to a bound", async (_, behaviour) => {
  const before = server.bytesWritten();
  const failure = await failureWith(behaviour);
  expect(["overlong", "refused"]).toContain(failure.kind);
  expect(server.bytesWritten() - before).toBeLessThan(wireBytesMax(FAR) + IN_FLIGHT_MAX);
});

test.each([
  ["before the headers", { kind: "hang-before-headers" }],
  ["in the reply", { kind: "hang-after", text: "so far" }],
  ["in a flood", { kind: "whitespace" }],
] satisfies readonly (readonly [string, Behaviour])[])(
  "the signal ends a call %s, and closes it",
  async (_, behaviour) => {
    server.answerWith(() => behaviour);
    const controller = new AbortController();
    const reason = new Error("stop");
    const asked = ask(modelAt(server.url, { blanksMax: 1_000_000, replyBytesMax: 100_000_000 }), controller.signal);
    setTimeout(() => controller.abort(reason), 40);
    expect(await asked.catch((error: unknown) => error)).toBe(reason);
    expect(await server.allClosed()).toBe(true);
  },
);

test("consecutive blanks are counted across pieces", async () => {
  const blanks = " ".repeat(199);
  server.answerWith(() => ({ kind: "text", text: `a${blanks}b${blanks}c`, pieces: 67 }));
  expect((await ask(modelAt(server.url))).answer.ok).toBe(true);
  expect(await failureWith({ kind: "text", text: `a${blanks}  b`, pieces: 67 })).toMatchObject({ kind: "overlong" });
});

test("a lone surrogate in a reply is replaced, because it cannot be stored", async () => {
  server.answerWith(() => ({ kind: "body", body: '{"message":{"content":"a\\ud83d"},"done":true}\n' }));
  const { answer } = await ask(modelAt(server.url));
  expect(answer).toMatchObject({ ok: true, reply: { text: "a\ufffd", promptTokens: null, responseTokens: null } });
});

test("a signal ends a call whenever it fires", async () => {
  server.answerWith(() => ({ kind: "hang-before-headers" }));
  for (let ticks = 0; ticks < 60; ticks += 3) {
    const controller = new AbortController();
    const reason = new Error("stop");
    const asked = ask(modelAt(server.url.replace("127.0.0.1", "localhost")), controller.signal);
    const outcome = asked.catch((error: unknown) => error);
    for (let tick = 0; tick < ticks; tick++) await (tick < 30 ? Promise.resolve() : new Promise(setImmediate));
    controller.abort(reason);
    expect(await outcome).toBe(reason);
  }
  expect(await server.allClosed()).toBe(true);
});

test("a signal ends a call whose reply is already there", async () => {
  server.answerWith(() => ({ kind: "text", text: "abcdef", pieces: 6 }));
  const controller = new AbortController();
  const talk = modelAt(server.url).generate(REQUEST, controller.signal);
  expect((await talk.next()).value).toBe("a");
  await Bun.sleep(50);
  const reason = new Error("stop");
  controller.abort(reason);
  expect(await talk.next().catch((error: unknown) => error)).toBe(reason);
});

test("with an aborted signal, nothing is sent", async () => {
  const before = server.requests.length;
  const reason = new Error("stop");
  const asked = ask(modelAt(server.url), AbortSignal.abort(reason));
  expect(await asked.catch((error: unknown) => error)).toBe(reason);
  expect(server.requests.length).toBe(before);
});

test("a consumer that stops closes the connection", async () => {
  server.answerWith(() => ({ kind: "hang-after", text: "so far" }));
  for await (const piece of modelAt(server.url).generate(REQUEST, new AbortController().signal)) {
    expect(piece).toBe("so far");
    break;
  }
  expect(await server.allClosed()).toBe(true);
});
