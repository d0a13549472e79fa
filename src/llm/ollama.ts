/**
 * Asks a model of an Ollama server: the one door to the `ollama` client, and the only place that knows its protocol.
 *
 * Each call has its own connection, is held to limits (`bounded-http.ts`), and asks for the same words every time:
 * temperature 0 and a fixed seed. Invariant: `generate` throws only the signal's reason; what a server does wrong is
 * an answer. Not here: what is asked; reading the reply as what was asked for.
 */
import { Ollama } from "ollama/browser";
import type { BaseUrl } from "./base-url.ts";
import { guardCall } from "./bounded-http.ts";
import type { ModelLimits } from "./limits.ts";
import type { Model, ModelAnswer, ModelFailure, ModelRequest } from "./model.ts";
import { growingReply } from "./reply-bounds.ts";

/** `windowTokens` is asked of the server too. `nowMs` is a steady clock in milliseconds. */
export type OllamaOptions = {
  readonly name: string;
  readonly baseUrl: BaseUrl;
  readonly windowTokens: number;
  readonly limits: ModelLimits;
  readonly nowMs: () => number;
};

/** Any number does, as long as it stays. */
const SEED = 1;

/** A model on a server. Nothing is sent until it is asked. */
export function openOllama(options: OllamaOptions): Model {
  return {
    name: options.name,
    baseUrl: options.baseUrl.url,
    windowTokens: options.windowTokens,
    generate: (request, signal) => generate(options, request, signal),
  };
}

async function* generate(
  { name, baseUrl, windowTokens, limits, nowMs }: OllamaOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<string, ModelAnswer> {
  const startedMs = nowMs();
  const reply = growingReply(limits);
  const elapsed = (): number => Math.max(0, Math.round(nowMs() - startedMs));
  const failed = (failure: ModelFailure): ModelAnswer => ({
    ok: false,
    failure,
    partial: reply.text.toWellFormed(),
    ms: elapsed(),
  });
  using call = guardCall(name, limits, signal);
  try {
    const client = new Ollama({ host: baseUrl.url, fetch: call.fetch });
    const parts = await client.chat({
      model: name,
      messages: [
        { role: "system", content: request.system },
        { role: "user", content: request.prompt },
      ],
      format: request.format,
      stream: true,
      // Left out, the server switches thinking on for every model that can; no model refuses to do without.
      think: false,
      options: { temperature: 0, seed: SEED, num_ctx: windowTokens, num_predict: request.replyTokensMax },
    });
    for await (const { message, done, done_reason, prompt_eval_count, eval_count } of parts) {
      // What had arrived before the signal is no reason to go on.
      signal.throwIfAborted();
      if (message.content !== "") {
        if (!reply.add(message.content)) return failed({ kind: "overlong", bytes: reply.bytes });
        yield message.content;
      }
      if (!done) continue;
      if (done_reason === "length") return failed({ kind: "overlong", bytes: reply.bytes });
      if (reply.text.trim() === "") return failed({ kind: "no-text", why: `it ended with "${done_reason ?? "stop"}"` });
      return {
        ok: true,
        reply: {
          text: reply.text.toWellFormed(),
          promptTokens: prompt_eval_count ?? null,
          responseTokens: eval_count ?? null,
          ms: elapsed(),
        },
      };
    }
  } catch (error) {
    signal.throwIfAborted();
    if (call.failure === null) throw error;
    return failed(call.failure);
  }
  return failed({ kind: "broken-off", why: "it ended before the model was done" });
}
