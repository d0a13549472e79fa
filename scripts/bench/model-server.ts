/**
 * Checks a real model server against what the client relies on, and prints a table.
 *
 * `bun scripts/bench/model-server.ts ADDRESS MODEL [--seconds N]`: each call may take N seconds (100), and no check begins after nine
 * minutes. Sends made-up questions only. Exits with 1 if a check fails; what only differs between servers is said and fails nothing.
 */
import { parseArgs } from "node:util";
import { z } from "zod";
import { checkModel } from "../../src/app/upkeep/model-check.ts";
import { DEFAULT_SETTINGS } from "../../src/config/keys.ts";
import { answersByPath, GroupAnswer, groupQuestion } from "../../src/enrichment/group-question.ts";
import { type FileQuestion, fileQuestion } from "../../src/enrichment/prompt.ts";
import { EnrichmentAnswer } from "../../src/enrichment/record.ts";
import { Failed } from "../../src/failure.ts";
import { ask } from "../../src/judgement/ask.ts";
import { openFence } from "../../src/judgement/fence.ts";
import { readBaseUrl } from "../../src/llm/base-url.ts";
import { MODEL_LIMITS } from "../../src/llm/limits.ts";
import type { Model, ModelAnswer, ModelFailure, ModelRequest } from "../../src/llm/model.ts";
import { modelSource } from "../../src/llm/open-model.ts";
import { modelCheckText } from "../../src/present/model-check-report.ts";
import { openTokenCounter } from "../../src/text/tokens/tokens.ts";
import { runMain } from "./run-main.ts";

/** `ok` null: no check, only said. */
type Found = { readonly ok: boolean | null; readonly what: string };
type Check = { readonly name: string; readonly run: (at: At) => Promise<Found> };
type At = { readonly model: Model; readonly url: string; readonly open: (name: string) => Promise<Found> };

/** No check begins after this time. */
const MINUTES_MAX = 9;

const NEVER = new AbortController().signal;
const FORMAT = {
  type: "object",
  properties: { relevant: { type: "array", items: { type: "integer", minimum: 1, maximum: 9 }, maxItems: 5 } },
  required: ["relevant"],
};
const LINES = Array.from({ length: 40 }, (_, at) => `[${at + 1}] src/part_${at}.ts function open_part_${at}()`).join(
  "\n",
);
const ASKED: ModelRequest = {
  system: "You choose from numbered lists. Answer with one JSON object and nothing else.",
  prompt: `${LINES}\n\nList the numbers of at most five items that open part 3: {"relevant":[numbers]}`,
  format: FORMAT,
  replyTokensMax: 60,
};

async function answerOf(model: Model, request: ModelRequest, signal = NEVER): Promise<ModelAnswer> {
  const stream = model.generate(request, signal);
  let step = await stream.next();
  while (step.done !== true) step = await stream.next();
  return step.value;
}

/** The answer in a word or two. */
const shown = (answer: ModelAnswer): string =>
  answer.ok ? JSON.stringify(answer.reply.text).slice(0, 60) : answer.failure.kind;

function isInForm(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "relevant" in value && Array.isArray(value.relevant);
  } catch {
    return false;
  }
}

const FENCE = openFence("5b1e2f0a-77aa-4c1d-9c55-0f2d7f3a9e10");
const FILES = ["cart", "login", "mail"].map((name) => ({
  ...{ path: `shop/${name}.py`, contentHash: "", language: "python", docstring: "", signatures: [] },
  text: `class ${name.toUpperCase()}:\n    def open_${name}(self, user):\n        return self.find_${name}(user)\n`,
}));

const COUNTER = await openTokenCounter("o200k_base", { margin: 0 });

/** Asks as `cra enrich` does: once more after an unusable answer, and not on when it repeats itself. */
async function describedBy<T>(model: Model, question: FileQuestion | null, schema: z.ZodType<T>) {
  if (question === null) return { ok: false, failure: { kind: "no-room", windowTokens: model.windowTokens } } as const;
  const times = { nowMs: () => performance.now(), nowIso: () => new Date().toISOString() };
  const deps = { fence: FENCE, counter: COUNTER, onCall: () => undefined, ...times };
  const asking = ask({ model, stage: "enrichment", schema, ...question }, deps, NEVER);
  let step = await asking.next();
  while (step.done !== true) step = await asking.next();
  return step.value;
}

const failureIn = (failure: ModelFailure): string => (failure.kind === "invalid" ? failure.why : failure.kind);

/** What one short answer says of its tokens, over the OpenAI form. */
async function probabilities({ url, model }: At): Promise<Found> {
  const body = {
    ...{ model: model.name, max_tokens: 1, temperature: 0, logprobs: true, top_logprobs: 5 },
    messages: [{ role: "user", content: "Is a cart for shopping? Answer yes or no." }],
  };
  const response = await fetch(`${url.replace(/\/v1$/, "")}/v1/chat/completions`, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    signal: AbortSignal.timeout(60_000),
  });
  const read = Logged.safeParse(await response.json());
  const [first] = read.data?.choices[0]?.logprobs?.content ?? [];
  if (first === undefined) return { ok: null, what: `none (status ${response.status})` };
  const shown = first.top_logprobs.map(
    ({ token, logprob }) => `${JSON.stringify(token)} ${Math.exp(logprob).toFixed(2)}`,
  );
  return { ok: null, what: `yes: ${shown.join(", ")}` };
}

const Token = z.object({ token: z.string(), logprob: z.number() });
const Logged = z.object({
  choices: z.array(
    z.object({
      logprobs: z.object({ content: z.array(Token.extend({ top_logprobs: z.array(Token) })) }).nullish(),
    }),
  ),
});

const CHECKS: readonly Check[] = [
  {
    name: "version, window, speed, and a made-up question as in a run",
    async run({ model, url }) {
      const limits = { "llm.first_token_seconds": 200, "llm.idle_seconds": 200, "llm.total_seconds": 200 };
      const settings = { ...DEFAULT_SETTINGS, ...limits, base_url: url };
      const found = await checkModel(model.name, { settings, variables: process.env }, NEVER).catch(
        (error: unknown) => {
          if (error instanceof Failed) return error;
          throw error;
        },
      );
      if (found instanceof Failed) return { ok: false, what: found.message };
      const rows = modelCheckText(found).trimEnd().split("\n");
      return { ok: true, what: rows.map((row) => row.replace(/ {2,}/, ": ")).join("<br>") };
    },
  },
  {
    name: "an answer has the form of its schema",
    async run({ model }) {
      const answer = await answerOf(model, ASKED);
      return { ok: answer.ok && isInForm(answer.reply.text), what: shown(answer) };
    },
  },
  {
    name: "the schema holds where the prompt asks for prose",
    async run({ model }) {
      const answer = await answerOf(model, { ...ASKED, prompt: "Tell a story about a cat, in plain words." });
      const isHeld = answer.ok && isInForm(answer.reply.text);
      return { ok: null, what: `${isHeld ? "yes" : "no"}: ${shown(answer)}` };
    },
  },
  {
    name: "the same question has the same answer",
    async run({ model }) {
      const [first, second] = [await answerOf(model, ASKED), await answerOf(model, ASKED)];
      return { ok: shown(first) === shown(second), what: shown(second) };
    },
  },
  {
    name: "what was read is not read again",
    async run({ model }) {
      const fresh = { ...ASKED, prompt: `${crypto.randomUUID()}\n${ASKED.prompt}` };
      const times = [await answerOf(model, fresh), await answerOf(model, fresh)].map((answer) =>
        answer.ok ? answer.reply.time.promptMs : Number.NaN,
      );
      const [first = Number.NaN, second = Number.NaN] = times;
      return { ok: null, what: `${first.toFixed(0)} ms, then ${second.toFixed(0)} ms for the prompt` };
    },
  },
  {
    name: "a prompt that is longer than the window is refused",
    async run({ model }) {
      const prompt = "one two three four five six seven eight ".repeat(Math.ceil(model.windowTokens / 5));
      const answer = await answerOf(model, { ...ASKED, prompt });
      return { ok: !answer.ok && answer.failure.kind === "no-room", what: shown(answer) };
    },
  },
  {
    name: "an answer stops at its limit, and the client says so",
    async run({ model }) {
      const answer = await answerOf(model, { ...ASKED, replyTokensMax: 4 });
      return { ok: !answer.ok && answer.failure.kind === "overlong", what: shown(answer) };
    },
  },
  {
    name: "a question can be cancelled, and the next one is answered",
    async run({ model }) {
      const stop = new AbortController();
      const stream = model.generate({ ...ASKED, replyTokensMax: 500 }, stop.signal);
      await stream.next();
      stop.abort(new Error("stop"));
      const isStopped = await stream.next().then(
        () => false,
        () => true,
      );
      const answer = await answerOf(model, ASKED);
      return { ok: isStopped && answer.ok, what: shown(answer) };
    },
  },
  {
    name: "two questions at once are both answered",
    async run({ model }) {
      const answers = await Promise.all([answerOf(model, ASKED), answerOf(model, ASKED)]);
      return { ok: answers.every(({ ok }) => ok), what: answers.map(shown).join(" and ") };
    },
  },
  {
    name: "a file is described in the form of `cra enrich`",
    async run({ model }) {
      const [file] = FILES.map((one) => fileQuestion(one, model.windowTokens, COUNTER, FENCE));
      const answer = await describedBy(model, file ?? null, EnrichmentAnswer);
      const said = answer.ok ? JSON.stringify(answer.value.purpose) : failureIn(answer.failure);
      return { ok: null, what: `${answer.ok ? "yes" : "no"}: ${said}` };
    },
  },
  {
    name: "three small files are described at once",
    async run({ model }) {
      const question = groupQuestion(FILES, model.windowTokens, COUNTER, FENCE);
      const answer = await describedBy(model, question, GroupAnswer);
      if (!answer.ok) return { ok: null, what: `no: ${failureIn(answer.failure)}` };
      const own = answersByPath(answer.value, FILES, FENCE).size;
      return { ok: null, what: `${own} of ${FILES.length} have an answer of their own` };
    },
  },
  { name: "log-probabilities of an answer's tokens, which cra does not use", run: probabilities },
  { name: "a model that is not there", run: async ({ open }) => await open("no-such-model:1b") },
];

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: { seconds: { type: "string" } }, allowPositionals: true });
  const [address = "", name] = positionals;
  const reading = readBaseUrl(address);
  if (name === undefined || !reading.ok) {
    process.stderr.write("usage: bun scripts/bench/model-server.ts ADDRESS MODEL [--seconds N]\n");
    return 2;
  }
  const seconds = Number(values.seconds ?? 100);
  const limits = { ...MODEL_LIMITS, firstTokenSeconds: seconds, idleSeconds: seconds, totalSeconds: seconds };
  const sourceOf = (name: string) =>
    modelSource({
      ...{ name, baseUrl: reading.baseUrl, limits, apiKey: process.env.OLLAMA_API_KEY ?? null },
      ...{ windowTokens: DEFAULT_SETTINGS["llm.context_window"], nowMs: () => performance.now() },
    });
  const opened = await sourceOf(name).open(NEVER);
  if (!opened.ok) {
    process.stderr.write(`${JSON.stringify(opened.failure)}\n`);
    return 1;
  }
  const at: At = {
    model: opened.model,
    url: reading.baseUrl.url,
    async open(name) {
      const other = await sourceOf(name).open(NEVER);
      return { ok: null, what: other.ok ? "the server answers under any name" : other.failure.kind };
    },
  };
  process.stdout.write("| check | | | s |\n| --- | --- | --- | --: |\n");
  let failed = 0;
  const began = performance.now();
  for (const { name, run } of CHECKS) {
    const startedAt = performance.now();
    const isLate = startedAt - began > MINUTES_MAX * 60_000;
    const { ok, what } = isLate
      ? { ok: null, what: `not asked: ${MINUTES_MAX} minutes are over` }
      : await run(at).catch((error: unknown) => ({ ok: false, what: String(error) }));
    if (ok === false) failed += 1;
    const took = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const text = what.replaceAll("|", "\\|").replaceAll("\n", " ");
    process.stdout.write(`| ${name} | ${ok === null ? "" : ok ? "yes" : "NO"} | ${text} | ${took} |\n`);
  }
  return failed === 0 ? 0 : 1;
}

await runMain("model-server", main);
