/** Opens a model as its server has it: the kind of server decides how it is asked, the model's own window bounds it. */
import type { Model, ModelSource } from "./model.ts";
import { type OllamaOptions, openOllama } from "./ollama.ts";
import { openOpenAi } from "./openai.ts";
import { type ServerFacts, serverFacts, usedWindow } from "./server-facts.ts";

/** `windowTokens` is what the user gives it at most; the other fields are as those of the clients. */
type ModelOptions = Omit<OllamaOptions, "think" | "digest">;

/** A model on a server. Nothing is sent until it is opened. */
export const modelSource = (options: ModelOptions): ModelSource => ({
  name: options.name,
  baseUrl: options.baseUrl.url,
  async open(signal) {
    const found = await serverFacts(options, signal);
    return found.ok ? { ok: true, model: modelOf(options, found.facts) } : found;
  },
});

/** The model as its server has it. */
export function modelOf(options: ModelOptions, facts: ServerFacts): Model {
  const windowTokens = usedWindow(options.windowTokens, facts);
  if (facts.kind === "ollama") return openOllama({ ...options, ...facts, windowTokens });
  return openOpenAi({
    ...options,
    baseUrl: options.baseUrl.url,
    apiUrl: facts.apiUrl,
    models: facts.models ?? [],
    windowTokens,
  });
}
