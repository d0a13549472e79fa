/**
 * What is known about something, from all sources that were asked for, as one text.
 *
 * Sources are asked at once, what they found is ranked, told apart, cut and chosen (`select.ts`), and put into sections.
 * The token limit is a soft one: a breach is stated, never hidden. Invariant: the same answers give the same text.
 */
import type { TokenCounter } from "../../text/tokens/tokens.ts";
import { askAll, type Patience, type Question } from "../search/ask-sources.ts";
import type { Searcher } from "../search/searcher.ts";
import { adjusted, confidenceFactor, importanceFactor, newestOf, recencyFactor } from "./adjustments.ts";
import { WEIGHTS } from "./allocation.ts";
import type { Candidate } from "./candidate.ts";
import { composed, type Plan } from "./compose.ts";
import type { ContextType, FormattedContext } from "./context-item.ts";
import { deduplicated } from "./deduplicate.ts";
import { codeCandidate, commitCandidate, experienceCandidate, memoryCandidate, valueCandidate } from "./formats.ts";

export type RecallWorld = Patience & { readonly searcher: Searcher; readonly counter: TokenCounter };

/** `limit` is of items from each source, `maxTokens` of the text. */
export type RecallRequest = {
  readonly query: string;
  readonly types: readonly ContextType[];
  readonly limit: number;
  readonly maxTokens: number;
  /** What is less relevant is left out. */
  readonly relevanceMin?: number;
};

/** A candidate whose place in time is known when all have answered. */
type Dated = { readonly at: string | null; candidate(recency: number): Candidate };

const TITLES: Record<ContextType, string> = {
  memories: "Memories",
  code: "Code",
  experiences: "Experiences",
  values: "Values",
  commits: "Commits",
};

/** Throws the signal's reason when it fires; a source that fails is left out, with a notice. */
export async function assembleContext(
  world: RecallWorld,
  request: RecallRequest,
  signal: AbortSignal,
): Promise<FormattedContext> {
  const { types } = request;
  const answers = await askAll(
    world,
    types.map((type) => question(world.searcher, type, request)),
    signal,
  );
  const newest = newestOf(answers.flat().flatMap(({ at }) => at ?? []));
  const found = answers.flat().map(({ at, candidate }) => candidate(at === null ? 1 : recencyFactor(at, newest)));
  const kept = deduplicated(found.filter(({ relevance }) => relevance >= (request.relevanceMin ?? 0)));
  return composed(world, planOf(types, kept), request.maxTokens);
}

const planOf = (types: readonly ContextType[], kept: readonly Candidate[]): Plan => ({
  title: "Context",
  sources: types.map((type) => ({
    weight: WEIGHTS[type],
    sections: [{ title: TITLES[type], candidates: kept.filter((candidate) => candidate.type === type) }],
  })),
  closing: (items) => {
    const sources = new Set(items.map(({ source }) => source));
    return `${items.length} items from ${sources.size} sources`;
  },
});

function question(searcher: Searcher, type: ContextType, { query, limit }: RecallRequest): Question<Dated> {
  const asking = { source: type };
  switch (type) {
    case "memories":
      return {
        ...asking,
        ask: async (signal) =>
          (await searcher.memories(query, limit, signal)).map(({ relevance, found }) =>
            undated(memoryCandidate(found, adjusted(relevance, importanceFactor(found.importance)))),
          ),
      };
    case "code":
      return {
        ...asking,
        ask: async (signal) =>
          (await searcher.code(query, limit, signal)).map(({ relevance, found }) =>
            undated(codeCandidate(found, adjusted(relevance))),
          ),
      };
    case "experiences":
      return {
        ...asking,
        ask: async (signal) =>
          (await searcher.experiences(query, { axis: "full" }, limit, signal)).map(({ relevance, found }) => ({
            at: found.created_at,
            candidate: (recency) =>
              experienceCandidate(found, "full", adjusted(relevance, confidenceFactor(found.confidence), recency)),
          })),
      };
    case "values":
      return {
        ...asking,
        ask: async (signal) =>
          (await searcher.values(query, {}, limit, signal)).map(({ relevance, found }) =>
            undated(valueCandidate(found, adjusted(relevance))),
          ),
      };
    case "commits":
      return {
        ...asking,
        ask: async (signal) =>
          (await searcher.commits(query, limit, signal)).map(({ relevance, found }) => ({
            at: found.timestamp,
            candidate: (recency) => commitCandidate(found, adjusted(relevance, recency)),
          })),
      };
  }
}

const undated = (candidate: Candidate): Dated => ({ at: null, candidate: () => candidate });
