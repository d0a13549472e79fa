/**
 * Vectors as a stand-in server gives them: texts are near each other when they share words, or words that mean the same.
 *
 * The meanings are a table, so a test can say what a real model would see and words do not tell.
 */
import { STOP_WORDS } from "../../src/text/terms/stop-words.ts";
import { DIMENSIONS, MEANINGS } from "./stand-in-meanings.ts";
import type { Received } from "./stand-in-request.ts";

/** The texts that an embedding is asked for. */
export function textsAsked({ body }: Received): readonly string[] {
  const input: unknown = typeof body === "object" && body !== null && "input" in body ? body.input : [];
  return Array.isArray(input) ? input.map(String) : [String(input)];
}

/** What Ollama answers to `POST /api/embed`. */
export const embedded = (request: Received, vectors: readonly (readonly (number | null)[])[]) => ({
  model: request.model,
  embeddings: vectors,
  total_duration: 14_143_917,
  load_duration: 1_019_500,
  prompt_eval_count: 8,
});

/** The vector of a text: a place for each word, all words of one meaning in the same; of length 1, as Ollama's are. */
export function vectorOf(text: string, dimensions: number = DIMENSIONS): readonly number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    // Words that are everywhere mean nothing to a model either.
    if (STOP_WORDS.has(word)) continue;
    const meant = MEANINGS.get(word) ?? word;
    const place = Number(BigInt(Bun.hash(meant)) % BigInt(dimensions));
    vector[place] = (vector[place] ?? 0) + 1;
  }
  // As with real models, no two texts have nothing in common.
  vector[0] = (vector[0] ?? 0) + 0.5;
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}
