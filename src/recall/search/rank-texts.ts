/**
 * Cosines of texts to a query, in the order of the texts. Stores nothing.
 */
import type { Embedder } from "../../llm/embedder.ts";
import type { ModelFailure } from "../../llm/model.ts";
import { dot, unit } from "../../memory/text-vector.ts";

type RankedTexts =
  | { readonly ok: true; readonly scores: readonly number[] }
  | { readonly ok: false; readonly failure: ModelFailure };

/** Throws only the signal's reason. */
export async function rankTexts(
  embedder: Embedder,
  query: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<RankedTexts> {
  const answer = await embedder.embed([query, ...texts], signal);
  if (!answer.ok) return answer;
  const [queryVector, ...others] = answer.vectors.map(unit);
  return { ok: true, scores: queryVector === undefined ? [] : others.map((vector) => dot(queryVector, vector)) };
}
