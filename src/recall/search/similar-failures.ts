/**
 * Past failures similar to a new one, with what resolved them, for escalation.
 *
 * A failure is an experience with a lesson and a root cause or a surprise. Whole experiences, root causes and surprises are
 * searched at once; the highest relevance counts.
 */

import type { Embedder } from "../../llm/embedder.ts";
import type { ModelFailure } from "../../llm/model.ts";
import type { Experience } from "../../memory/experience.ts";
import { lessonText } from "../../memory/experience-text.ts";
import { dot, unit } from "../../memory/text-vector.ts";
import type { Axis } from "../../memory/vocabulary.ts";
import { inOrder } from "../../text/order.ts";
import type { Found, Searcher } from "./searcher.ts";

type SimilarFailure = {
  readonly phase_id: string;
  readonly error_pattern: string;
  readonly resolution: string;
  /** 0 to 1. */
  readonly similarity_score: number;
};

const AXES_SEARCHED: readonly Axis[] = ["full", "root_cause", "surprise"];
/** Less relevant results share a word by chance. */
const RELEVANCE_MIN = 0.2;

/** At most `limit`, the most similar first. Rejects as the searcher does. */
export async function similarFailures(
  searcher: Searcher,
  query: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly SimilarFailure[]> {
  const answers = await Promise.all(
    // More than `limit`, since not every result is a failure.
    AXES_SEARCHED.map((axis) => searcher.experiences(query, { axis }, limit * 4, signal)),
  );
  const nearest = new Map<string, Found<Experience>>();
  for (const hit of answers.flat()) {
    const before = nearest.get(hit.found.id);
    if (before === undefined || before.relevance < hit.relevance) nearest.set(hit.found.id, hit);
  }
  return [...nearest.values()]
    .filter(({ relevance }) => relevance >= RELEVANCE_MIN)
    .sort((a, b) => b.relevance - a.relevance || inOrder(a.found.id, b.found.id))
    .flatMap(({ found, relevance }) => similarFailure(found, relevance))
    .slice(0, limit);
}

function similarFailure(experience: Experience, relevance: number): readonly SimilarFailure[] {
  const { id, root_cause, surprise } = experience;
  const pattern = root_cause === null ? surprise : `${root_cause.category}: ${root_cause.description}`;
  const resolution = lessonText(experience);
  return pattern === null || resolution === null
    ? []
    : [{ phase_id: id, error_pattern: pattern, resolution, similarity_score: relevance }];
}

type RankedTexts =
  | { readonly ok: true; readonly scores: readonly number[] }
  | { readonly ok: false; readonly failure: ModelFailure };

/** Cosines of texts to a query, in the order of the texts. Stores nothing, and throws only the signal's reason. */
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
