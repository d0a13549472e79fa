/**
 * Asks an embedding model of an Ollama server for vectors, through the `ollama` client.
 *
 * Texts go out in calls of bounded size; a call that fails ends the whole. An answer has one vector for each text, finite,
 * not all zeros, and all of the same length. Anything else is a failure; nothing is thrown but the signal's reason.
 */
import { Ollama } from "ollama/browser";
import { z } from "zod";
import { isTooDeep, JSON_DEPTH_MAX } from "../text/json-depth.ts";
import { startCall } from "./bounded-http.ts";
import { type EmbedAnswer, type Embedder, type EmbedderSource, storedName } from "./embedder.ts";
import type { ModelFailure } from "./model.ts";
import { serverWords } from "./reply-lines.ts";
import { modelDigest, type ServerQuery } from "./server-facts.ts";

/** The size of one call. */
const TEXTS_PER_CALL = 32;
const CHARS_PER_CALL = 128_000;
/** The length of one text; no embedding model has a larger window. */
const TEXT_CHARS_MAX = 16_000;

/** The length of a vector; no model has longer ones. */
const DIMENSIONS_MAX = 8_192;
/** One number of a vector in JSON, with its comma. */
const NUMBER_BYTES_MAX = 32;
/** The rest of the JSON. */
const SPARE_BYTES = 64 * 1024;

const Answer = z.object({ embeddings: z.array(z.array(z.number()).min(1).max(DIMENSIONS_MAX)) });

/** A model that gives vectors. Nothing is sent until it is opened. */
export const ollamaEmbedder = (options: ServerQuery): EmbedderSource => ({
  name: options.name,
  baseUrl: options.baseUrl.url,
  async open(signal) {
    const found = await modelDigest(options, signal);
    const embedder = openOllamaEmbedder(options, found.ok ? found.digest : null);
    // A server that cannot be reached is not waited for twice.
    return found.ok ? embedder : { ...embedder, embed: async () => found };
  },
});

/** A model with these weights; null where they are unknown. Nothing is sent until it is asked. */
export const openOllamaEmbedder = (options: ServerQuery, digest: string | null = null): Embedder => ({
  name: options.name,
  storedAs: storedName(options.name, digest),
  baseUrl: options.baseUrl.url,
  embed: (texts, signal) => embed(options, texts, signal),
});

async function embed(options: ServerQuery, texts: readonly string[], signal: AbortSignal): Promise<EmbedAnswer> {
  const vectors: Float32Array[] = [];
  for (const batch of batchesOf(texts.map(shown))) {
    const answer = await embedBatch(options, batch, signal);
    if (!answer.ok) return answer;
    vectors.push(...answer.vectors);
  }
  const [first] = vectors;
  const other = vectors.find(({ length }) => length !== first?.length);
  if (first !== undefined && other !== undefined)
    return invalid(`it gave vectors of ${first.length} and of ${other.length} numbers`);
  return { ok: true, vectors };
}

/** The text to send: servers refuse half characters, and some refuse blank texts. */
function shown(text: string): string {
  const start = text.slice(0, TEXT_CHARS_MAX).toWellFormed();
  return start.trim() === "" ? "-" : start;
}

function* batchesOf(texts: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = [];
  let chars = 0;
  for (const text of texts) {
    if (batch.length === TEXTS_PER_CALL || (batch.length > 0 && chars + text.length > CHARS_PER_CALL)) {
      yield batch;
      batch = [];
      chars = 0;
    }
    batch.push(text);
    chars += text.length;
  }
  if (batch.length > 0) yield batch;
}

async function embedBatch(
  { name, baseUrl, limits }: ServerQuery,
  input: readonly string[],
  signal: AbortSignal,
): Promise<EmbedAnswer> {
  signal.throwIfAborted();
  const bytesMax = input.length * DIMENSIONS_MAX * NUMBER_BYTES_MAX + SPARE_BYTES;
  let start = "";
  using call = startCall(name, limits, signal, {
    bytesMax,
    async *checked(body, { fail }) {
      const whole = Buffer.concat(await Array.fromAsync(body));
      start = whole.toString("utf8", 0, START_CHARS);
      // The client parses whatever it gets.
      if (isTooDeep(whole.toString("latin1")))
        throw fail({ kind: "invalid", why: `it is nested more than ${JSON_DEPTH_MAX} levels deep` });
      yield whole;
    },
  });
  let reply: unknown;
  try {
    const client = new Ollama({ host: baseUrl.url, fetch: call.fetch });
    reply = await client.embed({ model: name, input: [...input], truncate: true });
  } catch (error) {
    signal.throwIfAborted();
    if (call.failure !== null) return { ok: false, failure: call.failure };
    if (error instanceof SyntaxError) return invalid(`it is not JSON: ${serverWords(start.slice(0, START_CHARS))}`);
    throw error;
  }
  signal.throwIfAborted();
  return read(reply, input.length);
}

/** How much of a reply that is not JSON is shown. */
const START_CHARS = 40;

function read(value: unknown, count: number): EmbedAnswer {
  const answer = Answer.safeParse(value);
  if (!answer.success) {
    const [issue] = answer.error.issues;
    return invalid(`${issue?.path.map(String).join(".") || "the answer"}: ${issue?.message ?? "is not one of Ollama"}`);
  }
  const vectors = answer.data.embeddings.map((numbers) => Float32Array.from(numbers));
  if (vectors.length !== count) return invalid(`${count} texts were given and ${vectors.length} vectors came`);
  // A number that is finite in JSON may be too large for a float.
  if (vectors.some((vector) => !vector.every(Number.isFinite))) return invalid("a vector is not of finite numbers");
  if (vectors.some((vector) => vector.every((number) => number === 0))) return invalid("a vector is all zeros");
  return { ok: true, vectors };
}

const invalid = (why: string): { readonly ok: false; readonly failure: ModelFailure } => ({
  ok: false,
  failure: { kind: "invalid", why: serverWords(why) },
});
