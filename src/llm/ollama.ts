/**
 * Asks a model of an Ollama server through the `ollama` client.
 *
 * Each call has its own connection and is deterministic: temperature 0 and a fixed seed. `generate` throws nothing but the
 * signal's reason; every error of the server is an answer.
 */
import { Ollama } from "ollama/browser";
import type { BaseUrl } from "./base-url.ts";
import { type ReplyRules, startCall } from "./bounded-http.ts";
import { type ModelLimits, wireBytesMax, within } from "./limits.ts";
import type { Model, ModelFailure, ModelRequest } from "./model.ts";
import { openReply } from "./open-reply.ts";
import { linesIn, readLine } from "./reply-lines.ts";

/**
 * `windowTokens` is also sent to the server. `nowMs` is a monotonic clock in milliseconds. `apiKey` is sent to Ollama's
 * own service and to no other server.
 */
export type OllamaOptions = {
  readonly name: string;
  readonly baseUrl: BaseUrl;
  readonly windowTokens: number;
  /** How the model is told to answer at once; null says nothing of it. */
  readonly think: Thinking | null;
  readonly digest: string | null;
  readonly limits: ModelLimits;
  readonly nowMs: () => number;
  readonly apiKey: string | null;
};

/** Models that think are told not to, or if they cannot help it, to be brief. */
export type Thinking = false | "low";

/** An arbitrary constant. */
const SEED = 1;

/** How long the server keeps the model in memory after a call: for the next round. */
const KEEP_ALIVE = "10m";

/** Tokens for the thoughts of a model that cannot be kept from thinking. */
export const THOUGHT_TOKENS = 512;

/** A model on a server. Nothing is sent until it is asked. */
export function openOllama(options: OllamaOptions): Model {
  return {
    name: options.name,
    baseUrl: options.baseUrl.url,
    windowTokens: options.windowTokens,
    digest: options.digest,
    generate: (request, signal) => generate(options, request, signal),
  };
}

async function* generate(
  options: OllamaOptions,
  request: ModelRequest,
  signal: AbortSignal,
): ReturnType<Model["generate"]> {
  const { name, baseUrl, nowMs } = options;
  const limits = within(options.limits, request.secondsMax);
  const reply = openReply(limits, nowMs);
  using call = startCall(name, limits, signal, { bytesMax: wireBytesMax(limits), checked: checkedLines });
  try {
    const key = isOllamaService(baseUrl) ? options.apiKey : null;
    const headers = key === null ? {} : { authorization: `Bearer ${key}` };
    const client = new Ollama({ host: baseUrl.url, fetch: call.fetch, headers });
    for await (const part of await client.chat(chatOf(options, request))) {
      // Parts that arrived before the signal are dropped.
      signal.throwIfAborted();
      const { content } = part.message;
      const overlong = reply.add(content);
      if (overlong !== null) return reply.failed(overlong);
      if (content !== "") yield content;
      if (!part.done) continue;
      return reply.ended(part.done_reason ?? "stop", {
        promptTokens: part.prompt_eval_count ?? null,
        responseTokens: part.eval_count ?? null,
        promptMs: inMs(part.prompt_eval_duration),
        answerMs: inMs(part.eval_duration),
      });
    }
  } catch (error) {
    signal.throwIfAborted();
    if (call.failure === null) throw error;
    return reply.failed(roomless(call.failure, options.windowTokens));
  }
  return reply.failed({ kind: "broken-off", why: "it ended before the model was done" });
}

/** Ollama counts in nanoseconds. */
const inMs = (nanoseconds: number | undefined): number | undefined =>
  nanoseconds === undefined ? undefined : nanoseconds / 1e6;

/** A server that may not cut a prompt refuses one that is too long for the model. */
export const roomless = (failure: ModelFailure, windowTokens: number): ModelFailure =>
  failure.kind === "refused" && failure.status === 400 && /context|too long|exceed/i.test(failure.why)
    ? { kind: "no-room", windowTokens }
    : failure;

/** The lines of a reply up to the last, validated and reduced to the used fields: the client prints lines it cannot read. */
const checkedLines: ReplyRules["checked"] = async function* (body, { status, fail }) {
  for await (const line of linesIn(body)) {
    const read = readLine(line);
    if (read.kind === "error") throw fail({ kind: "refused", status, why: read.why });
    if (read.kind === "unreadable")
      throw fail({ kind: "broken-off", why: `a line of it is not valid for Ollama: ${read.start}` });
    yield Buffer.from(`${JSON.stringify(read.part)}\n`);
    if (read.part.done) return;
  }
  throw fail({ kind: "broken-off", why: "it ended before the model was done" });
};

const chatOf = (
  { name, windowTokens, think }: OllamaOptions,
  { system, prompt, format, replyTokensMax, isRetry }: ModelRequest,
) => ({
  model: name,
  messages: [
    { role: "system", content: system },
    { role: "user", content: prompt },
  ],
  format,
  stream: true as const,
  // Servers before 0.31 forget the format where a model that thinks is told not to, so a retry lets it think.
  ...(think === null || (think === false && isRetry) ? {} : { think }),
  // A prompt that does not fit is refused, instead of losing its instructions.
  truncate: false,
  shift: false,
  keep_alive: KEEP_ALIVE,
  options: {
    temperature: 0,
    seed: SEED,
    num_ctx: windowTokens,
    num_predict: replyTokensMax + (think === "low" || (think === false && isRetry) ? THOUGHT_TOKENS : 0),
  },
});

const isOllamaService = ({ url, host }: BaseUrl): boolean => url.startsWith("https:") && host === "ollama.com";
