/**
 * Asks a model of a server that speaks OpenAI's form: llama.cpp, LM Studio, vLLM and the like.
 *
 * It sends a JSON Schema, and once more without it to a server that refuses it; the prompt says the form too. No key is
 * sent. `generate` throws nothing but the signal's reason.
 */

import { z } from "zod";
import { type ReplyRules, startCall } from "./bounded-http.ts";
import { type ModelLimits, wireBytesMax, within } from "./limits.ts";
import type { Model, ModelFailure, ModelRequest } from "./model.ts";
import { roomless, THOUGHT_TOKENS } from "./ollama.ts";
import { openReply } from "./open-reply.ts";
import { errorIn, linesIn, serverJson, serverWords } from "./reply-lines.ts";

/** `apiUrl` ends with the version: `http://127.0.0.1:8080/v1`. */
type OpenAiOptions = {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiUrl: string;
  readonly windowTokens: number;
  /** The names of the server's models. */
  readonly models: readonly string[];
  readonly limits: ModelLimits;
  readonly nowMs: () => number;
};

const SEED = 1;

const count = () => z.int().min(0).optional().catch(undefined);
const Chunk = z.object({
  // The event that counts tokens has none: an empty list, or null where a server cannot tell them apart.
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: count(), completion_tokens: count() }).nullish().catch(null),
});

/** A model on a server. Nothing is sent until it is asked. */
export function openOpenAi(options: OpenAiOptions): Model {
  const { name, baseUrl, windowTokens } = options;
  return {
    name,
    baseUrl,
    windowTokens,
    digest: null,
    async *generate(request, signal) {
      const answer = yield* generate(options, request, true, signal);
      const isRefused =
        !answer.ok && answer.failure.kind === "refused" && [400, 422, 501].includes(answer.failure.status);
      return isRefused ? yield* generate(options, request, false, signal) : answer;
    },
  };
}

async function* generate(
  options: OpenAiOptions,
  request: ModelRequest,
  hasFormat: boolean,
  signal: AbortSignal,
): ReturnType<Model["generate"]> {
  const { name, apiUrl, nowMs } = options;
  const limits = within(options.limits, request.secondsMax);
  const reply = openReply(limits, nowMs);
  let usage: z.infer<typeof Chunk>["usage"] = null;
  let finished: string | null = null;
  using call = startCall(name, limits, signal, { bytesMax: wireBytesMax(limits), checked: payloads });
  try {
    const response = await call.fetch(`${apiUrl}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(chatOf(name, request, hasFormat)),
    });
    if (response.body === null) return reply.failed({ kind: "no-text", why: "it has no body" });
    for await (const line of linesIn(response.body)) {
      signal.throwIfAborted();
      const chunk = Chunk.parse(serverJson(line));
      usage = chunk.usage ?? usage;
      const [choice] = chunk.choices ?? [];
      finished = choice?.finish_reason ?? finished;
      const content = choice?.delta?.content ?? "";
      const overlong = reply.add(content);
      if (overlong !== null) return reply.failed(overlong);
      if (content !== "") yield content;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (call.failure === null) throw error;
    return reply.failed(namingModels(roomless(call.failure, options.windowTokens), options.models));
  }
  if (finished === null) return reply.failed({ kind: "broken-off", why: "it ended before the model was done" });
  return reply.ended(serverWords(finished), {
    promptTokens: usage?.prompt_tokens ?? null,
    responseTokens: usage?.completion_tokens ?? null,
  });
}

/** A server that lacks the model is not Ollama, so the models that it has are of more use than Ollama's command. */
const namingModels = (failure: ModelFailure, models: readonly string[]): ModelFailure =>
  failure.kind === "missing-model" && models.length > 0 ? { ...failure, listed: models } : failure;

/** The data of the events up to the last, one JSON document a line. */
const payloads: ReplyRules["checked"] = async function* (body, { status, fail }) {
  for await (const line of linesIn(body)) {
    const data = /^data:(.*)$/s.exec(line)?.[1]?.trim();
    if (data === undefined) {
      const error = errorIn(line);
      if (error !== null) throw fail({ kind: "refused", status, why: error });
      // Comments and other fields of an event.
      if (/^(?::|event:|id:|retry:)/.test(line)) continue;
      throw fail({ kind: "broken-off", why: `a line of it is not an event: ${serverWords(line.slice(0, 40))}` });
    }
    if (data === "[DONE]") return;
    const error = errorIn(data);
    if (error !== null) throw fail({ kind: "refused", status, why: error });
    if (!Chunk.safeParse(serverJson(data)).success)
      throw fail({ kind: "broken-off", why: `an event of it is not valid: ${serverWords(data.slice(0, 40))}` });
    yield Buffer.from(`${data}\n`);
  }
};

const chatOf = (
  model: string,
  { system, prompt, format, replyTokensMax, isRetry }: ModelRequest,
  hasFormat: boolean,
) => ({
  model,
  messages: [
    { role: "system", content: system },
    { role: "user", content: prompt },
  ],
  stream: true,
  stream_options: { include_usage: true },
  temperature: 0,
  seed: SEED,
  // No field of this form keeps every model from thinking, so a retry has room for thoughts.
  max_tokens: replyTokensMax + (isRetry ? THOUGHT_TOKENS : 0),
  ...(hasFormat
    ? { response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema: format } } }
    : {}),
});
