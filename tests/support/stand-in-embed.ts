/**
 * Deterministic embeddings of a stand-in server: texts are similar if they share words or synonyms from a fixed table.
 */
import { STOP_WORDS } from "../../src/text/terms/stop-words.ts";
import type { Received } from "./stand-in-request.ts";

/** Shorter than the vectors of most real models, so that tests can read them. */
const DIMENSIONS = 96;

const GROUPS: readonly (readonly string[])[] = [
  ["login", "signin", "authentication", "credentials"],
  ["slow", "latency", "sluggish", "performance"],
  ["crash", "segfault", "panic", "abort"],
  ["cookie", "cookies", "session", "sessions"],
];

/** Maps each word to the first of its synonyms. */
const MEANINGS: ReadonlyMap<string, string> = new Map(
  GROUPS.flatMap((group) => group.map((word) => [word, group[0] ?? word] as const)),
);

/** The texts of an embedding request. */
export function textsAsked({ body }: Received): readonly string[] {
  const input: unknown = typeof body === "object" && body !== null && "input" in body ? body.input : [];
  return Array.isArray(input) ? input.map(String) : [String(input)];
}

/** Ollama's reply to `POST /api/embed`. */
export const embedded = (request: Received, vectors: readonly (readonly (number | null)[])[]) => ({
  model: request.model,
  embeddings: vectors,
  total_duration: 14_143_917,
  load_duration: 1_019_500,
  prompt_eval_count: 8,
});

/** The vector of a text: each meaning hashes to one dimension, normalised to length 1 like Ollama's. */
export function vectorOf(text: string, dimensions: number = DIMENSIONS): readonly number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    // Ignore stop words.
    if (STOP_WORDS.has(word)) continue;
    const meant = MEANINGS.get(word) ?? word;
    const place = Number(BigInt(Bun.hash(meant)) % BigInt(dimensions));
    vector[place] = (vector[place] ?? 0) + 1;
  }
  // As with real models, no two vectors are orthogonal.
  vector[0] = (vector[0] ?? 0) + 0.5;
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}
