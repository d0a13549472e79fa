/** The JSON that Ollama sends: stream lines, the model list and a model's description. */
import type { Received } from "./stand-in-request.ts";

/** One line of the stream. */
export const piece = (request: Received, text: string): string =>
  `${JSON.stringify({ ...message(request, text), done: false })}\n`;

export const message = ({ path, model }: Received, text: string): Record<string, unknown> => ({
  model,
  created_at: "2026-01-02T03:04:05.678901234Z",
  ...(path.endsWith("/api/generate") ? { response: text } : { message: { role: "assistant", content: text } }),
});

/** Counts and times that a server gives, in tokens and milliseconds. */
export type Took = {
  readonly promptTokens: number;
  readonly promptMs: number;
  readonly answerTokens: number;
  readonly answerMs: number;
};

/** The fields of the last line; durations are nanoseconds. */
export const ending = (text: string, doneReason: string, took?: Took): Record<string, unknown> => ({
  done: true,
  done_reason: doneReason,
  total_duration: 1_234_567_890,
  load_duration: 12_345_678,
  prompt_eval_count: 321,
  prompt_eval_duration: 234_567_890,
  eval_count: Math.ceil(text.length / 4),
  eval_duration: 987_654_321,
  ...(took === undefined
    ? {}
    : {
        prompt_eval_count: took.promptTokens,
        prompt_eval_duration: Math.round(took.promptMs * 1e6),
        eval_count: took.answerTokens,
        eval_duration: Math.round(took.answerMs * 1e6),
      }),
});

export const described = (
  name: string,
  digest = "baf6a787fdffd633537aa2eb51cfd54cb93ff08e28040095462bb63daf552878",
): Record<string, unknown> => ({
  name,
  model: name,
  modified_at: "2026-01-02T03:04:05.678901234Z",
  size: 1_321_098_329,
  digest,
  details: details(),
});

const details = (): Record<string, unknown> => ({
  parent_model: "",
  format: "gguf",
  family: "llama",
  families: ["llama"],
  parameter_size: "1.2B",
  quantization_level: "Q8_0",
});

export const shown = (model: string): Record<string, unknown> => ({
  license: "",
  modelfile: `FROM ${model}\n`,
  template: "{{ .Prompt }}",
  details: details(),
  model_info: { "general.architecture": "llama", "llama.context_length": 131_072 },
  capabilities: ["completion"],
});
