/**
 * What a model server says of itself and of one model: which kind of server it is, its version, the model's window, and how
 * it thinks.
 *
 * Everything is optional: servers of other versions leave out what they do not know. Only what makes every question
 * pointless is a failure: no server, no such model, a model that writes no text.
 */

import { z } from "zod";
import type { BaseUrl } from "./base-url.ts";
import { startCall } from "./bounded-http.ts";
import type { ModelLimits } from "./limits.ts";
import type { ModelFailure } from "./model.ts";
import type { Thinking } from "./ollama.ts";
import { serverJson, serverWords } from "./reply-lines.ts";

/** `windowTokens` is the model's own, `digest` identifies its weights; null where the server does not say. */
export type ServerFacts = {
  readonly kind: "ollama" | "openai";
  /** Where the paths of its form begin. */
  readonly apiUrl: string;
  readonly version: string | null;
  readonly windowTokens: number | null;
  readonly digest: string | null;
  readonly parameters: string | null;
  readonly think: Thinking | null;
  /** The names of its models, where it is asked for them. */
  readonly models: readonly string[] | null;
};

type Found =
  | { readonly ok: true; readonly facts: ServerFacts }
  | { readonly ok: false; readonly failure: ModelFailure };

/** The tokens of a call, of those that the user gives the model and its own. */
export const usedWindow = (given: number, { windowTokens }: ServerFacts): number =>
  Math.min(given, windowTokens ?? given);

export type ServerQuery = { readonly name: string; readonly baseUrl: BaseUrl; readonly limits: ModelLimits };

const word = () => z.string().max(200).optional().catch(undefined);
const Version = z.object({ version: z.string().max(100) });
const Tags = z.object({
  models: z.array(z.object({ name: word(), model: word(), digest: word() })).catch([]),
});
const Shown = z.object({
  capabilities: z.array(z.string()).nullish().catch(null),
  details: z.object({ family: word(), parameter_size: word() }).nullish().catch(null),
  model_info: z.record(z.string(), z.unknown()).nullish().catch(null),
});
const tokens = () => z.int().positive().optional().catch(undefined);
const Models = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      max_model_len: tokens(),
      context_length: tokens(),
      owned_by: word(),
      meta: z.object({ n_ctx: tokens(), n_params: tokens() }).nullish().catch(null),
    }),
  ),
});
/** What llama.cpp's server says of itself beside OpenAI's form. */
const Props = z.object({ build_info: z.string().max(100) });

/** How often a server that loads its model is asked. */
const LOADING_MS = 250;

/** Asks the server, and waits while it loads its model. Throws nothing but the signal's reason. */
export async function serverFacts(query: ServerQuery, signal: AbortSignal): Promise<Found> {
  const triesMax = (query.limits.firstTokenSeconds * 1_000) / LOADING_MS;
  for (let tries = 1; ; tries += 1) {
    const found = await factsNow(query, signal);
    if (found.ok || !isLoading(found.failure) || tries >= triesMax) return found;
    await new Promise((resume) => setTimeout(resume, LOADING_MS));
    signal.throwIfAborted();
  }
}

/** So llama.cpp's server answers whatever it is asked. */
const isLoading = (failure: ModelFailure): boolean =>
  failure.kind === "refused" && failure.status === 503 && /loading/i.test(failure.why);

async function factsNow(query: ServerQuery, signal: AbortSignal): Promise<Found> {
  const { name, baseUrl } = query;
  if (baseUrl.url.endsWith("/v1")) return await openAiFacts(query, "", signal);
  const shown = await askServer(query, "/api/show", { model: name }, signal);
  if (!shown.ok && (isLoading(shown.failure) || !mayBeOther(shown.failure))) return shown;
  const [version, tags] = await Promise.all([
    askServer(query, "/api/version", null, signal),
    askServer(query, "/api/tags", null, signal),
  ]);
  const ollama = ollamaFacts(query, { shown, version, tags });
  const isMissing = !shown.ok && shown.failure.kind === "missing-model";
  // Servers of another kind may know the other paths of Ollama, or say of them that there is no model; only Ollama has a
  // version. One that has it and does not describe the model is busy, or its answer to the question says what is wrong.
  if (ollama.ok && ollama.facts.version !== null) return isMissing ? shown : ollama;
  if (!version.ok && isSilent(version.failure)) {
    // A server that answered and then no more is one that stopped.
    return shown.ok || shown.failure.kind === "timeout" ? ollama : version;
  }
  if (!ollama.ok) return ollama;
  const other = await openAiFacts(query, "/v1", signal);
  if (other.ok || isLoading(other.failure)) return other;
  if (shown.ok) return ollama;
  if (shown.failure.kind !== "timeout" && isSilent(other.failure)) return other;
  if (isMissing) return shown;
  return other.failure.kind === "missing-model" ? other : ollama;
}

/** Whether a server that fails so when it is asked as Ollama may be another kind, or an Ollama that is busy. */
const mayBeOther = (failure: ModelFailure): boolean =>
  failure.kind === "refused" ||
  failure.kind === "missing-model" ||
  (failure.kind === "timeout" && failure.limit !== "connect");

const isSilent = ({ kind }: ModelFailure): boolean =>
  kind === "timeout" || kind === "unreachable" || kind === "broken-off";

/** What Ollama answered to the three questions about itself and the model. */
type OllamaSays = { readonly shown: Document; readonly version: Document; readonly tags: Document };

function ollamaFacts({ name, baseUrl }: ServerQuery, { shown, version, tags }: OllamaSays): Found {
  const of = shown.ok ? Shown.safeParse(shown.value).data : undefined;
  const capabilities = of?.capabilities ?? null;
  if (capabilities?.includes("embedding") && !capabilities.includes("completion"))
    return { ok: false, failure: { kind: "embeds-only" } };
  const family = of?.details?.family ?? "";
  return {
    ok: true,
    facts: {
      kind: "ollama",
      apiUrl: baseUrl.url,
      version: version.ok ? (Version.safeParse(version.value).data?.version ?? null) : null,
      windowTokens: windowIn(of?.model_info ?? {}),
      digest: digestIn(tags, name),
      parameters: of?.details?.parameter_size ?? null,
      models: null,
      // Every model accepts to be told not to think, so one of which nothing is known is.
      think: /^gpt-?oss/.test(family) ? "low" : (capabilities?.includes("thinking") ?? true) ? false : null,
    },
  };
}

/** The digest of a model in Ollama's list of models. */
function digestIn(tags: Document, name: string): string | null {
  const listed = tags.ok ? (Tags.safeParse(tags.value).data?.models ?? []) : [];
  const own = listed.find((one) => [one.name, one.model].some((at) => at === name || at === `${name}:latest`));
  return own?.digest ?? null;
}

/**
 * What identifies the weights of a model; null where the server does not say. A server that does not answer is a failure: its model could
 * not be asked either. Throws nothing but the signal's reason.
 */
export async function modelDigest(
  query: ServerQuery,
  signal: AbortSignal,
): Promise<
  { readonly ok: true; readonly digest: string | null } | { readonly ok: false; readonly failure: ModelFailure }
> {
  const tags = await askServer(query, "/api/tags", null, signal, Number.POSITIVE_INFINITY);
  return !tags.ok && isSilent(tags.failure) ? tags : { ok: true, digest: digestIn(tags, query.name) };
}

/** The key begins with the architecture, such as `llama.context_length`. */
function windowIn(info: Readonly<Record<string, unknown>>): number | null {
  for (const [key, value] of Object.entries(info)) {
    const found = key.endsWith(".context_length") ? z.int().positive().safeParse(value) : null;
    if (found?.success) return found.data;
  }
  return null;
}

async function openAiFacts(query: ServerQuery, path: string, signal: AbortSignal): Promise<Found> {
  const { name, baseUrl } = query;
  const answer = await askServer(query, `${path}/models`, null, signal);
  if (!answer.ok) return answer;
  const models = Models.safeParse(answer.value).data?.data ?? null;
  if (models === null)
    return { ok: false, failure: { kind: "refused", status: 200, why: "it gave no list of models" } };
  const listed = models.map(({ id }) => serverWords(id));
  // A server of one model may answer under any name.
  const own = models.find(({ id }) => id === name) ?? (models.length === 1 ? models[0] : undefined);
  if (own === undefined && models.length > 0)
    return { ok: false, failure: { kind: "missing-model", model: name, listed } };
  const isLlama = own?.owned_by === "llamacpp";
  const props = isLlama ? await askServer(atRoot(query), "/props", null, signal) : null;
  const build = props?.ok === true ? (Props.safeParse(props.value).data?.build_info ?? "") : "";
  return {
    ok: true,
    facts: {
      kind: "openai",
      apiUrl: `${baseUrl.url}${path}`,
      version: isLlama ? `llama.cpp ${build}`.trim() : null,
      windowTokens: own?.max_model_len ?? own?.meta?.n_ctx ?? own?.context_length ?? null,
      digest: null,
      parameters: own?.meta?.n_params === undefined ? null : `${(own.meta.n_params / 1e6).toFixed(0)}M`,
      think: null,
      models: listed,
    },
  };
}

const atRoot = ({ baseUrl, ...query }: ServerQuery): ServerQuery => ({
  ...query,
  baseUrl: { ...baseUrl, url: baseUrl.url.replace(/\/v1$/, "") },
});

/** `value` is undefined when the document is no JSON. */
type Document = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly failure: ModelFailure };

/** Licences and templates of models are long. */
const DOCUMENT_BYTES_MAX = 4 * 1024 * 1024;
/** A server that is busy with a model still answers these at once. */
const DOCUMENT_SECONDS_MAX = 5;

/** Gets the document at a path, or posts `body` to it. Throws nothing but the signal's reason. */
async function askServer(
  { name, baseUrl, limits }: ServerQuery,
  path: string,
  body: Readonly<Record<string, unknown>> | null,
  signal: AbortSignal,
  secondsMax = DOCUMENT_SECONDS_MAX,
): Promise<Document> {
  signal.throwIfAborted();
  const brief: ModelLimits = {
    ...limits,
    firstTokenSeconds: Math.min(secondsMax, limits.firstTokenSeconds),
    totalSeconds: Math.min(secondsMax, limits.totalSeconds),
  };
  using call = startCall(name, brief, signal, {
    bytesMax: DOCUMENT_BYTES_MAX,
    async *checked(pieces) {
      yield* pieces;
    },
  });
  try {
    const sent =
      body === null
        ? {}
        : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await call.fetch(`${baseUrl.url}${path}`, sent);
    return { ok: true, value: serverJson(await response.text()) };
  } catch (error) {
    signal.throwIfAborted();
    if (call.failure === null) throw error;
    return { ok: false, failure: call.failure };
  }
}
