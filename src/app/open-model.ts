/**
 * Opens the model that the settings name, after checking that its server may be asked.
 *
 * What is sent to a model is the task and the code, so another machine than this one must be allowed by the user, and
 * is named each time before anything is sent. The client is loaded when it is first needed. Not here: what is asked (`open-judge.ts`,
 * `enrich.ts`).
 */
import type { Settings } from "../config/keys.ts";
import { Failed, type Notice, type SentForVectors } from "../failure.ts";
import { type BaseUrl, readBaseUrl } from "../llm/base-url.ts";
import type { Embedder } from "../llm/embedder.ts";
import { MODEL_LIMITS, type ModelLimits } from "../llm/limits.ts";
import type { Model } from "../llm/model.ts";
import type { Environment } from "./app-types.ts";

/** The server of the settings. Throws a usage failure for an address that is none, or that was not allowed. */
export function readServer({ base_url, allow_remote_llm }: Settings): BaseUrl {
  const reading = readBaseUrl(base_url);
  if (!reading.ok) throw new Failed({ code: "usage", message: `--base-url ${reading.why}`, next: reading.next });
  const { baseUrl } = reading;
  if (baseUrl.loopback || allow_remote_llm) return baseUrl;
  throw new Failed({
    code: "usage",
    message: `${baseUrl.host} is not this machine, and would be sent the task and parts of the repository`,
    next: "allow it with --allow-remote-llm, or give another --base-url",
  });
}

/** What to tell when something is about to be sent; null when the server is this machine. Throws as `readServer` does. */
export function sendingNotice(settings: Settings, what?: SentForVectors): Notice | null {
  const { loopback, host } = readServer(settings);
  return loopback ? null : { code: "model-remote", host, ...(what === undefined ? {} : { what }) };
}

/** The model called `name`; `variables` may hold the key of Ollama's own service. Sends nothing yet. Throws as `readServer` does. */
export async function openModel(name: string, settings: Settings, variables: Environment["variables"]): Promise<Model> {
  const baseUrl = readServer(settings);
  const { openOllama } = await import("../llm/ollama.ts");
  return openOllama({
    name,
    baseUrl,
    windowTokens: settings["llm.context_window"],
    limits: limitsIn(settings),
    nowMs: () => performance.now(),
    apiKey: variables.OLLAMA_API_KEY ?? null,
  });
}

/** The embedding model called `name`. Sends nothing yet. Throws as `readServer` does. */
export async function openEmbedder(name: string, settings: Settings): Promise<Embedder> {
  const baseUrl = readServer(settings);
  const { openOllamaEmbedder } = await import("../llm/ollama-embed.ts");
  return openOllamaEmbedder({ name, baseUrl, limits: limitsIn(settings) });
}

const limitsIn = (settings: Settings): ModelLimits => ({
  ...MODEL_LIMITS,
  connectSeconds: settings["llm.connect_seconds"],
  firstTokenSeconds: settings["llm.first_token_seconds"],
  idleSeconds: settings["llm.idle_seconds"],
  totalSeconds: settings["llm.total_seconds"],
});
