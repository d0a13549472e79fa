/**
 * Answers recall from the store of what is remembered and from the index.
 *
 * Memories, experiences and values are found by words and, where there is a model for it, by meaning; code and commits by
 * words. A query with a filter finds what fits the filter even where no word does, as what was asked for is the filter.
 * Invariant: nothing is written but vectors. Not here: how relevant a find is (`relevance.ts`), opening what is handed in.
 */
import type { KnowledgeBase } from "../db/curated.ts";
import type { MemoryStore } from "../db/memory-store.ts";
import { axisText } from "../memory/axis-text.ts";
import type { Experience, Value } from "../memory/experience.ts";
import { inOrder } from "../text/order.ts";
import { fuse } from "./fuse.ts";
import { type QueryWords, queryWordsOf } from "./query-words.ts";
import { relevanceByWords } from "./relevance.ts";
import type { ExperienceFilter, Found, FoundCode, FoundCommit, Searcher } from "./searcher.ts";
import type { Semantic } from "./semantic.ts";

export type SearcherEdges = {
  readonly store: MemoryStore;
  /** The index. Throws `not-indexed` where there is none. */
  readonly knowledge: () => Pick<KnowledgeBase, "findDefinitions" | "findCommits">;
  /** Null: by words alone. */
  readonly semantic: Semantic | null;
};

/** More are looked at than are wanted, as the order by relevance is another than that by rank. */
const poolOf = (limit: number): number => Math.max(50, limit * 3);

/** Tests are seldom what is asked for. */
const TEST_FACTOR = 0.9;

/** Nothing is asked until a method is called. */
export function storeSearcher({ store, knowledge, semantic }: SearcherEdges): Searcher {
  return {
    async memories(query, limit, signal) {
      const nearness = await nearnessOf(semantic, query, { type: "memory", axis: null }, signal);
      const words = queryWordsOf(query);
      return fuse({
        words,
        hits: words.text === "" ? [] : store.searchMemories([words.text], poolOf(limit)),
        fitting: [],
        nearness,
        textOf: ({ content }) => content,
        byId: (ids) => store.memoriesById(ids),
        fits: () => true,
        limit,
      });
    },
    async experiences(query, filter, limit, signal) {
      const nearness = await nearnessOf(semantic, query, { type: "experience", axis: filter.axis }, signal);
      const words = queryWordsOf(query);
      return fuse({
        words,
        hits: words.text === "" ? [] : store.searchExperiences([words.text], filter, poolOf(limit)),
        fitting: isFilter(filter) ? store.searchExperiences([], filter, poolOf(limit)) : [],
        nearness,
        textOf: (experience) => axisText(experience, filter.axis) ?? "",
        byId: (ids) => store.experiencesById(ids),
        fits: fitsExperience(filter),
        limit,
      });
    },
    async values(query, filter, limit, signal) {
      const nearness = await nearnessOf(semantic, query, { type: "value", axis: null }, signal);
      const words = queryWordsOf(query);
      return fuse({
        words,
        hits: words.text === "" ? [] : store.searchValues([words.text], filter, poolOf(limit)),
        fitting: isFilter(filter) ? store.searchValues([], filter, poolOf(limit)) : [],
        nearness,
        textOf: ({ text }) => text,
        byId: (ids) => store.valuesById(ids),
        fits: ({ domains, strategies }: Value) =>
          (filter.domain === undefined || domains.includes(filter.domain)) &&
          (filter.strategy === undefined || strategies.includes(filter.strategy)),
        limit,
      });
    },
    async code(query, limit, signal) {
      signal.throwIfAborted();
      const words = queryWordsOf(query);
      return foundCode(knowledge().findDefinitions(words.text, poolOf(limit)), words, limit);
    },
    async commits(query, limit, signal) {
      signal.throwIfAborted();
      const words = queryWordsOf(query);
      return foundCommits(knowledge().findCommits(words.text, poolOf(limit)), words, limit);
    },
  };
}

async function nearnessOf(semantic: Semantic | null, ...asked: Parameters<Semantic["nearness"]>) {
  const [, , signal] = asked;
  signal.throwIfAborted();
  const nearness = semantic === null ? null : await semantic.nearness(...asked);
  signal.throwIfAborted();
  return nearness;
}

const isFilter = ({ domain, strategy, outcome }: Partial<ExperienceFilter>): boolean =>
  domain !== undefined || strategy !== undefined || outcome !== undefined;

const fitsExperience =
  ({ axis, domain, strategy, outcome }: ExperienceFilter) =>
  (experience: Experience): boolean =>
    (domain === undefined || experience.domain === domain) &&
    (strategy === undefined || experience.strategy === strategy) &&
    (outcome === undefined || experience.outcome?.status === outcome) &&
    axisText(experience, axis) !== null;

function foundCode(
  rows: ReturnType<KnowledgeBase["findDefinitions"]>,
  words: QueryWords,
  limit: number,
): readonly Found<FoundCode>[] {
  const bestRank = rows[0]?.rank ?? 0;
  return best(
    rows.map(({ isTest, rank, ...found }) => {
      const text = [found.path, found.qualifiedName, found.signature, found.docstring ?? ""].join("\n");
      const relevance = relevanceByWords(words.coverage(text), rank, bestRank) * (isTest ? TEST_FACTOR : 1);
      return { relevance, found, rank, name: `${found.path}\n${String(found.startLine).padStart(9, "0")}` };
    }),
    limit,
  );
}

function foundCommits(
  rows: ReturnType<KnowledgeBase["findCommits"]>,
  words: QueryWords,
  limit: number,
): readonly Found<FoundCommit>[] {
  const bestRank = rows[0]?.rank ?? 0;
  return best(
    rows.map(({ hash, author, message, timestamp, paths, insertions, deletions, rank }) => ({
      relevance: relevanceByWords(words.coverage(message), rank, bestRank),
      found: {
        sha: hash,
        author,
        message,
        timestamp: new Date(timestamp * 1000).toISOString(),
        filesChanged: paths,
        insertions,
        deletions,
      },
      rank,
      name: hash,
    })),
    limit,
  );
}

type Scored<T> = Found<T> & { readonly rank: number; readonly name: string };

const best = <T>(scored: readonly Scored<T>[], limit: number): readonly Found<T>[] =>
  [...scored]
    .sort((a, b) => b.relevance - a.relevance || b.rank - a.rank || inOrder(a.name, b.name))
    .slice(0, limit)
    .map(({ relevance, found }) => ({ relevance, found }));
