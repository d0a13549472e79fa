import { expect, test } from "bun:test";
import { checkModel, pullFor } from "../../../src/app/upkeep/model-check.ts";
import { DEFAULT_SETTINGS } from "../../../src/config/keys.ts";
import { Failed } from "../../../src/failure.ts";
import { modelCheckText } from "../../../src/present/model-check-report.ts";
import { sorting } from "../../support/judging-reply.ts";
import { STAND_IN_MODEL, type StandInOptions, startOllama } from "../../support/stand-in-ollama.ts";

const TOOK = { promptTokens: 1_000, promptMs: 5_000, answerTokens: 30, answerMs: 2_000 };
const KNOWING = sorting(({ text }) => (text.startsWith("shop/cart.ts") ? "relevant" : null));
const NEVER = new AbortController().signal;

async function checked(options: StandInOptions, name = STAND_IN_MODEL) {
  await using server = await startOllama(options);
  const settings = { ...DEFAULT_SETTINGS, base_url: server.url };
  const found = await checkModel(name, { settings, variables: {} }, NEVER);
  return { found, sent: server.generations(), text: modelCheckText(found).replaceAll(server.url, "SERVER") };
}

test("says what the server, the model, its window and its speed are, and how long a judged run takes", async () => {
  const { found, sent, text } = await checked({
    reply: (request) => ({ kind: "text", text: String(KNOWING(request)), took: TOOK }),
    says: { version: "0.31.2", show: { model_info: { "llama.context_length": 4_096 } } },
  });
  expect(sent.length).toBe(1);
  expect(found).toMatchObject({ windowTokens: 4_096, promptRate: 200, answerRate: 15, listed: 1, isRightListed: true });
  expect(text.replace(/memory .*/, "memory …")).toMatchInlineSnapshot(`
    "server      SERVER (Ollama 0.31.2)
    model       stand-in:1b (1.2B parameters)
    window      4096 tokens are used, its own is 4096
    speed       200 prompt and 15 answer tokens a second
    answer      lists 1 of 23 made-up files, the right one among them
    judged run  about 37 s; --model-time gives it 90 s: everything fits
    memory …
    "
  `);
});

test("a model that lists the wrong files is shown as it is; a slow one is told what fits", async () => {
  const slow = { promptTokens: 1_000, promptMs: 100_000, answerTokens: 30, answerMs: 20_000 };
  const wrong = sorting(({ id }) => (id <= 2 ? "relevant" : null));
  const { text } = await checked({ reply: (request) => ({ kind: "text", text: String(wrong(request)), took: slow }) });
  expect(text).toContain("lists 2 of 23 made-up files, the right one not");
  expect(text).toContain("only the best candidates are judged");
});

test("a model that is missing, or writes no usable answer, fails as it would in a run", async () => {
  const failures = [
    checked({ reply: () => "{}" }, "missing:1b"),
    checked({ reply: () => "I think the cart." }),
    checked({ reply: () => "", says: { show: { capabilities: ["embedding"] } } }),
  ].map((failing) => failing.catch((error: unknown) => (error instanceof Failed ? error.failure : error)));
  for (const failure of await Promise.all(failures)) expect(failure).toMatchObject({ code: "model-failed" });
});

test("the model to pull fits the memory", () => {
  const gib = 1024 ** 3;
  expect([2, 4, 8, 16, 24, 64].map((memory) => pullFor(memory * gib))).toEqual([
    null,
    "qwen3:1.7b",
    "qwen3:4b",
    "qwen3:8b",
    "qwen3:8b",
    "qwen3:30b",
  ]);
});
