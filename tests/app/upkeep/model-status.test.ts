/** What `cra status` and the terminal UI know of a model: from settings, the log, and its server. */
import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { modelStatus } from "../../../src/app/upkeep/model-status.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../../src/config/keys.ts";
import { openRawLog } from "../../../src/db/raw-log/open-raw-log.ts";
import type { RawLog } from "../../../src/db/raw-log/raw-log.ts";
import { StatusAnswer } from "../../../src/present/answers.ts";
import { pairs } from "../../../src/present/layout.ts";
import { modelStatusJson, modelStatusRows, modelStatusWords } from "../../../src/present/model-check-report.ts";
import { folder } from "../../db/folder.ts";
import { STAND_IN_MODEL, type StandInOptions, startOllama } from "../../support/stand-in-ollama.ts";

const NEVER = new AbortController().signal;
const SAYS: StandInOptions = {
  reply: () => "{}",
  says: { version: "0.31.2", show: { model_info: { "llama.context_length": 4_096 } } },
};

const known = (given: Partial<Settings>, asks = true, log: RawLog | null = null) => {
  const settings: Settings = { ...DEFAULT_SETTINGS, model: STAND_IN_MODEL, ...given };
  const config = { settings, explained: [] };
  const handle = { read: () => log, write: () => expect.unreachable(), close: () => {} };
  return modelStatus({ config, log: handle }, { asks }, NEVER);
};
const textOf = (found: Awaited<ReturnType<typeof known>>, url: string): string =>
  pairs([...modelStatusRows(found)]).replaceAll(url, "SERVER");

function called(log: RawLog, model: string, baseUrl: string, status = "ok", ms = 2_000): void {
  const call = { stage: "scope", prompt: "p", response: "{}", promptTokens: 380, responseTokens: 20, startedAt: "t" };
  log.appendModelCall(null, { ...call, model, baseUrl, status, ms });
}

test("says server, version, model, window and the speed of its last answers, and asks the model nothing", async () => {
  await using server = await startOllama(SAYS);
  using dir = folder();
  const log = openRawLog(dir.at("raw"));
  for (const ms of [1_000, 3_000]) called(log, STAND_IN_MODEL, server.url, "ok", ms);
  called(log, STAND_IN_MODEL, server.url, "timeout", 120_000);
  called(log, STAND_IN_MODEL, "http://127.0.0.1:9", "ok", 9_000);
  called(log, "other:1b", server.url, "ok", 9_000);
  const found = await known({ base_url: server.url }, true, log);
  log.close();
  expect(server.generations()).toEqual([]);
  expect(textOf(found, server.url)).toMatchInlineSnapshot(`
    "server  SERVER (Ollama 0.31.2)
    model   stand-in:1b (1.2B parameters)
    window  4096 tokens are used, its own is 4096
    speed   200 tokens a second in the last 2 answers: 380 prompt and 20 answer tokens in 2.0 s each
    "
  `);
  expect(StatusAnswer.shape.model.parse(modelStatusJson(found))).toMatchObject({
    name: STAND_IN_MODEL,
    server: { base_url: server.url, kind: "ollama", version: "0.31.2", parameters: "1.2B" },
    problem: null,
    window: { used: 4_096, own: 4_096 },
    speed: { calls: 2, prompt_tokens: 760, answer_tokens: 40, ms: 4_000, tokens_per_second: 200 },
  });
  if (found === null) throw new Error("a model is configured");
  expect(modelStatusWords(found)).toEqual([
    new URL(server.url).host,
    "Ollama 0.31.2",
    "4096 tokens",
    "200 tokens/s",
    STAND_IN_MODEL,
  ]);
});

test("without a model there is nothing to say, and a server that is not to be asked hears nothing", async () => {
  await using server = await startOllama(SAYS);
  expect(await known({ model: null, base_url: server.url })).toBeNull();
  expect(modelStatusRows(null)).toEqual([]);
  const found = await known({ base_url: server.url }, false);
  expect(server.requests).toEqual([]);
  expect(textOf(found, server.url)).toBe("server  SERVER\nmodel   stand-in:1b\nspeed   not measured yet\n");
});

test("a server that does not run, does not answer, lacks the model or may not be asked costs no failure", async () => {
  const texts = new Map<string, string>();
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  if (address === null || typeof address === "string") throw new Error("it has a port");
  const url = `http://127.0.0.1:${address.port}`;
  texts.set("silent", textOf(await known({ base_url: url }), url));
  silent.close();
  {
    await using server = await startOllama(SAYS);
    texts.set("lacks", textOf(await known({ base_url: server.url, model: "missing:1b" }), server.url));
  }
  texts.set("gone", textOf(await known({ base_url: "http://127.0.0.1:9" }), "http://127.0.0.1:9"));
  texts.set("remote", textOf(await known({ base_url: "http://192.0.2.1:11434" }), "-"));
  expect(texts.get("silent")).toContain("server  SERVER: not reachable within 1 s\n");
  expect(texts.get("lacks")).toContain("SERVER: the server at SERVER has no model missing:1b\n");
  expect(texts.get("gone")).toContain("server  SERVER: not reachable (");
  expect(texts.get("remote")).toContain("server  not asked: 192.0.2.1 is not this machine");
});
