/**
 * Answers recall's questions from the memory store and the index, by words and, with an embedding model, by meaning.
 *
 * A query with a filter also finds entries that pass the filter without containing any of its words. Nothing is written.
 */
import type { RecallQueries } from "../../db/curated/knowledge-base.ts";
import type { EntrySearch, ExperienceFilter } from "../../db/memory/store.ts";
import type { Experience, Value } from "../../memory/experience.ts";
import { axisText } from "../../memory/experience-text.ts";
import { textHash } from "./embed.ts";
import { type HybridQuery, hybridRank, type Similarity } from "./hybrid-rank.ts";
import type { IndexVectorSearch } from "./index-vector-search.ts";
import { type QueryWords, queryWordsOf } from "./query-words.ts";
import { rankCommits, rankDefinitions } from "./rank-index-rows.ts";
import type { Found, FoundCommit, Searcher } from "./searcher.ts";
import type { EntrySimilarities, VectorSearch } from "./vector-search.ts";

/** What the index does not know of commits, by hash: all paths, also of files that are gone, and lines; null if unknown. */
export type CommitDetails = (
  hashes: readonly string[],
  signal: AbortSignal,
) => Promise<
  ReadonlyMap<string, Pick<FoundCommit, "insertions" | "deletions"> & { readonly paths: readonly string[] | null }>
>;

type SearcherDeps = {
  readonly store: EntrySearch;
  /** Throws `not-indexed` when there is no index. */
  readonly knowledge: () => RecallQueries;
  /** Null searches entries by words alone. */
  readonly entryVectors: VectorSearch | null;
  /** Null searches the index by words alone. */
  readonly indexVectors: IndexVectorSearch | null;
  readonly commitDetails?: CommitDetails | undefined;
};

/** How many word matches are ranked: more than are wanted, because the order by relevance differs from the order by rank. */
const poolOf = (limit: number): number => Math.max(50, limit * 3);

/** The same for definitions, whose order by relevance weighs where a word occurs. */
const definitionPoolOf = (limit: number): number => Math.max(200, limit * 5);

/** Does nothing until a method is called. */
export function storeSearcher(deps: SearcherDeps): Searcher {
  const { store, knowledge, entryVectors, indexVectors, commitDetails } = deps;
  const similarities: VectorSearch["similarities"] = async (query, scope, signal) => {
    signal.throwIfAborted();
    const found = entryVectors === null ? null : await entryVectors.similarities(query, scope, signal);
    signal.throwIfAborted();
    return found;
  };
  return {
    async memories(query, limit, signal) {
      const near = await similarities(query, { type: "memory", axis: null }, signal);
      const words = queryWordsOf(query);
      return rankEntries(near, ({ content }) => content, {
        words,
        hits: words.text === "" ? [] : store.searchMemories([words.text], poolOf(limit)),
        byId: (ids) => store.memoriesById(ids),
        passes: () => true,
        limit,
      });
    },
    async experiences(query, filter, limit, signal) {
      const near = await similarities(query, { type: "experience", ...filter }, signal);
      const words = queryWordsOf(query);
      return rankEntries(near, (experience) => axisText(experience, filter.axis) ?? "", {
        words,
        hits: words.text === "" ? [] : store.searchExperiences([words.text], filter, poolOf(limit)),
        filtered: isFilter(filter) ? store.searchExperiences([], filter, poolOf(limit)) : [],
        byId: (ids) => store.experiencesById(ids),
        passes: passesFilter(filter),
        limit,
      });
    },
    async values(query, filter, limit, signal) {
      const near = await similarities(query, { type: "value", axis: null }, signal);
      const words = queryWordsOf(query);
      return rankEntries(near, ({ text }: Value) => text, {
        words,
        hits: words.text === "" ? [] : store.searchValues([words.text], filter, poolOf(limit)),
        filtered: isFilter(filter) ? store.searchValues([], filter, poolOf(limit)) : [],
        byId: (ids) => store.valuesById(ids),
        passes: ({ domains, strategies }) =>
          (filter.domain === undefined || domains.includes(filter.domain)) &&
          (filter.strategy === undefined || strategies.includes(filter.strategy)),
        limit,
      });
    },
    async code(query, limit, signal) {
      signal.throwIfAborted();
      const index = knowledge();
      const similarities = (await indexVectors?.similarities(query, "definitions", signal)) ?? null;
      signal.throwIfAborted();
      const words = queryWordsOf(query);
      const hits = index.findDefinitions(words.text, definitionPoolOf(limit));
      return rankDefinitions({ words, hits, similarities, byId: (ids) => index.definitionsById(ids), limit });
    },
    async commits(query, limit, signal) {
      signal.throwIfAborted();
      const index = knowledge();
      const similarities = (await indexVectors?.similarities(query, "commits", signal)) ?? null;
      signal.throwIfAborted();
      const words = queryWordsOf(query);
      const hits = index.findCommits(words.text, poolOf(limit));
      const ranked = rankCommits({ words, hits, similarities, byId: (ids) => index.commitsById(ids), limit });
      const details = await commitDetails?.(
        ranked.map(({ found }) => found.sha),
        signal,
      );
      signal.throwIfAborted();
      return ranked.map(({ relevance, found }) => {
        const { paths, ...lines } = details?.get(found.sha) ?? { paths: null };
        return { relevance, found: { ...found, ...lines, filesChanged: paths ?? found.filesChanged } };
      });
    },
  };
}

/** Entries read at a time when they were found by meaning. */
const ENTRIES_PER_BATCH = 200;

/** A vector of a text that has changed since counts for nothing. Entries that tie stay newest first, values largest first. */
function rankEntries<T extends { readonly id: string }>(
  near: EntrySimilarities | null,
  textOf: (entry: T) => string,
  {
    words,
    ...query
  }: Omit<HybridQuery<string, T>, "similarity" | "batch" | "coverageOf"> & {
    readonly words: QueryWords;
  },
): readonly Found<T>[] {
  const similarity: Similarity<string, T> | null = near && {
    byId: [...near].map(([id, { relevance }]) => [id, relevance]),
    of: (entry) => {
      const found = near.get(entry.id);
      return found !== undefined && found.textHash === textHash(textOf(entry)) ? found.relevance : 0;
    },
  };
  return hybridRank({
    ...query,
    similarity,
    batch: ENTRIES_PER_BATCH,
    coverageOf: (entry) => words.coverage(textOf(entry)),
  });
}

const isFilter = ({ domain, strategy, outcome }: Partial<ExperienceFilter>): boolean =>
  domain !== undefined || strategy !== undefined || outcome !== undefined;

const passesFilter =
  ({ axis, domain, strategy, outcome }: ExperienceFilter) =>
  (experience: Experience): boolean =>
    (domain === undefined || experience.domain === domain) &&
    (strategy === undefined || experience.strategy === strategy) &&
    (outcome === undefined || experience.outcome?.status === outcome) &&
    axisText(experience, axis) !== null;
