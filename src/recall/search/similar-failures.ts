/**
 * Past failures that are like a new one, with what resolved them, as escalation hands them on.
 *
 * A failure is an experience that says why it failed or what was unexpected, and what was learned from it. It is looked
 * for in all that experiences say, in their causes and in their surprises, at once; it counts where it is nearest.
 */
import type { Experience } from "../../memory/experience.ts";
import { lessonText } from "../../memory/value-text.ts";
import type { Axis } from "../../memory/vocabulary.ts";
import { inOrder } from "../../text/order.ts";
import type { Found, Searcher } from "./searcher.ts";

export type SimilarFailure = {
  readonly phase_id: string;
  readonly error_pattern: string;
  readonly resolution: string;
  /** 0 to 1. */
  readonly similarity_score: number;
};

const LOOKED_THROUGH: readonly Axis[] = ["full", "root_cause", "surprise"];
/** What is less relevant shares a word by chance. */
const RELEVANCE_MIN = 0.2;

/** At most `limit`, the most similar first. Rejects with what the searcher rejects with. */
export async function similarFailures(
  searcher: Searcher,
  query: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly SimilarFailure[]> {
  const answers = await Promise.all(
    // Not all of them tell a failure.
    LOOKED_THROUGH.map((axis) => searcher.experiences(query, { axis }, limit * 4, signal)),
  );
  const nearest = new Map<string, Found<Experience>>();
  for (const hit of answers.flat()) {
    const before = nearest.get(hit.found.id);
    if (before === undefined || before.relevance < hit.relevance) nearest.set(hit.found.id, hit);
  }
  return [...nearest.values()]
    .filter(({ relevance }) => relevance >= RELEVANCE_MIN)
    .sort((a, b) => b.relevance - a.relevance || inOrder(a.found.id, b.found.id))
    .flatMap(({ found, relevance }) => told(found, relevance))
    .slice(0, limit);
}

function told(experience: Experience, relevance: number): readonly SimilarFailure[] {
  const { id, root_cause, surprise } = experience;
  const pattern = root_cause === null ? surprise : `${root_cause.category}: ${root_cause.description}`;
  const resolution = lessonText(experience);
  return pattern === null || resolution === null
    ? []
    : [{ phase_id: id, error_pattern: pattern, resolution, similarity_score: relevance }];
}
