/**
 * Opens the models that the settings name, after checking that their server may be asked. No model is sent a secret.
 *
 * A model is sent the task and parts of the code. A server on another machine must therefore be allowed by the user, and
 * is named in a notice each time before anything is sent. Clients load when they are first needed.
 */
import { DEFAULT_SETTINGS, type Settings } from "../../config/keys.ts";
import { Failed } from "../../failure.ts";
import { type BaseUrl, readBaseUrl } from "../../llm/base-url.ts";
import type { Embedder, EmbedderSource } from "../../llm/embedder.ts";
import { MODEL_LIMITS, type ModelLimits } from "../../llm/limits.ts";
import type { ModelFailure, ModelSource } from "../../llm/model.ts";
import { modelFailureWords } from "../../llm/model-failure.ts";
import type { Notice, SentForVectors } from "../../notice.ts";
import type { Judging, OpenJudge } from "../../retrieval/model/judging.ts";
import type { TokenCounter } from "../../text/tokens/tokens.ts";
import { lockHolder } from "./environment.ts";
import { fenceTokens } from "./fence-secret.ts";
import type { Workspace } from "./workspace.ts";

/** The part of a workspace that opening a model takes. */
type ModelDeps = Pick<Workspace, "redactor"> & {
  readonly config: Pick<Workspace["config"], "settings">;
  readonly environment: Pick<Workspace["environment"], "variables" | "pid" | "host">;
};

/** The server of the settings. Throws a usage failure for an invalid address, or one that is not allowed. */
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

/** The notice to show before something is sent; null when the server is this machine. Throws as `readServer` does. */
export function sendingNotice(settings: Settings, what?: SentForVectors): Notice | null {
  const { loopback, host } = readServer(settings);
  return loopback ? null : { code: "model-remote", host, ...(what === undefined ? {} : { what }) };
}

/** The language model of that name. Sends nothing yet. Throws as `readServer` does. */
export async function openModel({ config, redactor, environment }: ModelDeps, name: string): Promise<ModelSource> {
  const { settings } = config;
  const baseUrl = readServer(settings);
  const { modelSource } = await import("../../llm/open-model.ts");
  const source = modelSource({
    name,
    baseUrl,
    windowTokens: settings["llm.context_window"],
    limits: limitsIn(settings),
    nowMs: () => performance.now(),
    apiKey: environment.variables.OLLAMA_API_KEY ?? null,
  });
  const { text } = redactor;
  return {
    ...source,
    async open(signal) {
      const opened = await source.open(signal);
      if (!opened.ok) return opened;
      const { model } = opened;
      return {
        ok: true,
        model: {
          ...model,
          generate: (request, signal) =>
            model.generate({ ...request, system: text(request.system), prompt: text(request.prompt) }, signal),
        },
      };
    },
  };
}

/** The embedding model of that name. Sends nothing yet. Throws as `readServer` does. */
export async function openEmbedder({ config, redactor }: ModelDeps, name: string): Promise<EmbedderSource> {
  const { settings } = config;
  const baseUrl = readServer(settings);
  const { ollamaEmbedder } = await import("../../llm/ollama-embed.ts");
  const source = ollamaEmbedder({ name, baseUrl, limits: limitsIn(settings) });
  return {
    ...source,
    async open(signal) {
      const embedder = await source.open(signal);
      return { ...embedder, embed: (texts, signal) => embedder.embed(texts.map(redactor.text), signal) };
    },
  };
}

/** What to say about an embedding model that failed. */
export const embeddingFailureWords = (failure: ModelFailure, { name, baseUrl }: Pick<Embedder, "name" | "baseUrl">) =>
  modelFailureWords(failure, { name, baseUrl, flag: "--embedding-model" });

/** What the settings want of a judging model; null without one. Throws a usage failure when that is impossible. */
export function planJudging(settings: Settings, strict: boolean): Judging | null {
  const { model, llm_assist } = settings;
  if (model === null) {
    if (!llm_assist) return null;
    const next = "name a model: --model qwen3:8b";
    throw new Failed({ code: "usage", message: "--llm-assist needs --model", next });
  }
  readServer(settings);
  const windowTokens = settings["llm.context_window"];
  const isDefault = windowTokens === DEFAULT_SETTINGS["llm.context_window"];
  return { model, assistOnly: llm_assist, strict, ...(isDefault ? {} : { windowTokens }) };
}

/** Opens the model and returns the function that opens the judge of a run with it. Sends nothing yet. */
export async function judgeOpener(deps: ModelDeps, name: string, counter: TokenCounter): Promise<OpenJudge> {
  const { settings } = deps.config;
  const source = await openModel(deps, name);
  const sending = sendingNotice(settings);
  const fenceToken = fenceTokens(deps.environment.variables);
  const { serverQueue } = await import("./server-queue.ts");
  const queue = serverQueue(source.baseUrl, deps.environment.variables, lockHolder(deps.environment));
  const { openJudge } = await import("../../judgement/open-judge.ts");
  return ({ memory, onCall }) => ({
    judge: openJudge({
      source,
      counter,
      fenceToken,
      timeMs: settings.model_time * 1_000,
      queue,
      memory,
      onCall,
      nowMs: () => performance.now(),
      nowIso: () => new Date().toISOString(),
    }),
    sayFailure: (failure) => modelFailureWords(failure, source),
    ...(sending === null ? {} : { sending }),
  });
}

/** The limits of a call. */
export const limitsIn = (settings: Settings): ModelLimits => ({
  ...MODEL_LIMITS,
  connectSeconds: settings["llm.connect_seconds"],
  firstTokenSeconds: settings["llm.first_token_seconds"],
  idleSeconds: settings["llm.idle_seconds"],
  totalSeconds: settings["llm.total_seconds"],
});
