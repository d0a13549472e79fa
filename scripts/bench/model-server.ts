/**
 * Checks a real model server against what the client relies on, and prints a table.
 *
 * `bun scripts/bench/model-server.ts --model NAME [--base-url URL] [--seconds N]`: each call may take N seconds (300). Sends made-up
 * questions only. Exits with 1 if a check fails; what only differs between servers is said and fails nothing.
 */
import { parseArgs } from "node:util";
import { checkModel } from "../../src/app/upkeep/model-check.ts";
import { DEFAULT_SETTINGS } from "../../src/config/keys.ts";
import { BASE_URL_DEFAULT, readBaseUrl } from "../../src/llm/base-url.ts";
import { MODEL_LIMITS } from "../../src/llm/limits.ts";
import type { Model, ModelAnswer, ModelRequest } from "../../src/llm/model.ts";
import { modelSource } from "../../src/llm/open-model.ts";

/** `ok` null: no check, only said. */
type Found = { readonly ok: boolean | null; readonly what: string };
type Check = { readonly name: string; readonly run: (at: At) => Promise<Found> };
type At = { readonly model: Model; readonly url: string; readonly open: (name: string) => Promise<Found> };

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

const CHECKS: readonly Check[] = [
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
  { name: "a model that is not there", run: async ({ open }) => await open("no-such-model:1b") },
];

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { "base-url": { type: "string" }, model: { type: "string" }, seconds: { type: "string" } },
  });
  const reading = readBaseUrl(values["base-url"] ?? BASE_URL_DEFAULT);
  if (values.model === undefined || !reading.ok) {
    process.stderr.write("usage: bun scripts/bench/model-server.ts --model NAME [--base-url URL] [--seconds N]\n");
    return 2;
  }
  const seconds = Number(values.seconds ?? 300);
  const limits = { ...MODEL_LIMITS, firstTokenSeconds: seconds, idleSeconds: seconds, totalSeconds: seconds };
  const sourceOf = (name: string) =>
    modelSource({
      ...{ name, baseUrl: reading.baseUrl, limits, apiKey: process.env.OLLAMA_API_KEY ?? null },
      ...{ windowTokens: DEFAULT_SETTINGS["llm.context_window"], nowMs: () => performance.now() },
    });
  const opened = await sourceOf(values.model).open(NEVER);
  if (!opened.ok) {
    process.stderr.write(`${JSON.stringify(opened.failure)}\n`);
    return 1;
  }
  const settings = {
    ...{ ...DEFAULT_SETTINGS, base_url: reading.baseUrl.url, "llm.first_token_seconds": seconds },
    ...{ "llm.idle_seconds": seconds, "llm.total_seconds": seconds },
  };
  const facts = await checkModel(values.model, { settings, variables: process.env }, NEVER).catch(
    (error: unknown) => error,
  );
  const at: At = {
    model: opened.model,
    url: reading.baseUrl.url,
    async open(name) {
      const other = await sourceOf(name).open(NEVER);
      return { ok: null, what: other.ok ? "the server answers under any name" : other.failure.kind };
    },
  };
  process.stdout.write(
    `${facts instanceof Error ? facts.message : JSON.stringify(facts)}\n\n| check | | |\n| --- | --- | --- |\n`,
  );
  let failed = 0;
  for (const { name, run } of CHECKS) {
    const { ok, what } = await run(at);
    if (ok === false) failed += 1;
    process.stdout.write(`| ${name} | ${ok === null ? "" : ok ? "yes" : "NO"} | ${what.replaceAll("|", "\\|")} |\n`);
  }
  return failed === 0 ? 0 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`model-server: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
