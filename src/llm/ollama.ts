/**
 * Asks a model of an Ollama server through the `ollama` client.
 *
 * Each call has its own connection and is deterministic: temperature 0 and a fixed seed. `generate` throws nothing but the
 * signal's reason; every error of the server is an answer.
 */
import { Ollama } from "ollama/browser";
import type { BaseUrl } from "./base-url.ts";
import { type ReplyRules, startCall } from "./bounded-http.ts";
import { type ModelLimits, wireBytesMax } from "./limits.ts";
import type { Model, ModelAnswer, ModelFailure, ModelRequest } from "./model.ts";
import { linesIn, readLine } from "./reply-lines.ts";

/**
 * `windowTokens` is also sent to the server. `nowMs` is a monotonic clock in milliseconds. `apiKey` is sent to Ollama's
 * own service and to no other server.
 */
type OllamaOptions = {
  readonly name: string;
  readonly baseUrl: BaseUrl;
  readonly windowTokens: number;
  readonly limits: ModelLimits;
  readonly nowMs: () => number;
  readonly apiKey: string | null;
};

/** An arbitrary constant. */
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
  options: OllamaOptions,
  request: ModelRequest,
  signal: AbortSignal,
): ReturnType<Model["generate"]> {
  const { name, baseUrl, limits, nowMs } = options;
  const startedMs = nowMs();
  let text = "";
  let bytes = 0;
  // The last characters, where a run of blanks can have started.
  let end = "";
  const blankRun = new RegExp(`\\s{${limits.blanksMax + 1}}`);
  const elapsed = (): number => Math.max(0, Math.round(nowMs() - startedMs));
  const failed = (failure: ModelFailure): ModelAnswer => ({
    ok: false,
    failure,
    partial: text.toWellFormed(),
    ms: elapsed(),
  });
  using call = startCall(name, limits, signal, { bytesMax: wireBytesMax(limits), checked: checkedLines });
  try {
    const key = isOllamaService(baseUrl) ? options.apiKey : null;
    const headers = key === null ? {} : { authorization: `Bearer ${key}` };
    const client = new Ollama({ host: baseUrl.url, fetch: call.fetch, headers });
    for await (const part of await client.chat(chatOf(options, request))) {
      // Parts that arrived before the signal are dropped.
      signal.throwIfAborted();
      const { message, done, done_reason, prompt_eval_count, eval_count } = part;
      if (message.content !== "") {
        text += message.content;
        bytes += Buffer.byteLength(message.content);
        end += message.content;
        if (bytes > limits.replyBytesMax || blankRun.test(end)) return failed({ kind: "overlong", bytes });
        end = end.slice(-limits.blanksMax);
        yield message.content;
      }
      if (!done) continue;
      if (done_reason === "length") return failed({ kind: "overlong", bytes });
      if (text.trim() === "") return failed({ kind: "no-text", why: `it ended with "${done_reason ?? "stop"}"` });
      return {
        ok: true,
        reply: {
          text: text.toWellFormed(),
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

const chatOf = ({ name, windowTokens }: OllamaOptions, { system, prompt, format, replyTokensMax }: ModelRequest) => ({
  model: name,
  messages: [
    { role: "system", content: system },
    { role: "user", content: prompt },
  ],
  format,
  stream: true as const,
  // Without it, the server enables thinking for every model that supports it; every model accepts false.
  think: false,
  options: { temperature: 0, seed: SEED, num_ctx: windowTokens, num_predict: replyTokensMax },
});

const isOllamaService = ({ url, host }: BaseUrl): boolean => url.startsWith("https:") && host === "ollama.com";
