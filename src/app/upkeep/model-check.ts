/**
 * What a model and its server are like: version, window, speed, whether a question is answered, what a judged run will take,
 * and which model this machine has memory for. Sends a made-up question, and nothing of any repository.
 */

import { totalmem } from "node:os";
import { resultOf } from "../../concurrency/result-of.ts";
import type { Settings } from "../../config/keys.ts";
import type { Variables } from "../../config/variables.ts";
import { Failed } from "../../failure.ts";
import { ask } from "../../judgement/ask.ts";
import { openFence } from "../../judgement/fence.ts";
import { formOf, listsSchema, listsTokens } from "../../judgement/lists.ts";
import { listingPrompt } from "../../judgement/prompt.ts";
import { scopeQuestion } from "../../judgement/scope.ts";
import type { CallTime } from "../../judgement/throughput.ts";
import type { ModelFailure } from "../../llm/model.ts";
import { modelFailureWords } from "../../llm/model-failure.ts";
import { modelOf } from "../../llm/open-model.ts";
import { type ServerFacts, serverFacts } from "../../llm/server-facts.ts";
import { openTokenCounter } from "../../text/tokens/tokens.ts";
import { limitsIn, readServer } from "../workspace/open-model.ts";

/**
 * `windowTokens` is what a call may take; rates are tokens a second, null where neither server nor clock tells. `listed` are files
 * of the made-up question, of which one is right.
 */
export type ModelCheck = {
  readonly model: string;
  readonly server: string;
  readonly facts: ServerFacts;
  readonly windowTokens: number;
  readonly promptRate: number | null;
  readonly answerRate: number | null;
  readonly listed: number;
  readonly of: number;
  readonly isRightListed: boolean;
  /** What a judged run is expected to take, and what `--model-time` gives it. */
  readonly runSeconds: number | null;
  readonly runSecondsMax: number;
  readonly memoryBytes: number;
  /** The model to pull for this memory; null where it is too small for any. */
  readonly pull: string | null;
};

/** Tokens of a judged run: means of the development cases, with a judge that is mostly right (scripts/bench/results/judges.md). */
const RUN_TOKENS = { prompt: 6_400, answer: 70 } as const;

const GIB = 1024 ** 3;

/**
 * The model to pull by memory. Weights of four bits take about 1, 2.4, 4.8 and 18 GB; a window of 8,192 tokens, the system and
 * an editor need the rest. docs/guide.md has the table with its source.
 */
const PULLS = [
  { memoryGib: 31, model: "qwen3:30b" },
  { memoryGib: 15, model: "qwen3:8b" },
  { memoryGib: 7.5, model: "qwen3:4b" },
  { memoryGib: 3.5, model: "qwen3:1.7b" },
] as const;

/** The model for a machine with this much memory; null if there is none. */
export const pullFor = (memoryBytes: number): string | null =>
  PULLS.find(({ memoryGib }) => memoryBytes >= memoryGib * GIB)?.model ?? null;

const TASK = "The shopping cart ignores discounts: its total is the sum of the full prices.";
const RIGHT = "shop/cart.ts";
const OTHERS = ["logo", "mail", "login", "search", "upload", "export", "calendar", "map", "chat", "theme", "video"];
const FILES = OTHERS.flatMap((name, at) => [
  ...(at === OTHERS.length >> 1 ? [{ path: RIGHT, summary: ["export class Cart { total(): number }"] }] : []),
  { path: `${name}/${name}.ts`, summary: [`export function open${name}(id: string): void`] },
  { path: `${name}/view.ts`, summary: [`export class ${name}View`] },
]);

/** Asks the server about itself and the made-up question. Throws `model-failed`, and a usage failure for a server that may not be asked. */
export async function checkModel(
  name: string,
  { settings, variables }: { readonly settings: Settings; readonly variables: Variables },
  signal: AbortSignal,
): Promise<ModelCheck> {
  const baseUrl = readServer(settings);
  const options = {
    ...{ name, baseUrl, windowTokens: settings["llm.context_window"], limits: limitsIn(settings) },
    ...{ nowMs: () => performance.now(), apiKey: variables.OLLAMA_API_KEY ?? null },
  };
  const failed = (failure: ModelFailure): Failed => {
    const words = modelFailureWords(failure, { name, baseUrl: baseUrl.url });
    return new Failed({ code: "model-failed", stage: "doctor", ...words });
  };
  const found = await serverFacts(options, signal);
  if (!found.ok) throw failed(found.failure);
  const model = modelOf(options, found.facts);
  const { instruction, lists, candidates } = scopeQuestion(TASK, FILES);
  const fence = openFence(crypto.randomUUID());
  const question = listingPrompt({ instruction, task: TASK, form: formOf(lists, false) }, candidates, fence);
  const asking = ask(
    {
      ...{ ...question, model, stage: "doctor", schema: listsSchema(lists, candidates.length, false) },
      replyTokensMax: listsTokens(candidates.length, lists.length, false),
    },
    {
      ...{ fence, counter: await openTokenCounter("o200k_base", { margin: 0 }), onCall: () => undefined },
      ...{ nowMs: options.nowMs, nowIso: () => new Date().toISOString() },
    },
    signal,
  );
  const answer = await resultOf(asking);
  if (!answer.ok) throw failed(answer.failure);
  const { value, time } = answer;
  const listed = (value.relevant ?? []).map((number) => candidates[Number(number) - 1]?.key);
  const rates = ratesOf(time);
  const memoryBytes = totalmem();
  return {
    ...{ model: name, server: baseUrl.url, facts: found.facts, windowTokens: model.windowTokens, ...rates },
    ...{ listed: listed.length, of: candidates.length, isRightListed: listed.includes(RIGHT) },
    runSeconds:
      rates.promptRate === null || rates.answerRate === null
        ? null
        : RUN_TOKENS.prompt / rates.promptRate + RUN_TOKENS.answer / rates.answerRate,
    runSecondsMax: settings.model_time,
    ...{ memoryBytes, pull: pullFor(memoryBytes) },
  };
}

const ratesOf = ({ promptTokens, promptMs, answerTokens, answerMs }: CallTime) => ({
  promptRate: rate(promptTokens, promptMs),
  answerRate: rate(answerTokens, answerMs),
});

const rate = (tokens: number, ms: number): number | null => (tokens > 0 && ms > 0 ? (tokens / ms) * 1_000 : null);
