/** Words for a model that gives no answer: what happened, where, and what to do next. One line, safe to print. */
import { display } from "../text/display.ts";
import { listed } from "../text/listed.ts";
import { isLoopback } from "../text/loopback.ts";
import { shellWord } from "../text/shell-word.ts";
import type { ModelFailure } from "./model.ts";

/** A model on a server, as `Model` has them. `flag` is the option that chooses the model, `--model` by default. */
type Asked = { readonly name: string; readonly baseUrl: string; readonly flag?: "--embedding-model" };

/** What happened and what to do next, each one line without a full stop. */
export type ModelFailureWords = { readonly why: string; readonly next: string };

/** How many of a server's models a message names. */
const LISTED_MAX = 5;

/** Both parts in one sentence. */
export function modelFailureSentence(failure: ModelFailure, asked: Asked): string {
  const { why, next } = modelFailureWords(failure, asked);
  return `${why}; ${next}`;
}

/** Words for a failure. */
export function modelFailureWords(failure: ModelFailure, asked: Asked): ModelFailureWords {
  const server = display(asked.baseUrl);
  const model = display(asked.name);
  const another = `try another ${asked.flag ?? "--model"}`;
  switch (failure.kind) {
    case "unreachable":
      return { why: `no model server at ${server} (${display(failure.why)})`, next: startOrCheck(asked) };
    case "missing-model":
      return {
        why: `the server at ${server} has no model ${display(failure.model)}`,
        next: failure.listed
          ? `name one of its models with ${asked.flag ?? "--model"}: ${listed(failure.listed.map(display), LISTED_MAX)}`
          : `run: ollama pull ${display(shellWord(failure.model))}`,
      };
    case "timeout":
      return timeoutWords(failure, model, server);
    case "refused":
      return {
        why: `the server at ${server} refused to run ${model} (${failure.status}: ${display(failure.why)})`,
        next: `look at the server's log, or ${another}`,
      };
    case "redirected":
      return {
        why: `the server at ${server} redirects to another address, which cra does not follow`,
        next: "give the final address with --base-url",
      };
    case "broken-off":
      return {
        why: `the reply of ${model} at ${server} broke off (${display(failure.why)})`,
        next: "look at the server's log and try again",
      };
    case "overlong":
      return {
        why: `the reply of ${model} did not end and was stopped after ${failure.bytes} bytes`,
        next: another,
      };
    case "no-text":
      return { why: `${model} replied without any text (${display(failure.why)})`, next: another };
    case "invalid":
      return {
        why: `the reply of ${model} does not have the form it was asked for (${display(failure.why)})`,
        next: another,
      };
    case "no-room":
      return {
        why: `the question does not fit a context window of ${failure.windowTokens} tokens`,
        next: "raise llm.context_window, or try a --model with a larger window",
      };
    case "repeating":
      return { why: `${model} repeated itself and was stopped`, next: another };
    case "embeds-only":
      return { why: `${model} makes vectors and cannot answer`, next: `name a model that writes text with --model` };
    case "out-of-time":
      return {
        why: `the model's ${failure.seconds} s are used up`,
        next: "raise --model-time, or take a smaller model",
      };
  }
}

function timeoutWords(
  { limit, seconds }: Extract<ModelFailure, { kind: "timeout" }>,
  model: string,
  server: string,
): ModelFailureWords {
  const within = `within ${seconds} s`;
  switch (limit) {
    case "connect":
      return {
        why: `the server at ${server} did not accept a connection ${within}`,
        next: "check --base-url, or raise llm.connect_seconds",
      };
    case "first-token":
      return { why: `${model} at ${server} sent nothing ${within}`, next: "raise llm.first_token_seconds" };
    case "idle":
      return {
        why: `${model} at ${server} stopped sending its reply for ${seconds} s`,
        next: "raise llm.idle_seconds",
      };
    case "total":
      return { why: `${model} at ${server} did not finish ${within}`, next: "raise llm.total_seconds" };
  }
}

/** Ollama speaks plain HTTP, so a server behind another address is not started with `ollama serve`. */
function startOrCheck({ baseUrl }: Asked): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  return url === null || (url.protocol === "http:" && isLoopback(url.hostname))
    ? "run: ollama serve"
    : "check --base-url";
}
