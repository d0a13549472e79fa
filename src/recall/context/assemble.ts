/**
 * Recall: asks all requested sources about a query and returns their results as one text.
 *
 * Results are ranked, deduplicated, selected within the token limit (`select.ts`) and put into sections. The limit is soft: a
 * text beyond it is reported, never hidden. The same answers give the same text.
 */
import { counted } from "../../text/counted.ts";
import type { TokenCounter } from "../../text/tokens/tokens.ts";
import { type AskDeps, askSources } from "../search/ask-sources.ts";
import type { Searcher } from "../search/searcher.ts";
import { adjusted, confidenceFactor, importanceFactor, newestOf, recencyFactor } from "./adjustments.ts";
import { WEIGHTS } from "./allocation.ts";
import type { Candidate } from "./candidate.ts";
import { composeContext, type Plan } from "./compose.ts";
import type { FormattedContext } from "./context-json.ts";
import type { ContextType } from "./context-types.ts";
import { deduplicated } from "./deduplicate.ts";
import { codeCandidate, commitCandidate, experienceCandidate, memoryCandidate, valueCandidate } from "./formats.ts";

export type RecallDeps = AskDeps & { readonly searcher: Searcher; readonly counter: TokenCounter };

/** `limit` is the number of items per source, `maxTokens` the size of the text. */
export type RecallRequest = {
  readonly query: string;
  readonly types: readonly ContextType[];
  readonly limit: number;
  readonly maxTokens: number;
  /** Less relevant results are left out. */
  readonly relevanceMin?: number;
};

/** A candidate whose recency factor is known once all sources have answered; `at` is its time. */
type DatedCandidate = { readonly at: string | null; candidate(recency: number): Candidate };

const TITLES: Record<ContextType, string> = {
  memories: "Memories",
  code: "Code",
  experiences: "Experiences",
  values: "Values",
  commits: "Commits",
};

/** Throws the signal's reason when it fires. A source that fails is left out with a notice. */
export async function assembleContext(
  deps: RecallDeps,
  request: RecallRequest,
  signal: AbortSignal,
): Promise<FormattedContext> {
  const { types } = request;
  const answers = await askSources(
    deps,
    types.map((type) => ({ source: type, ask: (signal) => candidates(deps.searcher, type, request, signal) })),
    signal,
  );
  const newest = newestOf(answers.flat().flatMap(({ at }) => at ?? []));
  const found = answers.flat().map(({ at, candidate }) => candidate(at === null ? 1 : recencyFactor(at, newest)));
  const kept = deduplicated(found.filter(({ relevance }) => relevance >= (request.relevanceMin ?? 0)));
  return composeContext(deps, planOf(types, kept), request.maxTokens);
}

const planOf = (types: readonly ContextType[], kept: readonly Candidate[]): Plan => ({
  title: "Context",
  sources: types.map((type) => ({
    weight: WEIGHTS[type],
    sections: [{ title: TITLES[type], candidates: kept.filter((candidate) => candidate.type === type) }],
  })),
  closing: (items) => {
    const sources = new Set(items.map(({ source }) => source));
    return `${counted(items.length, "item")} from ${counted(sources.size, "source")}`;
  },
});

async function candidates(
  searcher: Searcher,
  type: ContextType,
  { query, limit }: RecallRequest,
  signal: AbortSignal,
): Promise<readonly DatedCandidate[]> {
  switch (type) {
    case "memories":
      return (await searcher.memories(query, limit, signal)).map(({ relevance, found }) =>
        undated(memoryCandidate(found, adjusted(relevance, importanceFactor(found.importance)))),
      );
    case "code":
      return (await searcher.code(query, limit, signal)).map(({ relevance, found }) =>
        undated(codeCandidate(found, adjusted(relevance))),
      );
    case "experiences":
      return (await searcher.experiences(query, { axis: "full" }, limit, signal)).map(({ relevance, found }) => ({
        at: found.created_at,
        candidate: (recency) =>
          experienceCandidate(found, "full", adjusted(relevance, confidenceFactor(found.confidence), recency)),
      }));
    case "values":
      return (await searcher.values(query, {}, limit, signal)).map(({ relevance, found }) =>
        undated(valueCandidate(found, adjusted(relevance))),
      );
    case "commits":
      return (await searcher.commits(query, limit, signal)).map(({ relevance, found }) => ({
        at: found.timestamp,
        candidate: (recency) => commitCandidate(found, adjusted(relevance, recency)),
      }));
  }
}

const undated = (candidate: Candidate): DatedCandidate => ({ at: null, candidate: () => candidate });
